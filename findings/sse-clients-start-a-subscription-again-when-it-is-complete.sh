#!/usr/bin/env bash
# Version: aiohttp-sse-client 0.2.1, aiohttp-sse-client2 0.3.0 (both with aiohttp 3.14.5),
# requests-sse 0.5.3 (requests 2.34.2), and httpx-sse 0.4.3 (httpx 0.28.1); the server is Strawberry
# 0.341.2 on graphql-core 3.3.2 with Starlette 1.10.0 and uvicorn 0.54.0.
#
# Behaviour: a subscription of two results is asked for by POST, as GraphQL over SSE has it. The
# server sends both, the event 'complete', and the end of the response. Three of the clients take
# the end for a lost connection: they wait for the reconnection time, send the same POST with the
# same body, and go on in the same loop, so that the program receives both results again and again.
# httpx-sse ends.
#
# Seen: "aiohttp-sse-client: 1 2 complete 1 2 complete 1, started 3 times; aiohttp-sse-client2: the
# same; requests-sse: the same; httpx-sse: 1 2 complete, started 1 time".
#
# Why it surprises: the loop has neither an error nor an end, although the response had a clean one.
# That a page's EventSource connects again is a rule of HTML for GET, and these clients offer POST,
# and a body, besides. An endless subscription works, so that only one that ends, or a query or a
# mutation, which the protocol allows as well, is carried out once more every few seconds, until the
# program looks for the name of the event.
#
# Source: GraphQL over SSE, "Distinct connections mode" (complete, then the end of the response);
# HTML standard, 9.2.3 (an end of the body re-establishes the connection); aiohttp_sse_client and
# aiohttp_sse_client2, client.py, __anext__; requests_sse/client.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages aiohttp-sse-client==0.2.1 aiohttp-sse-client2==0.3.0 aiohttp==3.14.5 requests-sse==0.5.3 \
  requests==2.34.2 httpx-sse==0.4.3 httpx==0.28.1 strawberry-graphql==0.341.2 graphql-core==3.3.2 \
  starlette==1.10.0 uvicorn==0.54.0
cat >"$folder/app.py" <<'END'
import typing
import strawberry
from strawberry.asgi import GraphQL
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL

started = 0

@strawberry.type
class Query:
    @strawberry.field
    def started(self) -> int:
        return started

@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count(self) -> typing.AsyncGenerator[int, None]:
        global started
        started += 1
        yield 1
        yield 2

schema = strawberry.Schema(Query, subscription=Subscription)
app = GraphQL(schema, subscription_protocols=[GRAPHQL_SSE_PROTOCOL])
END
serve_app
cat >"$folder/events.py" <<'END'
import asyncio, datetime, importlib, json, sys
import httpx, httpx_sse, requests_sse

url = f"http://127.0.0.1:{sys.argv[1]}/"
request = {"json": {"query": "subscription { count }"}, "headers": {"Accept": "text/event-stream"}}
soon = {"reconnection_time": datetime.timedelta(seconds=0.1)}
received = []

def receive(type, data):
    received.append(str(json.loads(data)["data"]["count"]) if type == "next" else type)
    return len(received) == 7

async def aiohttp_client(module):
    async with module.EventSource(url, option={"method": "POST"}, **soon, **request) as events:
        async for event in events:
            if receive(event.type, event.data):
                break

def requests_client():
    with requests_sse.EventSource(url, method="POST", **soon, **request) as events:
        for event in events:
            if receive(event.type, event.data):
                break

def httpx_client():
    with httpx.Client() as client, httpx_sse.connect_sse(client, "POST", url, **request) as source:
        for event in source.iter_sse():
            receive(event.event, event.data)

def started():
    return httpx.post(url, json={"query": "{ started }"}).json()["data"]["started"]

before = started()
if sys.argv[2] == "requests-sse":
    requests_client()
elif sys.argv[2] == "httpx-sse":
    httpx_client()
else:
    asyncio.run(aiohttp_client(importlib.import_module(sys.argv[2].replace("-", "_") + ".client")))
times = started() - before
print(" ".join(received) + f", started {times} time" + "s" * (times != 1))
END
for client in aiohttp-sse-client aiohttp-sse-client2 requests-sse; do
  expect "$client" "$(timeout 30 python "$folder/events.py" "$port" "$client")" \
    "1 2 complete 1 2 complete 1, started 3 times"
done
expect "httpx-sse" "$(timeout 30 python "$folder/events.py" "$port" httpx-sse)" "1 2 complete, started 1 time"
