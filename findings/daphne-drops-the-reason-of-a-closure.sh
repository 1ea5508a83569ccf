#!/usr/bin/env bash
# Version: Daphne 4.2.3; uvicorn 0.54.0 (with websockets 17.4) is the other one. The application is
# Strawberry 0.341.2 (graphql-core 3.3.2).
#
# Behaviour: by graphql-transport-ws, a client uses the id of a running subscription once more. The
# application closes the connection with 4409 and a reason that names the id. Under uvicorn the
# client receives both. Under Daphne it receives the code and an empty reason.
#
# Seen: "uvicorn: 4409 'Subscriber for 1 already exists'; daphne: 4409 ''".
#
# Why it surprises: the application passes the reason to ASGI, which has a place for it, and tests
# that run the application directly see it. In this protocol the reason is the only text that says
# what was wrong: 4400 has any message there, and there is no other message before the end.
#
# Source: ASGI specification, "Close - send event" (reason); the protocol's text, "Invalid message"
# and "Subscribe"; daphne/ws_protocol.py, serverClose.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages uvicorn==0.54.0 websockets==17.4 daphne==4.2.3 strawberry-graphql==0.341.2 \
  graphql-core==3.3.2 starlette==1.10.0 python-multipart==0.0.34
subscription_app <<'END'
    @strawberry.subscription
    async def tick(self) -> AsyncGenerator[int, None]:
        yield 1
        await asyncio.sleep(60)
END
closed_by() {
  serve_app_with "$1"
  python - "$port" <<'END'
import json, sys
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

with connect(f"ws://127.0.0.1:{sys.argv[1]}/", subprotocols=["graphql-transport-ws"]) as socket:
    socket.send(json.dumps({"type": "connection_init"}))
    assert json.loads(socket.recv())["type"] == "connection_ack"
    try:
        for _ in range(2):
            socket.send(json.dumps({
                "type": "subscribe", "id": "1", "payload": {"query": "subscription { tick }"}}))
        while True:
            socket.recv(timeout=10)
    except ConnectionClosed as end:
        print(end.rcvd.code, repr(end.rcvd.reason))
END
  kill "$server"
}
expect "uvicorn" "$(closed_by uvicorn)" "4409 'Subscriber for 1 already exists'"
expect "daphne" "$(closed_by daphne)" "4409 ''"
