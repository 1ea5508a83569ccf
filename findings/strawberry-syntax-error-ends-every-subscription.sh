#!/usr/bin/env bash
# Version: Strawberry 0.341.2 (graphql-core 3.3.2), protocol graphql-transport-ws.
#
# Behaviour: a 'subscribe' message whose document does not parse ends the whole connection with
# close code 4400, with every other operation on it. One that parses and is not valid gets an
# 'error' message, and the connection lives on.
#
# Seen: "invalid: error", then "syntax: close 4400 while another subscription was running".
#
# Why it surprises: the protocol has 'error' for "operation execution error(s) in response to the
# subscribe message ... due to validation errors", and 4400 for messages that are not of the
# protocol. Clients put all subscriptions on one connection, so that one typing error cuts those of
# other screens.
#
# Source: the protocol's text, "Error" and "Invalid message"; strawberry's graphql_transport_ws
# handler.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 \
  websockets==17.4 python-multipart==0.0.34
subscription_app <<'END'
    @strawberry.subscription
    async def tick(self) -> AsyncGenerator[int, None]:
        yield 1
        await asyncio.sleep(60)
END
cat >"$folder/app.py" <<'END'
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from strawberry.asgi import GraphQL
from schema import schema

app = Starlette(routes=[WebSocketRoute("/graphql", GraphQL(schema))])
END
serve_app
subscribe() {
  python - "$port" "$1" <<'END'
import json, sys
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

with connect(f"ws://127.0.0.1:{sys.argv[1]}/graphql", subprotocols=["graphql-transport-ws"]) as socket:
    def send(**message):
        socket.send(json.dumps(message))

    send(type="connection_init")
    assert json.loads(socket.recv())["type"] == "connection_ack"
    send(type="subscribe", id="running", payload={"query": "subscription { tick }"})
    assert json.loads(socket.recv())["type"] == "next"
    send(type="subscribe", id="wrong", payload={"query": sys.argv[2]})
    try:
        message = json.loads(socket.recv(timeout=10))
        print(f"{message['type']} {message['id']}")
    except ConnectionClosed as end:
        print(f"close {end.rcvd.code} while another subscription was running")
END
}
expect "invalid" "$(subscribe 'subscription { tock }')" "error wrong"
expect "syntax" "$(subscribe 'subscription { tick')" "close 4400 while another subscription was running"
