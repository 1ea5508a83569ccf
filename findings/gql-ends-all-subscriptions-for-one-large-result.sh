#!/usr/bin/env bash
# Version: gql 4.4.0 (the Python client) with websockets 17.4, and with aiohttp 3.14.5; Strawberry
# 0.341.2 on graphql-core 3.3.2, Starlette 1.10.0 and uvicorn 0.54.0 is the server.
#
# Behaviour: two subscriptions run on one connection, and one of them has a result of 1.1 MB. The
# library below gql's WebsocketsTransport takes messages of up to 1 MiB, and closes the connection
# with 1009 (message too big). Both subscriptions end with an error that names neither the size nor
# the subscription. With AIOHTTPWebsocketsTransport this result arrives, and one of 5 MB has the
# same effect, with another error. By HTTP the client takes 5 MB.
#
# Seen: "websockets, 0.9 MB: complete, closed with 1000; websockets, 1.1 MB: Error trying to receive
# data: ConnectionClosedError, closed with 1009; without its limit, 1.1 MB: complete, closed with
# 1000; aiohttp, 1.1 MB: complete, closed with 1000; aiohttp, 5 MB: Connection was closed, closed
# with 1009; HTTP: 5.0 MB".
#
# Why it surprises: nothing in the protocol limits a result, the server has sent it, and two
# transports of one client are expected to take the same. A subscription of small numbers ends
# because another part of the program has asked for a long list, and on a connection that is made
# anew the same result ends it again. The limit belongs to the library below, and can be lifted by
# its option only, 'connect_args={"max_size": None}'.
#
# Source: RFC 6455, 7.4.1 (1009); gql's transport/common/adapters/websockets.py and aiohttp.py;
# websockets' documentation, max_size; aiohttp's documentation, ClientSession.ws_connect,
# max_msg_size.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 \
  python-multipart==0.0.34 websockets==17.4 gql==4.4.0 aiohttp==3.14.5 tenacity==9.2.1
cat >"$folder/app.py" <<'END'
import asyncio
from collections.abc import AsyncGenerator

import strawberry
from strawberry.asgi import GraphQL

sent, codes = {}, {}

@strawberry.type
class Query:
    @strawberry.field
    def text(self, size: int) -> str:
        return "a" * size

    @strawberry.field
    async def code(self, run: str) -> int:
        return await asyncio.wait_for(codes.setdefault(run, asyncio.Future()), 20)

@strawberry.type
class Subscription:
    @strawberry.subscription
    async def large(self, run: str, size: int) -> AsyncGenerator[str, None]:
        yield "begun"
        yield "a" * size
        sent.setdefault(run, asyncio.Event()).set()

    @strawberry.subscription
    async def small(self, run: str) -> AsyncGenerator[str, None]:
        yield "begun"
        await sent.setdefault(run, asyncio.Event()).wait()
        yield "ended"

graphql = GraphQL(strawberry.Schema(Query, subscription=Subscription))

async def app(scope, receive, send):
    async def watched():
        message = await receive()
        if message["type"] == "websocket.disconnect":
            future = codes.setdefault(scope["query_string"].decode(), asyncio.Future())
            if not future.done():
                future.set_result(message["code"])
        return message
    await graphql(scope, watched, send)
END
serve_app
seen=$(python 2>/dev/null - "$port" <<'END'
import asyncio, sys
from gql import Client, gql
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.aiohttp_websockets import AIOHTTPWebsocketsTransport
from gql.transport.exceptions import TransportConnectionFailed
from gql.transport.websockets import WebsocketsTransport

place = f"127.0.0.1:{sys.argv[1]}/"

async def over_http(document):
    async with Client(transport=AIOHTTPTransport(f"http://{place}")) as session:
        return await session.execute(gql(document))

async def follow(session, document):
    results = 0
    try:
        async for _ in session.subscribe(gql(document)):
            results += 1
    except TransportConnectionFailed as error:
        assert results < 2
        return str(error)
    assert results == 2, results
    return "complete"

async def run(library, transport, megabytes, **options):
    name = f"{library[:9]}{megabytes}{len(options)}".replace(" ", "")
    async with Client(transport=transport(
            f"ws://{place}?{name}", subprotocols=["graphql-transport-ws"], **options)) as session:
        small = asyncio.create_task(follow(session, f'subscription {{ small(run: "{name}") }}'))
        large = await follow(
            session, f'subscription {{ large(run: "{name}", size: {int(megabytes * 1e6)}) }}')
        ends = {large, await small}
    code = (await over_http(f'{{ code(run: "{name}") }}'))["code"]
    end, = ends
    return f"{library}, {megabytes} MB: {end}, closed with {code}"

async def main():
    seen = [
        await run("websockets", WebsocketsTransport, 0.9),
        await run("websockets", WebsocketsTransport, 1.1),
        await run("without its limit", WebsocketsTransport, 1.1, connect_args={"max_size": None}),
        await run("aiohttp", AIOHTTPWebsocketsTransport, 1.1),
        await run("aiohttp", AIOHTTPWebsocketsTransport, 5)]
    length = len((await over_http("{ text(size: 5000000) }"))["text"])
    print("; ".join(seen), f"HTTP: {length / 1e6} MB", sep="; ")

asyncio.run(main())
END
)
expect "Both subscriptions" "$seen" \
  "websockets, 0.9 MB: complete, closed with 1000; websockets, 1.1 MB: Error trying to receive data: ConnectionClosedError, closed with 1009; without its limit, 1.1 MB: complete, closed with 1000; aiohttp, 1.1 MB: complete, closed with 1000; aiohttp, 5 MB: Connection was closed, closed with 1009; HTTP: 5.0 MB"
