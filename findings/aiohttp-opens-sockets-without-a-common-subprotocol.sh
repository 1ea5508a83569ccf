#!/usr/bin/env bash
# Version: aiohttp 3.14.5 (its server and its client); websockets 17.4 is the other one.
#
# Behaviour: a server takes 'graphql-transport-ws' and a client offers 'graphql-ws' only. aiohttp's
# server accepts the handshake without a subprotocol and writes a warning; its client is content and
# has 'protocol' None. websockets' server refuses with 400. Where a server selects a subprotocol
# that was not offered, aiohttp's client goes on with None as well, and websockets' client fails.
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

python_packages aiohttp==3.14.5 websockets==17.4
seen=$(python 2>/dev/null <<'END'
import asyncio, base64, hashlib, re
import aiohttp, websockets
from aiohttp import web

async def with_aiohttp(port):
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(f"http://127.0.0.1:{port}/", protocols=("graphql-ws",)) as socket:
            return f"open, {socket.protocol}"

async def with_websockets(port):
    try:
        async with websockets.connect(f"ws://127.0.0.1:{port}/", subprotocols=["graphql-ws"]) as socket:
            return f"open, {socket.subprotocol}"
    except websockets.InvalidStatus as error:
        return f"refused, {error.response.status_code}"
    except websockets.InvalidHandshake as error:
        return type(error).__name__

async def serve_aiohttp(request):
    socket = web.WebSocketResponse(protocols=("graphql-transport-ws",))
    await socket.prepare(request)
    await socket.receive()
    return socket

async def wait(socket):
    await socket.wait_closed()

# Selects what the client has not offered.
async def select_another(reader, writer):
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    key = re.search(r"(?i)sec-websocket-key: *(\S+)", head)[1]
    accept = base64.b64encode(hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest())
    writer.write(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: %s\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n" % accept)
    await reader.read(1) # The client's frame for closing, or the end.
    writer.write(b"\x88\x02\x03\xe8")
    writer.close()

async def main():
    app = web.Application()
    app.router.add_get("/", serve_aiohttp)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print("no common one: aiohttp", await with_aiohttp(runner.addresses[0][1]), end="; ")
    await runner.cleanup()
    async with websockets.serve(wait, "127.0.0.1", 0, subprotocols=["graphql-transport-ws"]) as server:
        print("websockets", await with_websockets(server.sockets[0].getsockname()[1]), end="; ")
    async with await asyncio.start_server(select_another, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        print("not offered: aiohttp", await with_aiohttp(port), end="; ")
        print("websockets", await with_websockets(port))

asyncio.run(main())
END
)
expect "Subprotocols" "$seen" \
  "no common one: aiohttp open, None; websockets refused, 400; not offered: aiohttp open, None; websockets NegotiationError"
