#!/usr/bin/env bash
# Version: gql 4.4.0 (the Python client) with aiohttp 3.14.5 and websockets 17.4; the server is
# Strawberry 0.341.2 on graphql-core 3.3.2, with Starlette 1.10.0 and uvicorn 0.54.0.
#
# Behaviour: a multipart subscription has an event every 0.2 seconds, for four seconds. With the
# transport's option 'timeout=2' it ends after two seconds with a TransportConnectionFailed whose
# text is empty, in the midst of its events. Without the option the limit is that of aiohttp, 300
# seconds: each subscription ends five minutes after it began, however much arrives. By WebSocket,
# with 'timeout' or without, the same subscription has all of its events. With 'client_session_args'
# that set no total, and a limit for silence in its place, so it has by multipart.
#
# Seen: "default: 300 s; timeout 2: some events, then TransportConnectionFailed ''; sock_read 2: 20
# events; WebSocket: 20 events".
#
# Why it surprises: 'timeout' is said to be that of a request, and is None by default, which reads
# as none. It is the time for the whole response, and the response of a subscription is the
# subscription. Of the transports of one client, one has this limit. A test is shorter than five
# minutes. The error has no message and is that of a lost connection, so that one looks for a fault
# of the network or of a proxy, whose limits are often five minutes, too.
#
# Source: aiohttp's documentation, ClientTimeout (total: the whole operation, with the reading of
# the body; 300 by default); gql/transport/aiohttp.py, connect (no timeout is passed on for None)
# and subscribe; Apollo's "multipart subscriptions" protocol.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages "gql[aiohttp,websockets]==4.4.0" aiohttp==3.14.5 websockets==17.4 strawberry-graphql==0.341.2 \
  graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 python-multipart==0.0.34
subscription_app <<'END'
    @strawberry.subscription
    async def ticks(self) -> AsyncGenerator[int, None]:
        for tick in range(20):
            yield tick
            await asyncio.sleep(0.2)
END
cat >"$folder/app.py" <<'END'
from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from strawberry.asgi import GraphQL
from strawberry.subscriptions import GRAPHQL_TRANSPORT_WS_PROTOCOL, MULTIPART_SUBSCRIPTION_PROTOCOL
from schema import schema

protocols = [GRAPHQL_TRANSPORT_WS_PROTOCOL, MULTIPART_SUBSCRIPTION_PROTOCOL]
view = GraphQL(schema, subscription_protocols=protocols)
app = Starlette(routes=[Route("/graphql", view, methods=["POST"]), WebSocketRoute("/graphql", view)])
END
serve_app
cat >"$folder/client.py" <<'END'
import asyncio
import sys

import aiohttp
import gql
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.websockets import WebsocketsTransport

URL = f"http://127.0.0.1:{sys.argv[1]}/graphql"

async def default():
    transport = AIOHTTPTransport(URL)
    await transport.connect()
    total = transport.session.timeout.total
    await transport.close()
    return total

async def events(transport):
    ticks = 0
    try:
        async with gql.Client(transport=transport, execute_timeout=None) as session:
            async for _ in session.subscribe(gql.gql("subscription { ticks }")):
                ticks += 1
    except Exception as error:
        return f"{'some' if 0 < ticks < 20 else ticks} events, then {type(error).__name__} '{error}'"
    return f"{ticks} events"

async def main():
    silence = {"timeout": aiohttp.ClientTimeout(total=None, sock_read=2)}
    print("; ".join([
        f"default: {await default()} s",
        f"timeout 2: {await events(AIOHTTPTransport(URL, timeout=2))}",
        f"sock_read 2: {await events(AIOHTTPTransport(URL, client_session_args=silence))}",
        f"WebSocket: {await events(WebsocketsTransport(URL.replace('http', 'ws')))}",
    ]))

asyncio.run(main())
END
seen=$(python "$folder/client.py" "$port")
expect "One subscription" "$seen" \
  "default: 300 s; timeout 2: some events, then TransportConnectionFailed ''; sock_read 2: 20 events; WebSocket: 20 events"
