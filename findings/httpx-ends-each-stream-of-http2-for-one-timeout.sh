#!/usr/bin/env bash
# Version: httpx 0.28.1 with httpcore 1.0.9 and h2 4.4.1; the server is Strawberry 0.341.2 on
# graphql-core 3.3.2, with Starlette 1.10.0 and Hypercorn 0.18.0.
#
# Behaviour: over HTTP/2 one client has a subscription by multipart, without a time limit, and asks
# a slow query, which takes two seconds, with a limit of half a second. If the events are 0.7 s
# apart, the query ends with ReadTimeout, and so does the subscription. If they are 0.3 s apart, the
# query has its data after two seconds, four times its limit. If the query is given up by
# 'asyncio.wait_for' in place of the client's own limit, the subscription has all events. Over
# HTTP/1.1 the query alone ends, whatever the events are.
#
# Seen: "HTTP/2: events each 0.7 s: query ReadTimeout, subscription ReadTimeout; each 0.3 s: query
# data, subscription all; cancelled: query TimeoutError, subscription all; HTTP/1.1: events each 0.7
# s: query ReadTimeout, subscription all; each 0.3 s: query ReadTimeout, subscription all;
# cancelled: query TimeoutError, subscription all".
#
# Why it surprises: a limit is an option of one request, and streams of HTTP/2 are independent. But
# one of the requests reads from the connection for all of them, in turn, and its limit is that of
# the silence of the connection. When its patience ends, the connection counts as broken for each
# of them. 'timeout=None' is no protection: the error of a subscription names a limit that it does
# not have.
#
# Source: RFC 9113, 5 (streams are independent); httpx's documentation, "Timeouts" and "HTTP/2";
# httpcore/_async/http2.py, _receive_events (one reader at a time) and _read_incoming_data (the
# error of one reader is kept for all).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages "httpx[http2]==0.28.1" httpcore==1.0.9 h2==4.4.1 strawberry-graphql==0.341.2 graphql-core==3.3.2 \
  starlette==1.10.0 hypercorn==0.18.0 python-multipart==0.0.34
cat >"$folder/app.py" <<'END'
import asyncio
from collections.abc import AsyncGenerator

import strawberry
from starlette.applications import Starlette
from starlette.routing import Route
from strawberry.asgi import GraphQL
from strawberry.subscriptions import MULTIPART_SUBSCRIPTION_PROTOCOL

@strawberry.type
class Query:
    @strawberry.field
    async def slow(self) -> int:
        await asyncio.sleep(2)
        return 1

@strawberry.type
class Subscription:
    @strawberry.subscription
    async def ticks(self, pause: float) -> AsyncGenerator[int, None]:
        for tick in range(int(4 / pause)):
            yield tick
            await asyncio.sleep(pause)

schema = strawberry.Schema(Query, subscription=Subscription)
view = GraphQL(schema, subscription_protocols=[MULTIPART_SUBSCRIPTION_PROTOCOL])
app = Starlette(routes=[Route("/graphql", view, methods=["POST"])])
END
serve_app_with hypercorn
cat >"$folder/client.py" <<'END'
import asyncio
import sys

import httpx

URL = f"http://127.0.0.1:{sys.argv[1]}/graphql"

async def main():
    for version in ("HTTP/2", "HTTP/1.1"):
        ends = [await end(version == "HTTP/2", *case) for case in ((0.7, "timeout"), (0.3, "timeout"), (0.7, "cancelled"))]
        print(f"{version}: events each 0.7 s: {ends[0]}; each 0.3 s: {ends[1]}; cancelled: {ends[2]}", end="; ")

async def end(two, pause, way):
    async with httpx.AsyncClient(http1=not two, http2=two, timeout=None) as client:
        await client.post(URL, json={"query": "{ __typename }"})
        ends = await asyncio.gather(query(client, way), events(client, pause))
    return "query {}, subscription {}".format(*ends)

async def query(client, way):
    await asyncio.sleep(0.5)
    sent = client.post(URL, json={"query": "{ slow }"}, timeout=0.5 if way == "timeout" else None)
    try:
        await asyncio.wait_for(sent, 0.5 if way == "cancelled" else None)
    except (httpx.HTTPError, asyncio.TimeoutError) as error:
        return type(error).__name__
    return "data"

async def events(client, pause):
    ticks = 0
    document = {"query": f"subscription {{ ticks(pause: {pause}) }}"}
    accept = {"accept": "multipart/mixed;subscriptionSpec=1.0"}
    try:
        async with client.stream("POST", URL, json=document, headers=accept) as response:
            async for line in response.aiter_lines():
                ticks += '"ticks"' in line
    except httpx.HTTPError as error:
        return type(error).__name__
    return "all" if ticks == int(4 / pause) else f"{ticks} events"

asyncio.run(main())
END
seen=$(python "$folder/client.py" "$port")
expect "One client" "${seen%; }" \
  "HTTP/2: events each 0.7 s: query ReadTimeout, subscription ReadTimeout; each 0.3 s: query data, subscription all; cancelled: query TimeoutError, subscription all; HTTP/1.1: events each 0.7 s: query ReadTimeout, subscription all; each 0.3 s: query ReadTimeout, subscription all; cancelled: query TimeoutError, subscription all"
