#!/usr/bin/env bash
# Version: mitmproxy 11.0.2 with wsproto 1.2.0, as a reverse proxy; the server is Strawberry 0.341.2
# on graphql-core 3.3.2 with uvicorn 0.54.0, and the client websockets 17.4.
#
# Behaviour: the process of a server is killed in the midst of a subscription. Its connection ends
# without a closing frame, which a client takes for a failure (1006). Through the proxy the client
# receives a closing frame instead, with the code 1000 and no reason: a normal closure, as at the
# end of everything that was to be done.
#
# Seen: "directly: next, no closing frame; by mitmproxy: next, 1000 ''".
#
# Why it surprises: the proxy notes the code 1006 for itself, and gives it to the library that makes
# the frame. That code must not be in a frame, so that the library puts 1000 in its place, and not
# one of those for failures that may be sent, such as 1011 or 1014. A client that takes 1000 for the
# end of its subscriptions does not connect again, and reports no error. Who examines just this with
# the proxy between finds a server that ends subscriptions politely.
#
# Source: RFC 6455, 7.4.1 (1000, and 1006, which is not to be sent);
# mitmproxy/proxy/layers/websocket.py, relay_messages; wsproto/frame_protocol.py,
# FrameProtocol.close (LOCAL_ONLY_CLOSE_REASONS).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages mitmproxy==11.0.2 wsproto==1.2.0
mv "$folder/venv" "$folder/mitmproxy"
python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 \
  websockets==17.4
cat >"$folder/app.py" <<'END'
import asyncio
from collections.abc import AsyncGenerator

import strawberry
from strawberry.asgi import GraphQL

@strawberry.type
class Query:
    ready: bool = True

@strawberry.type
class Subscription:
    @strawberry.subscription
    async def round(self) -> AsyncGenerator[int, None]:
        yield 1
        await asyncio.sleep(60)

app = GraphQL(strawberry.Schema(Query, subscription=Subscription))
END
cat >"$folder/client.py" <<'END'
import asyncio
import json
import os
import signal
import sys

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

async def main(port, server):
    async with connect(f"ws://127.0.0.1:{port}/", subprotocols=["graphql-transport-ws"]) as socket:
        await socket.send(json.dumps({"type": "connection_init"}))
        await socket.recv()
        message = {"id": "1", "type": "subscribe", "payload": {"query": "subscription { round }"}}
        await socket.send(json.dumps(message))
        seen = [json.loads(await socket.recv())["type"]]
        os.kill(server, signal.SIGKILL)
        try:
            while True:
                seen.append(json.loads(await socket.recv())["type"])
        except ConnectionClosed as closed:
            frame = closed.rcvd
            seen.append(f"{frame.code} '{frame.reason}'" if frame else "no closing frame")
    print(", ".join(seen))

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
END
# Prints what the client sees when the server is killed after the first event.
serve_app_with uvicorn
disown "$server" # The shell has nothing to say about its end.
expect "directly" "$(python "$folder/client.py" "$port" "$server")" "next, no closing frame"

serve_app_with uvicorn
disown "$server"
proxy=$(free_port)
"$folder/mitmproxy/bin/python" -c 'from mitmproxy.tools.main import mitmdump; mitmdump()' --quiet \
  --set confdir="$folder" --mode "reverse:http://127.0.0.1:$port" --listen-port "$proxy" \
  >"$folder/proxy.log" 2>&1 &
await_port "$proxy"
expect "by mitmproxy" "$(python "$folder/client.py" "$proxy" "$server")" "next, 1000 ''"
