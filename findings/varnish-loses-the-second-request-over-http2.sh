#!/usr/bin/env bash
# Version: Varnish 7.1.1 (Debian 12, 7.1.1-2+deb12u1) with '-p feature=+http2', libcurl 7.88.1.
#
# Behaviour: libcurl's first request of a connection succeeds; the second one, on the same
# connection, ends with "Error in the HTTP2 framing layer". Another implementation, h2 4.4.1 of
# Python, makes three.
#
# Seen: "curl HTTP/1.1: 200 200 200; curl HTTP/2: 200 000 000; h2: 200 200 200".
#
# Why it surprises: each of the two works with others, and a test with one request passes. A client
# that keeps its connection, which is what HTTP/2 is for, fails at every call but the first.
#
# Source: this run; both are the versions of Debian 12.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program varnishd varnish
debian_program curl curl
python_packages h2==4.4.1
cat >"$folder/upstream.py" <<'END'
def respond(connection, head):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
END
serve_upstream
cat >"$folder/default.vcl" <<END
vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "$upstream"; }
END
port=$(free_port)
varnishd -F -j none -a "127.0.0.1:$port" -f "$folder/default.vcl" -n "$folder/varnish" -s malloc,32m \
  -p feature=+http2 >/dev/null 2>&1 &
await_port "$port"
three() {
  curl --silent --write-out '%{http_code} ' "$1" --output /dev/null --output /dev/null --output /dev/null \
    "http://127.0.0.1:$port/a" "http://127.0.0.1:$port/b" "http://127.0.0.1:$port/c" || true
}
expect "curl, HTTP/1.1" "$(three --http1.1)" "200 200 200 "
expect "curl, HTTP/2" "$(three --http2-prior-knowledge)" "200 000 000 "
seen=$(python - "$port" <<'END'
import socket, sys
import h2.config, h2.connection, h2.events

connection = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
connection.initiate_connection()
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5) as transport:
    for stream in (1, 3, 5):
        connection.send_headers(stream, [
            (":method", "GET"), (":scheme", "http"), (":authority", "localhost"), (":path", f"/{stream}")],
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
expect "HTTP/2 of another client" "$seen" "200 200 200 "
