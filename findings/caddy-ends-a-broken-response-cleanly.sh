#!/usr/bin/env bash
# Version: Caddy 2.6.2 (Debian 12), reverse_proxy.
#
# Behaviour: the server sends a chunked response and its connection is reset before the last chunk.
# Caddy sends the client what has arrived and then a last chunk: a complete, well-formed response.
#
# Seen: "server: reset without the last chunk; client: last chunk".
#
# Why it surprises: the last chunk is HTTP's statement that the body is whole. Nothing on the
# client's side can tell half a multipart response, or a subscription whose server has died, from a
# finished one, except a terminator inside of the body. nginx, HAProxy, Apache and Squid cut the
# connection instead.
#
# Source: RFC 9112, section 8 (a chunked message is complete with its zero-sized chunk).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program caddy caddy=2.6.2
cat >"$folder/upstream.py" <<'END'
import socket, struct, time

def respond(connection, head):
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: multipart/mixed; boundary=-\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"5\r\nfirst\r\n")
    time.sleep(0.5)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
END
serve_upstream
port=$(free_port)
cat >"$folder/Caddyfile" <<END
{
	admin off
	auto_https off
}
http://127.0.0.1:$port {
	reverse_proxy 127.0.0.1:$upstream
}
END
export XDG_DATA_HOME=$folder XDG_CONFIG_HOME=$folder
caddy run --config "$folder/Caddyfile" --adapter caddyfile 2>"$folder/log" &
await_port "$port"
seen() {
  python3 - "$1" <<'END'
import socket, sys

received = b""
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5) as connection:
    connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    try:
        while not received.endswith(b"\r\n0\r\n\r\n"):
            more = connection.recv(4096)
            if not more:
                break
            received += more
    except ConnectionResetError:
        pass
assert b"first" in received
print("last chunk" if received.endswith(b"\r\n0\r\n\r\n") else "no last chunk")
END
}
expect "From the server" "$(seen "$upstream")" "no last chunk"
expect "Through Caddy" "$(seen "$port")" "last chunk"
