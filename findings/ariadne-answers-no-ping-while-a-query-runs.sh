#!/usr/bin/env bash
# Version: Ariadne 1.1.1 (GraphQLTransportWSHandler) and Strawberry 0.341.2 on graphql-core 3.3.2,
# Starlette 1.10.0 and uvicorn 0.54.0 (websockets 17.4).
#
# Behaviour: a client has a subscription on a connection of graphql-transport-ws, and sends on it a
# query that takes two seconds, a quick query, 'complete' for the subscription, and 'ping'. Ariadne
# reads no message until the slow query has ended: the subscription goes on although it is stopped,
# and the quick query and the 'pong' follow the slow one. Its resolvers are coroutines, and the
# events in between show that the server is free. Strawberry answers all at once, and the slow query
# is the last.
#
# Seen: "Ariadne: events go on, then slow, quick, pong; Strawberry: events stop, then quick, pong,
# slow" (quick and pong in any order).
#
# Why it surprises: each message has an id so that operations can run side by side, and over HTTP
# the same server runs them so. A client that takes a missing 'pong' for a dead connection closes it
# while its mutation runs, and may send it again on the next one. And a query that lasts cannot be
# stopped: its 'complete' is read when it has ended.
#
# Source: GraphQL over WebSocket Protocol, "Ping" and "Pong" (the answer is due at once);
# ariadne/asgi/handlers/graphql_transport_ws.py, handle_websocket (one message after the other) and
# handle_websocket_subscribe (a query is awaited there, a subscription is a task).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne==1.1.1 strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 \
  uvicorn==0.54.0 websockets==17.4
cat >"$folder/app.py" <<'END'
import asyncio
from collections.abc import AsyncGenerator

import ariadne
import ariadne.asgi
import strawberry
from ariadne.asgi.handlers import GraphQLTransportWSHandler
from starlette.applications import Starlette
from starlette.routing import Mount
from strawberry.asgi import GraphQL

async def numbers():
    for number in range(1000):
        yield number
        await asyncio.sleep(0.1)

@strawberry.type
class Query:
    @strawberry.field
    async def slow(self) -> str:
        await asyncio.sleep(2)
        return "slow"

    @strawberry.field
    async def quick(self) -> str:
        return "quick"

@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count(self) -> AsyncGenerator[int, None]:
        async for number in numbers():
            yield number

query = ariadne.QueryType()
subscription = ariadne.SubscriptionType()

@query.field("slow")
async def slow(root, info):
    await asyncio.sleep(2)
    return "slow"

@query.field("quick")
async def quick(root, info):
    return "quick"

@subscription.source("count")
async def count(root, info):
    async for number in numbers():
        yield number

@subscription.field("count")
def resolve_count(number, info):
    return number

schema = ariadne.make_executable_schema(
    "type Query { slow: String! quick: String! } type Subscription { count: Int! }",
    query, subscription)
app = Starlette(routes=[
    Mount("/Ariadne", ariadne.asgi.GraphQL(schema, websocket_handler=GraphQLTransportWSHandler())),
    Mount("/Strawberry", GraphQL(strawberry.Schema(Query, subscription=Subscription)))])
END
serve_app
messages() {
  python - "ws://127.0.0.1:$port/$1/" <<'END'
import asyncio, json, sys
import websockets

async def main():
    async with websockets.connect(sys.argv[1], subprotocols=["graphql-transport-ws"]) as connection:
        async def send(type, **message):
            await connection.send(json.dumps({"type": type, **message}))

        async def receive():
            return json.loads(await asyncio.wait_for(connection.recv(), 20))

        await send("connection_init")
        assert (await receive())["type"] == "connection_ack"
        await send("subscribe", id="count", payload={"query": "subscription { count }"})
        assert (await receive())["type"] == "next"
        await send("subscribe", id="slow", payload={"query": "{ slow }"})
        await send("subscribe", id="quick", payload={"query": "{ quick }"})
        await send("complete", id="count")
        await send("ping")
        answers, events = [], 0
        while len(answers) < 3:
            message = await receive()
            if message["type"] == "pong":
                answers.append("pong")
            elif message["type"] == "next" and message["id"] == "count":
                events += 1
            elif message["type"] == "next":
                answers.append(message["id"])
        # The two that are answered at once may change places.
        if answers[-1] == "slow":
            answers[:2] = sorted(answers[:2], reverse=True)
        print("events go on," if events > 5 else "events stop,", "then", ", ".join(answers))

asyncio.run(main())
END
}
expect Ariadne "$(messages Ariadne)" "events go on, then slow, quick, pong"
expect Strawberry "$(messages Strawberry)" "events stop, then quick, pong, slow"
