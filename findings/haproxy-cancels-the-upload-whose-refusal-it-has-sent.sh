#!/usr/bin/env bash
# Version: HAProxy 2.6.12 (Debian 12) with HTTP/2, libcurl 7.88.1.
#
# Behaviour: 'http-request deny deny_status 413' answers an upload over HTTP/2 with a complete
# response (HEADERS with 413, DATA with END_STREAM) and then RST_STREAM with the code CANCEL.
# libcurl reports a broken stream and not the response. Over HTTP/1.1 the same rule gives curl its
# 413.
#
# Seen: "frames: 413, END_STREAM, RST_STREAM 8; curl --http2: 000; curl --http1.1: 413".
#
# Why it surprises: RFC 9113, section 8.1, has NO_ERROR (0) for a response that is complete before
# its request, and with it clients must keep the response. CANCEL says "no longer needed", so that
# one and the same refusal is readable or not with the version of HTTP that TLS has agreed on.
#
# Source: RFC 9113, 8.1; HAProxy's mux_h2.c; libcurl's http2.c.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program haproxy haproxy=2.6.12
debian_program curl curl=7.88.1
python_packages h2==4.4.1
port=$(free_port)
serve_haproxy "$port" <<END
frontend plain
  bind 127.0.0.1:$port
  http-request deny deny_status 413 if { req.hdr_val(content-length) gt 1000000 }
  http-request return status 200
END
seen=$(python - "$port" <<'END'
import socket, sys
import h2.config, h2.connection, h2.events

connection = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
connection.initiate_connection()
connection.send_headers(1, [
    (":method", "POST"), (":scheme", "http"), (":authority", "localhost"), (":path", "/graphql"),
    ("content-length", "5000000")])
connection.send_data(1, bytes(1000))
seen = []
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5) as transport:
    transport.sendall(connection.data_to_send())
    while not any(word.startswith("RST") for word in seen):
        for event in connection.receive_data(transport.recv(65536)):
            if isinstance(event, h2.events.ResponseReceived):
                seen.append(dict(event.headers)[":status"])
            elif isinstance(event, h2.events.StreamEnded):
                seen.append("END_STREAM")
            elif isinstance(event, h2.events.StreamReset):
                seen.append(f"RST_STREAM {int(event.error_code)}")
        transport.sendall(connection.data_to_send())
print(", ".join(seen))
END
)
expect "Frames" "$seen" "413, END_STREAM, RST_STREAM 8"
head -c 5000000 /dev/zero >"$folder/file"
upload() {
  curl --silent --output /dev/null --write-out '%{http_code}' "$1" --header 'Expect:' \
    --data-binary "@$folder/file" "http://127.0.0.1:$port/graphql" || true
}
expect "curl over HTTP/2" "$(upload --http2-prior-knowledge)" "000"
expect "curl over HTTP/1.1" "$(upload --http1.1)" "413"
