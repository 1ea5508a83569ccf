#!/usr/bin/env bash
# Version: aiogqlc 5.4.0 with aiohttp 3.14.5; gql 4.4.0 with websockets 17.4 is the other client.
# The server is Strawberry 0.341.2 on graphql-core 3.3.2, with Starlette 1.10.0 and uvicorn 0.54.0.
#
# Behaviour: by the older protocol, graphql-ws, a client has a subscription that ends by itself, and
# one of which it takes the first event, leaves the loop and closes the generator. aiogqlc sends
# 'stop' for the one that the server has completed, and nothing for the one that it has left: the
# server goes on with it, and the client keeps the events in a queue that nothing reads, until the
# connection ends. gql sends nothing for the first and 'stop' for the second.
#
# Seen: "aiogqlc: ended start stop, 0 running; left start, 1 running; gql: ended start, 0 running;
# left start stop, 0 running".
#
# Why it surprises: the message is for exactly the other case. To leave the loop and to close the
# generator is Python's way to end an asynchronous iteration. The loss shows only at the server, as
# work that grows with each subscription that was ever left.
#
# Source: subscriptions-transport-ws, PROTOCOL.md (GQL_STOP ends a running operation, GQL_COMPLETE
# says that it is done); Python's PEP 525 (aclose raises GeneratorExit at the yield);
# aiogqlc/client.py, GraphQLWSManager.subscribe ('except StopAsyncIteration').
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages aiogqlc==5.4.0 aiohttp==3.14.5 gql==4.4.0 websockets==17.4 strawberry-graphql==0.341.2 \
  graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0
cat >"$folder/app.py" <<'END'
import asyncio, json, typing
import strawberry
from strawberry.asgi import GraphQL
from strawberry.subscriptions import GRAPHQL_WS_PROTOCOL

received = []
running = 0

@strawberry.type
class Query:
    @strawberry.field
    def seen(self) -> str:
        messages = " ".join(type for type in received if type in ("start", "stop"))
        received.clear()
        return f"{messages}, {running} running"

@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count(self, events: int) -> typing.AsyncGenerator[int, None]:
        global running
        running += 1
        try:
            for event in range(events):
                yield event
                await asyncio.sleep(0.05)
        finally:
            running -= 1

graphql = GraphQL(strawberry.Schema(Query, subscription=Subscription), subscription_protocols=[GRAPHQL_WS_PROTOCOL])

async def app(scope, receive, send):
    async def noting():
        message = await receive()
        if message["type"] == "websocket.receive":
            received.append(json.loads(message["text"])["type"])
        return message

    await graphql(scope, noting, send)
END
serve_app
cat >"$folder/client.py" <<'END'
import asyncio, contextlib, sys
import aiogqlc, aiohttp
from gql import Client, gql
from gql.transport.websockets import WebsocketsTransport

client, address = sys.argv[1], f"127.0.0.1:{sys.argv[2]}/"

@contextlib.asynccontextmanager
async def connected(session):
    if client == "aiogqlc":
        async with aiogqlc.GraphQLClient(f"http://{address}", session).connect() as connection:
            yield connection.subscribe
    else:
        transport = WebsocketsTransport(f"ws://{address}", subprotocols=["graphql-ws"])
        async with Client(transport=transport) as connection:
            yield lambda document: connection.subscribe(gql(document))

async def main():
    async with aiohttp.ClientSession() as session:
        async def seen():
            await asyncio.sleep(1)
            async with session.post(f"http://{address}", json={"query": "{ seen }"}) as response:
                return (await response.json())["data"]["seen"]

        async with connected(session) as subscribe:
            async for _ in subscribe("subscription { count(events: 2) }"):
                pass
            ended = await seen()
            events = subscribe("subscription { count(events: 1000) }")
            async for _ in events:
                break
            await events.aclose()
            print(f"ended {ended}; left {await seen()}")

asyncio.run(main())
END
expect "aiogqlc" "$(timeout 60 python "$folder/client.py" aiogqlc "$port")" \
  "ended start stop, 0 running; left start, 1 running"
expect "gql" "$(timeout 60 python "$folder/client.py" gql "$port")" \
  "ended start, 0 running; left start stop, 0 running"
