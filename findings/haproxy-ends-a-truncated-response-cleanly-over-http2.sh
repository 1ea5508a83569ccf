#!/usr/bin/env bash
# Version: HAProxy 2.6.12 (Debian 12), HTTP/2 to the client.
#
# Behaviour: the server announces Content-Length 1000, sends 5 bytes and closes its connection.
# Over HTTP/2, HAProxy sends the client the length, 5 bytes of DATA and END_STREAM: a stream that
# is closed in the orderly way. Over HTTP/1.1 it closes the connection.
#
# Seen: "HTTP/2: content-length 1000, 5 bytes, END_STREAM; HTTP/1.1: 5 bytes, closed".
#
# Why it surprises: RFC 9113 makes such a message malformed, so that a client that counts notices.
# One that takes END_STREAM for the end, or a response without a length, cannot know that its
# server has died. nginx and Apache reset the stream.
#
# Source: RFC 9113, 8.1.1 (malformed messages).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program haproxy haproxy=2.6.12
python_packages h2==4.4.1
cat >"$folder/upstream.py" <<'END'
def respond(connection, head):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\nfirst")
END
serve_upstream
port=$(free_port)
serve_haproxy "$port" <<END
listen plain
  bind 127.0.0.1:$port
  server one 127.0.0.1:$upstream
END
seen=$(python - "$port" <<'END'
import socket, sys
import h2.config, h2.connection, h2.events

# The library would report the wrong length itself. Frames are counted before it does.
import hpack
import hyperframe.frame as frames

connection = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
connection.initiate_connection()
connection.send_headers(
    1, [(":method", "GET"), (":scheme", "http"), (":authority", "localhost"), (":path", "/")], end_stream=True)
seen, data, fields = [], b"", hpack.Decoder()
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5) as transport:
    transport.sendall(connection.data_to_send())
    while not seen or seen[-1] not in ("END_STREAM", "RST_STREAM"):
        data += transport.recv(65536)
        while len(data) >= 9:
            frame, length = frames.Frame.parse_frame_header(memoryview(data[:9]))
            if len(data) < 9 + length:
                break
            frame.parse_body(memoryview(data[9 : 9 + length]))
            data = data[9 + length :]
            if frame.stream_id != 1:
                continue
            if isinstance(frame, frames.HeadersFrame):
                seen.append(f"content-length {dict(fields.decode(frame.data))['content-length']}")
            if isinstance(frame, frames.DataFrame) and frame.data:
                seen.append(f"{len(frame.data)} bytes")
            if isinstance(frame, frames.RstStreamFrame):
                seen.append("RST_STREAM")
            if "END_STREAM" in frame.flags:
                seen.append("END_STREAM")
print(", ".join(seen))
END
)
expect "HTTP/2" "$seen" "content-length 1000, 5 bytes, END_STREAM"
seen=$(python - "$port" <<'END'
import socket, sys

with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5) as connection:
    connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    received = b""
    while more := connection.recv(4096):
        received += more
head, _, body = received.partition(b"\r\n\r\n")
print(b"content-length: 1000" in head.lower(), len(body), "closed")
END
)
expect "HTTP/1.1: length announced, bytes" "$seen" "True 5 closed"
