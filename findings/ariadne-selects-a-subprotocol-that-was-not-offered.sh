#!/usr/bin/env bash
# Version: Ariadne 1.1.1 on Starlette 1.10.0, uvicorn 0.54.0.
#
# Behaviour: a client that offers only 'graphql-transport-ws' gets 101 with
# 'Sec-WebSocket-Protocol: graphql-ws' from Ariadne's default handler. A client that offers none
# gets the same.
#
# Seen: "offered graphql-transport-ws, selected graphql-ws".
#
# Why it surprises: RFC 6455 allows only a subprotocol from the client's list, and a client must
# then fail the connection. To a user it looks like a network error, though host, path and
# credentials are right and the server has accepted. The name of the legacy protocol is the one
# that sounds current.
#
# Source: RFC 6455, 4.1 (item 6) and 4.2.2; ariadne/asgi/handlers/graphql_ws.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne==1.1.1 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 websockets==17.4 \
  python-multipart==0.0.34
cat >"$folder/app.py" <<'END'
from ariadne import make_executable_schema
from ariadne.asgi import GraphQL

app = GraphQL(make_executable_schema("type Query { a: Int } type Subscription { b: Int }"))
END
serve_app
seen=$(python - "$port" <<'END'
import socket, sys

with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as connection:
    connection.sendall(
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        b"Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n")
    head = connection.recv(4096).decode().lower()
selected = [line.partition(": ")[2] for line in head.splitlines() if line.startswith("sec-websocket-protocol")]
print(head.split()[1], *selected)
END
)
expect "Status and subprotocol, graphql-transport-ws offered" "$seen" "101 graphql-ws"
