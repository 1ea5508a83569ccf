#!/usr/bin/env bash
# Version: Strawberry 0.341.2 with batching_config, on graphql-core 3.3.2: its view for ASGI
# (Starlette 1.10.0) and its synchronous view for Flask 3.1.3; httpx 0.28.1 is the client.
#
# Behaviour: a batch is an array of operations in one POST. The view for ASGI starts all of them at
# once. Of two mutations that read the sum of a cart, wait, and write it with 1 or 10 added, the
# second does not see the first: the sum is 10 then, and a query behind them in the array responds
# with 0. The view for Flask carries out one after the other: 11, and 11. If one operation of the
# batch is refused by status 400, as for an unknown operation name, so is the batch; by ASGI the
# mutation beside it goes on behind the response, also if it comes later in the array.
#
# Seen: "ASGI: add 1, add 10, sum 0, then 10; refused second: 400, sum 0, later 1; refused first:
# 400, sum 0, later 1; Flask: add 1, add 11, sum 11, then 11; refused second: 400, sum 1; refused
# first: 400, sum 0".
#
# Why it surprises: an array has an order, the responses come in it, and a client that collects the
# operations of a moment puts a mutation and the query that reads its effect into one request. Sent
# one by one they would have waited for each other. Whether they do is decided by the framework that
# the same schema is served with. And the 400 says that nothing was done, before it is done.
#
# Source: Strawberry's documentation, "Query batching";
# strawberry/http/async_base_view.py, execute_operation (asyncio.gather), and sync_base_view.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 python-multipart==0.0.34 \
  flask==3.1.3 httpx==0.28.1
seen=$(python 2>/dev/null <<'END'
import asyncio, time
import flask, httpx, strawberry
from strawberry.asgi import GraphQL
from strawberry.flask.views import GraphQLView
from strawberry.schema.config import StrawberryConfig

cart = {"sum": 0}
BATCHES = {
    "": [{"query": "mutation { add(amount: 1) }"}, {"query": "mutation { add(amount: 10) }"}, {"query": "{ sum }"}],
    "refused second": [{"query": "mutation { add(amount: 1) }"}, {"query": "query A { sum }", "operationName": "B"}],
    "refused first": [{"query": "query A { sum }", "operationName": "B"}, {"query": "mutation { add(amount: 1) }"}],
}

@strawberry.type
class Query:
    @strawberry.field
    def sum(self) -> int:
        return cart["sum"]

@strawberry.type
class AsyncMutation:
    @strawberry.mutation
    async def add(self, amount: int) -> int:
        before = cart["sum"]
        await asyncio.sleep(0.5)
        cart["sum"] = before + amount
        return cart["sum"]

@strawberry.type
class Mutation:
    @strawberry.mutation
    def add(self, amount: int) -> int:
        before = cart["sum"]
        time.sleep(0.01)
        cart["sum"] = before + amount
        return cart["sum"]

config = StrawberryConfig(batching_config={"max_operations": 10})

def show(name, response):
    if response.status_code != 200:
        return f"{name}: {response.status_code}, sum {cart['sum']}"
    results = [result["data"] for result in response.json()]
    return ", ".join(f"{key} {value}" for data in results for key, value in data.items()) + f", then {cart['sum']}"

async def asgi():
    transport = httpx.ASGITransport(GraphQL(strawberry.Schema(Query, AsyncMutation, config=config)))
    async with httpx.AsyncClient(transport=transport, base_url="http://server") as client:
        for name, batch in BATCHES.items():
            cart["sum"] = 0
            yield show(name, await client.post("/", json=batch))
            if name:
                await asyncio.sleep(1.5)
                yield f"later {cart['sum']}"

def wsgi():
    app = flask.Flask("server")
    view = GraphQLView.as_view("graphql", schema=strawberry.Schema(Query, Mutation, config=config))
    app.add_url_rule("/", view_func=view)
    with httpx.Client(transport=httpx.WSGITransport(app), base_url="http://server") as client:
        for name, batch in BATCHES.items():
            cart["sum"] = 0
            yield show(name, client.post("/", json=batch))

async def main():
    seen = [text async for text in asgi()]
    print("ASGI:", "; ".join((seen[0], ", ".join(seen[1:3]), ", ".join(seen[3:]))), end="; ")
    print("Flask:", "; ".join(wsgi()))

asyncio.run(main())
END
)
expect "A batch of two mutations and a query" "$seen" \
  "ASGI: add 1, add 10, sum 0, then 10; refused second: 400, sum 0, later 1; refused first: 400, sum 0, later 1; Flask: add 1, add 11, sum 11, then 11; refused second: 400, sum 1; refused first: 400, sum 0"
