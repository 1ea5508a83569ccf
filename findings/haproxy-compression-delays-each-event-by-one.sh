#!/usr/bin/env bash
# Version: HAProxy 2.6.12 (Debian 12) with 'compression algo gzip' and 'compression type
# text/event-stream'.
#
# Behaviour: of events that a server sends a second apart, the client can decompress each only when
# the next one has been sent. The last event before a silence arrives after the silence.
#
# Seen: "without compression: event 1 before event 2 is sent; with it: not".
#
# Why it surprises: nothing is lost and the stream goes on, so tests pass. A chat shows every
# message when the next one is written. Apache's DEFLATE and Caddy's encode flush the compressor
# with each piece.
#
# Source: HAProxy's manual, "compression algo"; RFC 1951 (a block is readable when it is flushed).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program haproxy haproxy=2.6.12
cat >"$folder/upstream.py" <<'END'
import time

def respond(connection, head):
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
    for number in range(1, 6):
        event = b"data: event %d\n\n" % number
        connection.sendall(b"%x\r\n%s\r\n" % (len(event), event))
        time.sleep(1)
    connection.sendall(b"0\r\n\r\n")
END
serve_upstream
first_event() {
  local port
  port=$(free_port)
  serve_haproxy "$port" <<END
listen plain
  bind 127.0.0.1:$port
  $1
  server one 127.0.0.1:$upstream
END
  python3 - "$port" <<'END'
import http.client, sys, time, zlib

start = time.monotonic()
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=10)
connection.request("GET", "/", headers={"Accept-Encoding": "gzip"})
response = connection.getresponse()
is_compressed = response.headers["Content-Encoding"] == "gzip"
decompressor = zlib.decompressobj(31)
text = b""
while b"event 1\n\n" not in text:
    piece = response.read1(4096)
    text += decompressor.decompress(piece) if is_compressed else piece
# The second event is sent a second after the first one.
print("compressed" if is_compressed else "plain", "after event 2" if time.monotonic() - start > 0.7 else "before event 2")
END
  kill $!
}
expect "Without compression, event 1 is readable" "$(first_event '')" "plain before event 2"
expect "With compression" "$(first_event 'compression algo gzip
    compression type text/event-stream')" "compressed after event 2"
