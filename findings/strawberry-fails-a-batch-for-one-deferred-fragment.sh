#!/usr/bin/env bash
# Version: Strawberry 0.341.2 (opt-in incremental execution and batching_config) on graphql-core
# 3.3.2, Starlette 1.10.0; httpx 0.28.1 is the client.
#
# Behaviour: a query with '@defer' is the second one of a batch, behind a mutation. The view for
# ASGI carries both out and then raises an AttributeError, which a server turns into 500 with
# neither result. The mutation is done. With '@defer(if: false)' the batch succeeds. Alone, the
# query gets 'multipart/mixed' also if the client accepts JSON only, and so it does by GET.
#
# Seen: "batch: 500 without JSON, 1 hero added; if false: 200 application/json, 1 hero added; alone,
# accepts JSON: 200 multipart/mixed; alone, by GET: 200 multipart/mixed".
#
# Why it surprises: a batch that asks for a stream of results is refused before anything is done,
# and '@defer' over WebSockets by a message that says so. Here, both options are on, and nothing
# says that they exclude each other. A client that collects the operations of a moment puts the
# query of one screen beside the mutation of another, and one that sends a batch again at 500 has
# two heroes. And the directive counts as the consent that 'Accept' does not give.
#
# Source: strawberry/http/async_base_view.py, run (the results of a batch are asked for their
# errors; a stream of parts is sent without a look at 'Accept'), and
# subscriptions/protocols/graphql_transport_ws/handlers.py, _reject_incremental_delivery; the
# proposal "Incremental Delivery over HTTP" of the GraphQL over HTTP working group.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 \
  python-multipart==0.0.34 httpx==0.28.1
seen=$(python 2>/dev/null <<'END'
import asyncio
import httpx, strawberry
from strawberry.asgi import GraphQL
from strawberry.schema.config import StrawberryConfig

heroes = []

@strawberry.type
class Hero:
    name: str

@strawberry.type
class Query:
    hero: Hero = strawberry.field(resolver=lambda: Hero(name="Leia"))

@strawberry.type
class Mutation:
    @strawberry.mutation
    def add(self) -> int:
        heroes.append("Han")
        return len(heroes)

schema = strawberry.Schema(Query, Mutation, config=StrawberryConfig(
    enable_experimental_incremental_execution=True, batching_config={"max_operations": 2}))
DEFERRED = "{ hero { ... @defer { name } } }"
NOT_DEFERRED = "{ hero { ... @defer(if: false) { name } } }"

async def main():
    transport = httpx.ASGITransport(GraphQL(schema), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://server") as client:
        async def send(body):
            response = await client.post("/", json=body, headers={"Accept": "application/json"})
            return kind(response)

        async def batch(query):
            heroes.clear()
            seen = await send([{"query": "mutation { add }"}, {"query": query}])
            return f"{seen}, {len(heroes)} hero added"

        def kind(response):
            media_type = response.headers.get("content-type", "").partition(";")[0]
            has_parts = media_type in ("application/json", "multipart/mixed")
            return f"{response.status_code} {media_type if has_parts else 'without JSON'}"

        seen = [f"batch: {await batch(DEFERRED)}", f"if false: {await batch(NOT_DEFERRED)}",
                f"alone, accepts JSON: {await send({'query': DEFERRED})}"]
        response = await client.get("/", params={"query": DEFERRED}, headers={"Accept": "application/json"})
        print("; ".join(seen), f"alone, by GET: {kind(response)}", sep="; ")

asyncio.run(main())
END
)
expect "Deferred fragments" "$seen" \
  "batch: 500 without JSON, 1 hero added; if false: 200 application/json, 1 hero added; alone, accepts JSON: 200 multipart/mixed; alone, by GET: 200 multipart/mixed"
