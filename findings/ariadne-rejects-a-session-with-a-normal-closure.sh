#!/usr/bin/env bash
# Version: Ariadne 1.1.1, GraphQLTransportWSHandler, on Starlette 1.10.0, uvicorn 0.54.0.
#
# Behaviour: when 'on_connect' raises WebSocketConnectionError, as the documentation describes for
# bad credentials, the server closes the connection with code 1000 (normal closure) and an empty
# reason. The message and the payload of the exception reach nobody.
#
# Seen: "close 1000 ''".
#
# Why it surprises: graphql-transport-ws has 4403 (Forbidden) for it, and the exception takes a
# payload. Clients take 1000 for an orderly end or a restart and connect again with the same token,
# for ever.
#
# Source: the protocol's text, "ConnectionInit"; ariadne/asgi/handlers/graphql_transport_ws.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne==1.1.1 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 websockets==17.4 \
  python-multipart==0.0.34
cat >"$folder/app.py" <<'END'
from ariadne import make_executable_schema
from ariadne.asgi import GraphQL
from ariadne.asgi.handlers import GraphQLTransportWSHandler
from ariadne.exceptions import WebSocketConnectionError

def on_connect(websocket, payload):
    raise WebSocketConnectionError({"message": "The token has expired."})

app = GraphQL(
    make_executable_schema("type Query { a: Int } type Subscription { b: Int }"),
    websocket_handler=GraphQLTransportWSHandler(on_connect=on_connect))
END
serve_app
seen=$(python - "$port" <<'END'
import json, sys
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

with connect(f"ws://127.0.0.1:{sys.argv[1]}/", subprotocols=["graphql-transport-ws"]) as socket:
    socket.send(json.dumps({"type": "connection_init", "payload": {"token": "old"}}))
    try:
        print(socket.recv(timeout=10))
    except ConnectionClosed as end:
        print("close", end.rcvd.code, repr(end.rcvd.reason))
END
)
expect "The answer to a rejected session" "$seen" "close 1000 ''"
