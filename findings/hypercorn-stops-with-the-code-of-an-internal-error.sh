#!/usr/bin/env bash
# Version: Hypercorn 0.18.0, uvicorn 0.54.0 (with websockets 17.4), Daphne 4.2.3, Granian 2.8.9. The
# application is Strawberry 0.341.2 (graphql-core 3.3.2).
#
# Behaviour: a subscription runs by graphql-transport-ws, and the server is stopped with SIGTERM, as
# at each deployment. uvicorn closes the connection with 1012 (service restart). Hypercorn waits
# three seconds, cancels the application and closes with 1011 (internal error). Daphne and Granian
# end the connection without a closing frame.
#
# Seen: "uvicorn: 1012; hypercorn: 1011; daphne: 1006; granian: 1006".
#
# Why it surprises: a stop is no error, and RFC 6455 has 1001 for it. To the client graphql-ws 1001,
# 1006 and 1012 are reasons to connect again, and 1011 is fatal: it fails each subscription and does
# not try again. The one server of the four that waits before it closes is the one whose clients do
# not come back.
#
# Source: RFC 6455, 7.4.1, and the registry of its codes (1012); graphql-ws, src/client.ts,
# isFatalInternalCloseCode; Hypercorn's documentation, graceful_timeout.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages uvicorn==0.54.0 websockets==17.4 hypercorn==0.18.0 daphne==4.2.3 granian==2.8.9 \
  strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 python-multipart==0.0.34
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
stopped() {
  serve_app_with "$1"
  python - "$port" "$server" <<'END'
import json, os, signal, sys
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

url = f"ws://127.0.0.1:{sys.argv[1]}/graphql"
with connect(url, subprotocols=["graphql-transport-ws"]) as socket:
    socket.send(json.dumps({"type": "connection_init"}))
    assert json.loads(socket.recv())["type"] == "connection_ack"
    socket.send(json.dumps({
        "type": "subscribe", "id": "1", "payload": {"query": "subscription { tick }"}}))
    assert json.loads(socket.recv())["type"] == "next"
    os.kill(int(sys.argv[2]), signal.SIGTERM)
    try:
        print(socket.recv(timeout=20))
    except ConnectionClosed as end:
        print(end.rcvd.code if end.rcvd else 1006)
END
}
expect "uvicorn" "$(stopped uvicorn)" "1012"
expect "hypercorn" "$(stopped hypercorn)" "1011"
expect "daphne" "$(stopped daphne)" "1006"
expect "granian" "$(stopped granian)" "1006"
