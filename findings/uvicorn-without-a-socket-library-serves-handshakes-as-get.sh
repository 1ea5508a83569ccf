#!/usr/bin/env bash
# Version: uvicorn 0.54.0 as 'pip install uvicorn' leaves it, Starlette 1.10.0.
#
# Behaviour: the plain package has no WebSocket library. A handshake is then passed to the
# application as an ordinary GET, which a WebSocketRoute does not match: status 404, although the
# route exists. With the package 'websockets' beside it, the same request gets 101.
#
# Seen: "404", then "101".
#
# Why it surprises: the application starts without an error and its routes list the socket; the
# client sees a missing URL. The only sign is a warning in the server's log at the first handshake.
#
# Source: uvicorn's documentation, "Quickstart" (the extra "standard"), and the warning itself.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages starlette==1.10.0 uvicorn==0.54.0
cat >"$folder/app.py" <<'END'
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute

async def accept(socket):
    await socket.accept()
    await socket.close()

app = Starlette(routes=[WebSocketRoute("/graphql", accept)])
END
handshake() {
  serve_app
  python - "$port" <<'END'
import socket, sys

with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as connection:
    connection.sendall(
        b"GET /graphql HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    print(connection.recv(1000).split()[1].decode())
END
  kill $!
}
expect "Without a library for WebSockets" "$(handshake)" "404"
python -m pip install --quiet --disable-pip-version-check websockets==17.4
expect "With one" "$(handshake)" "101"
