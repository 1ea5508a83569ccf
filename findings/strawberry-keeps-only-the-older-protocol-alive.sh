#!/usr/bin/env bash
# Version: Strawberry 0.341.2 with keep_alive=True and keep_alive_interval=0.5, on graphql-core
# 3.3.2, Hypercorn 0.18.0 and uvicorn 0.54.0 (websockets 17.4); nginx 1.22.1 (Debian 12).
#
# Behaviour: a subscription has an event at once, and the next one after four seconds. With the
# older protocol (graphql-ws) the client receives 'ka' every half second. With graphql-transport-ws
# it receives nothing in between: the server answers a 'ping', and sends none. Behind an nginx that
# ends silent connections after two seconds ('proxy_read_timeout'), the older protocol gets the
# second event, and the connection of the newer one ends without a close frame.
#
# Seen: "graphql-ws, Hypercorn: event, some ka, event; behind nginx: event, some ka, event;
# graphql-transport-ws, Hypercorn: event, event; behind nginx: event, closed with 1006; uvicorn with
# pings of its own behind nginx: event, event".
#
# Why it surprises: the option is on, the views for aiohttp and Quart have it on by default, and
# both protocols are served by one view. Whoever moves to the newer one loses the signs of life, and
# notices where a proxy is in front (nginx waits for 60 seconds by default). uvicorn hides it by
# ping frames of its own, every 20 seconds by default and every half second here; Hypercorn sends
# none unless it is told to. A client's code often cannot see such frames, and must send 'ping' by
# itself to know that the server is there.
#
# Source: issues 1625 and 2992 of Strawberry's repository; strawberry/http/async_base_view.py
# (keep_alive goes to one handler); Hypercorn's documentation, websocket_ping_interval; uvicorn's
# documentation, --ws-ping-interval; nginx's documentation, "WebSocket proxying".
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program nginx nginx=1.22.1
python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 hypercorn==0.18.0 \
  uvicorn==0.54.0 websockets==17.4
cat >"$folder/app.py" <<'END'
import asyncio
from collections.abc import AsyncGenerator

import strawberry
from strawberry.asgi import GraphQL

@strawberry.type
class Query:
    works: bool = True

@strawberry.type
class Subscription:
    @strawberry.subscription
    async def wait(self) -> AsyncGenerator[int, None]:
        yield 1
        await asyncio.sleep(4)
        yield 2

schema = strawberry.Schema(Query, subscription=Subscription)
app = GraphQL(schema, keep_alive=True, keep_alive_interval=0.5)
END
serve_app_with hypercorn
hypercorn=$port
port=$(free_port)
python -m uvicorn --app-dir "$folder" --port "$port" --log-level critical --ws-ping-interval 0.5 \
  app:app 2>"$folder/uvicorn.log" &
await_port "$port"
uvicorn=$port
#   proxy <port of the server>
proxy() {
  proxy=$(free_port)
  serve_nginx "$proxy" <<END
server {
  listen 127.0.0.1:$proxy;
  location / {
    proxy_pass http://127.0.0.1:$1;
    proxy_http_version 1.1;
    proxy_set_header Upgrade \$http_upgrade;
    proxy_set_header Connection upgrade;
    proxy_read_timeout 2s;
  }
}
END
}
proxy "$uvicorn"
uvicorn_proxy=$proxy
proxy "$hypercorn"
#   messages <protocol> <type of the request> <port>
messages() {
  python - "$@" <<'END'
import asyncio, json, sys
import websockets

protocol, subscribe, port = sys.argv[1:]

async def main():
    seen = []
    async with websockets.connect(
            f"ws://127.0.0.1:{port}/", subprotocols=[protocol], ping_interval=None) as connection:
        async def send(**message):
            await connection.send(json.dumps(message))

        await send(type="connection_init")
        await send(type=subscribe, id="1", payload={"query": "subscription { wait }"})
        try:
            while seen.count("event") < 2:
                type = json.loads(await asyncio.wait_for(connection.recv(), 20))["type"]
                name = {"next": "event", "data": "event", "ka": "some ka"}.get(type)
                if name == "event" or name and seen and seen[-1] == "event":
                    seen.append(name)
        except websockets.ConnectionClosed:
            seen.append(f"closed with {connection.close_code}")
    print(", ".join(seen))

asyncio.run(main())
END
}
older() { messages graphql-ws start "$1"; }
newer() { messages graphql-transport-ws subscribe "$1"; }
expect "graphql-ws, Hypercorn" "$(older "$hypercorn")" "event, some ka, event"
expect "graphql-ws, behind nginx" "$(older "$proxy")" "event, some ka, event"
expect "graphql-transport-ws, Hypercorn" "$(newer "$hypercorn")" "event, event"
expect "graphql-transport-ws, behind nginx" "$(newer "$proxy")" "event, closed with 1006"
expect "graphql-transport-ws, uvicorn with pings of its own behind nginx" "$(newer "$uvicorn_proxy")" "event, event"
