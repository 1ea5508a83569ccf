#!/usr/bin/env bash
# Version: Varnish 7.1.1 (Debian 12).
#
# Behaviour: a chunked response that ends with a trailer field after the last chunk is not passed
# on: the client gets 503, or 200 with a body that is cut. Without the trailer the same response
# passes.
#
# Seen: "without: whole; with: broken".
#
# Why it surprises: trailers are part of HTTP/1.1 since 1997, and a recipient may ignore them.
# Servers add them for timings and checksums, and see nothing wrong in their own log.
#
# Source: RFC 9112, 7.1.2 ("a recipient MAY ... discard the received trailer fields").
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program varnishd varnish=7.1.1
cat >"$folder/upstream.py" <<'END'
def respond(connection, head):
    trailer = b"Server-Timing: total;dur=5\r\n" if b"/trailer" in head.split(b"\r\n")[0] else b""
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        b"d\r\n{\"data\":null}\r\n0\r\n" + trailer + b"\r\n")
END
serve_upstream
port=$(free_port)
serve_varnish "$port" "$upstream" <<END
sub vcl_recv { return (pass); }
END
get() {
  python3 - "$port" "$1" <<'END'
import http.client, sys

connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=10)
try:
    connection.request("GET", sys.argv[2])
    response = connection.getresponse()
    whole = response.status == 200 and response.read() == b'{"data":null}'
except (http.client.HTTPException, OSError):
    whole = False
print("whole" if whole else "broken")
END
}
expect "Without a trailer" "$(get /plain)" "whole"
expect "With a trailer" "$(get /trailer)" "broken"
