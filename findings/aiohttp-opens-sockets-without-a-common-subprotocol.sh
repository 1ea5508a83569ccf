#!/usr/bin/env bash
# Version: aiohttp 3.14.5 (its server and its client); websockets 17.4 is the other one. Ariadne
# 1.1.1, on Starlette 1.10.0 and uvicorn 0.54.0, is a server that selects what was not offered.
#
# Behaviour: a server takes 'graphql-ws' and a client offers 'graphql-transport-ws' only. aiohttp's
# server accepts the handshake without a subprotocol and writes a warning; its client is content and
# has 'protocol' None. websockets' server refuses with 400. Ariadne selects 'graphql-ws' all the
# same: aiohttp's client goes on with None once more, and websockets' client fails.
#
# Seen: "no common one: aiohttp open, None; websockets refused, 400; not offered: aiohttp open,
# None; websockets NegotiationError".
#
# Why it surprises: both sides were given a list, and neither enforces it. A program that does not
# look at 'protocol' sends 'connection_init' into a socket on which nothing is agreed, and the first
# sign is a message of an unknown type. RFC 6455 has the client fail the second connection.
#
# Source: RFC 6455, 4.1 (item 6) and 4.2.2; aiohttp/web_ws.py, _handshake, and aiohttp/client.py,
# _ws_connect.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages aiohttp==3.14.5 websockets==17.4 ariadne==1.1.1 graphql-core==3.2.14 \
  starlette==1.10.0 uvicorn==0.54.0 python-multipart==0.0.34
cat >"$folder/app.py" <<'END'
from ariadne import make_executable_schema
from ariadne.asgi import GraphQL

app = GraphQL(make_executable_schema("type Query { a: Int } type Subscription { b: Int }"))
END
serve_app
seen=$(python - "$port" 2>/dev/null <<'END'
import asyncio, sys
import aiohttp, websockets
from aiohttp import web

async def with_aiohttp(port):
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(f"http://127.0.0.1:{port}/", protocols=("graphql-transport-ws",)) as socket:
            return f"open, {socket.protocol}"

async def with_websockets(port):
    try:
        async with websockets.connect(f"ws://127.0.0.1:{port}/", subprotocols=["graphql-transport-ws"]) as socket:
            return f"open, {socket.subprotocol}"
    except websockets.InvalidStatus as error:
        return f"refused, {error.response.status_code}"
    except websockets.InvalidHandshake as error:
        return type(error).__name__

async def serve_aiohttp(request):
    socket = web.WebSocketResponse(protocols=("graphql-ws",))
    await socket.prepare(request)
    await socket.receive()
    return socket

async def wait(socket):
    await socket.wait_closed()

async def main():
    app = web.Application()
    app.router.add_get("/", serve_aiohttp)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print("no common one: aiohttp", await with_aiohttp(runner.addresses[0][1]), end="; ")
    await runner.cleanup()
    async with websockets.serve(wait, "127.0.0.1", 0, subprotocols=["graphql-ws"]) as server:
        print("websockets", await with_websockets(server.sockets[0].getsockname()[1]), end="; ")
    print("not offered: aiohttp", await with_aiohttp(sys.argv[1]), end="; ")
    print("websockets", await with_websockets(sys.argv[1]))

asyncio.run(main())
END
)
expect "Subprotocols" "$seen" \
  "no common one: aiohttp open, None; websockets refused, 400; not offered: aiohttp open, None; websockets NegotiationError"
