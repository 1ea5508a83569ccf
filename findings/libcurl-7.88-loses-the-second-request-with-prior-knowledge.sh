#!/usr/bin/env bash
# Version: curl and libcurl 7.88.1 (Debian 12), with nginx 1.22.1 of Debian and h2 4.4.1 of Python.
#
# Behaviour: over HTTP/2 without TLS, with prior knowledge (RFC 9113, section 3.3), the first
# request of a connection succeeds. The second one on the same connection ends with "Error in the
# HTTP2 framing layer" (16) before it is sent. Over TLS the same program makes three, and so does h2
# without TLS.
#
# Seen: "curl, HTTP/2 without TLS: 200 000 000; requests that nginx saw: 1; curl, HTTP/2 over TLS:
# 200 200 200; h2 without TLS: 200 200 200".
#
# Why it surprises: the error names the frames of the server, every server has it, and a test with
# one request passes. It is the libcurl of a whole release of Debian, on which many clients are
# built.
#
# Source: this run; issue 10634 and pull request 10643 of curl's repository.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program nginx nginx-light=1.22.1
debian_program curl curl=7.88.1
debian_program openssl openssl
python_packages h2==4.4.1
make_certificate
plain=$(free_port)
secure=$(free_port)
mkdir "$folder/www"
echo '{}' | tee "$folder/www/a" "$folder/www/b" >"$folder/www/c"
cat >"$folder/nginx.conf" <<END
daemon off;
pid $folder/nginx.pid;
error_log /dev/null;
events {}
http {
  access_log $folder/access.log;
  client_body_temp_path $folder/body;
  proxy_temp_path $folder/proxy;
  fastcgi_temp_path $folder/fastcgi;
  uwsgi_temp_path $folder/uwsgi;
  scgi_temp_path $folder/scgi;
  server {
    listen 127.0.0.1:$plain http2;
    listen 127.0.0.1:$secure ssl http2;
    ssl_certificate $folder/certificate.pem;
    ssl_certificate_key $folder/key.pem;
    root $folder/www;
  }
}
END
nginx -c "$folder/nginx.conf" &
await_port "$plain"
three() {
  curl --silent --insecure --write-out '%{http_code} ' "$1" --output /dev/null --output /dev/null \
    --output /dev/null "$2/a" "$2/b" "$2/c" || true
}
expect "curl, HTTP/2 without TLS" "$(three --http2-prior-knowledge "http://127.0.0.1:$plain")" "200 000 000 "
expect "requests that nginx saw" "$(wc -l <"$folder/access.log")" 1
expect "curl, HTTP/2 over TLS" "$(three --http2 "https://127.0.0.1:$secure")" "200 200 200 "
seen=$(python - "$plain" <<'END'
import socket, sys
import h2.config, h2.connection, h2.events

connection = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
connection.initiate_connection()
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5) as transport:
    for stream, path in ((1, "/a"), (3, "/b"), (5, "/c")):
        connection.send_headers(stream, [
            (":method", "GET"), (":scheme", "http"), (":authority", "localhost"), (":path", path)],
            end_stream=True)
        ended = False
        while not ended:
            transport.sendall(connection.data_to_send())
            for event in connection.receive_data(transport.recv(65536)):
                if isinstance(event, h2.events.ResponseReceived):
                    print(dict(event.headers)[":status"], end=" ")
                ended = ended or isinstance(event, h2.events.StreamEnded)
END
)
expect "h2 without TLS" "$seen" "200 200 200 "
