#!/usr/bin/env bash
# Version: pygqlc 3.10.0 with websocket-client 1.9.2; gql 4.4.0 with websockets 17.4 is the other
# client. The server is Strawberry 0.341.2 on graphql-core 3.3.2, with Starlette 1.10.0 and uvicorn
# 0.54.0.
#
# Behaviour: a subscription of graphql-transport-ws says who is at the helm: Leia, nobody, Han.
# 'helm: Hero' can be null, and the second event is '{"data": {"helm": null}}'. pygqlc takes an
# event whose first field is null for a sign of the server that the subscription has begun, and does
# not call the callback, with 'flatten' as without. It is the same for a number. gql delivers all
# three.
#
# Seen: "pygqlc: helm Leia Han, score 1 3, not flattened 1 3; gql: helm Leia null Han, score 1 null
# 3".
#
# Why it surprises: null is how a server says that an object is gone, and it is the event that must
# not be missed: the screen shows Leia until Han comes, and after the last one for ever. The
# protocol has no such sign, the error callback is not called either, and nothing is logged. A
# subscription has a single root field, so that whoever watches one object that may be deleted meets
# it.
#
# Source: graphql-transport-ws' text, "Subscribe" and "Next" (an execution result); GraphQL
# specification, 7.1.1 (null is a value); pygqlc/GraphQLClient.py, is_ws_connection_init_msg and
# _subscription_loop.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages pygqlc==3.10.0 websocket-client==1.9.2 "gql[websockets]==4.4.0" websockets==17.4 \
  strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 python-multipart==0.0.34
cat >"$folder/app.py" <<'END'
import asyncio
from collections.abc import AsyncGenerator

import strawberry
from strawberry.asgi import GraphQL

@strawberry.type
class Hero:
    name: str

@strawberry.type
class Query:
    a: int = 1

@strawberry.type
class Subscription:
    @strawberry.subscription
    async def helm(self) -> AsyncGenerator[Hero | None, None]:
        for name in ("Leia", None, "Han"):
            yield name and Hero(name=name)
            await asyncio.sleep(0.2)

    @strawberry.subscription
    async def score(self) -> AsyncGenerator[int | None, None]:
        for score in (1, None, 3):
            yield score
            await asyncio.sleep(0.2)

app = GraphQL(strawberry.Schema(Query, subscription=Subscription))
END
serve_app
cat >"$folder/client.py" <<'END'
import asyncio
import sys
import time

import gql
from gql.transport.websockets import WebsocketsTransport
from pygqlc import GraphQLClient

URL = f"ws://127.0.0.1:{sys.argv[1]}/"
HELM, SCORE = "subscription { helm { name } }", "subscription { score }"

def names(events):
    return " ".join("null" if event is None else str(event) for event in events)

client = GraphQLClient()
client.addEnvironment("here", url=URL.replace("ws", "http"), wss=URL, headers={}, default=True)

def delivered(document, flatten=True):
    events = []
    client.subscribe(document, callback=events.append, flatten=flatten)
    time.sleep(2.5)
    return events

seen = [
    f"helm {names(delivered(HELM))}", f"score {names(delivered(SCORE))}",
    f"not flattened {names(event['data']['score'] for event in delivered(SCORE, False))}",
]
client.close()

async def other(document):
    async with gql.Client(transport=WebsocketsTransport(URL, subprotocols=["graphql-transport-ws"])) as session:
        return [next(iter(event.values())) async for event in session.subscribe(gql.gql(document))]

helm = [hero and hero["name"] for hero in asyncio.run(other(HELM))]
print(f"seen: pygqlc: {', '.join(seen)}; gql: helm {names(helm)}, score {names(asyncio.run(other(SCORE)))}")
END
seen=$(python "$folder/client.py" "$port" 2>&1 | sed -n 's/^seen: //p')
expect "Delivered" "$seen" \
  "pygqlc: helm Leia Han, score 1 3, not flattened 1 3; gql: helm Leia null Han, score 1 null 3"
