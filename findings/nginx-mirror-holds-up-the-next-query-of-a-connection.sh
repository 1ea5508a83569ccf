#!/usr/bin/env bash
# Version: nginx 1.22.1 (Debian 12), ngx_http_mirror_module.
#
# Behaviour: nginx sends a copy of each query to a second server ('mirror'), whose responses it
# throws away. That server takes three seconds. The first query of a connection is answered at once.
# The second one on the same connection is read only when the copy of the first has been answered,
# so that its response comes after three seconds. On another connection there is no delay, and
# neither is there with HTTP/2, where both are streams of one connection.
#
# Seen: "one connection: 0 3 3 seconds; a connection each: 0 0 0 seconds; HTTP/2: 0 0 0 seconds".
#
# Why it surprises: a mirror is there to try a new server with real requests at no risk, since its
# responses are ignored, and the response to each request does come at once. A copy is a part of the
# request for nginx, and a connection of HTTP/1.1 has one request at a time. A client that keeps its
# connections, as most do, slows down to the speed of the new server. A command that makes one
# request, as a test often does, does not see it.
#
# Source: nginx' documentation of ngx_http_mirror_module; this run.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program nginx nginx=1.22.1
debian_program openssl openssl
python_packages "httpx[http2]==0.28.1" h2==4.4.1
cat >"$folder/upstream.py" <<'END'
import time

def respond(connection, head):
    if head.startswith(b"POST /new"):
        time.sleep(3)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
END
serve_upstream
port=$(free_port)
plain=$(free_port)
make_certificate
serve_nginx "$port" <<END
ssl_certificate $folder/certificate.pem;
ssl_certificate_key $folder/key.pem;
server {
  listen 127.0.0.1:$plain;
  listen 127.0.0.1:$port ssl http2;
  location / {
    mirror /new;
    proxy_pass http://127.0.0.1:$upstream/old;
  }
  location = /new {
    internal;
    proxy_pass http://127.0.0.1:$upstream;
  }
}
END
# Sends three queries one after the other, and prints how long each one takes.
query() {
  python - "$@" <<'END'
import sys, time
import httpx

address, keeps, http2 = sys.argv[1], sys.argv[2] == "one", len(sys.argv) > 3
limits = httpx.Limits(max_keepalive_connections=1 if keeps else 0)
with httpx.Client(verify=False, http2=http2, limits=limits) as client:
    seconds = []
    for _ in range(3):
        start = time.monotonic()
        response = client.post(address, json={"query": "{hero}"})
        assert response.status_code == 200 and response.http_version == ("HTTP/2" if http2 else "HTTP/1.1")
        seconds.append(str(round(time.monotonic() - start)))
print(*seconds, "seconds")
END
}
expect "one connection" "$(query "http://127.0.0.1:$plain/" one)" "0 3 3 seconds"
expect "a connection each" "$(query "http://127.0.0.1:$plain/" each)" "0 0 0 seconds"
expect "HTTP/2" "$(query "https://127.0.0.1:$port/" one http2)" "0 0 0 seconds"
