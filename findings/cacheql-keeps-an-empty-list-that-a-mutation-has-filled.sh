#!/usr/bin/env bash
# Version: cacheql 0.0.1a3 with Ariadne 1.1.1 (Starlette 1.10.0, httpx 0.28.1) and with Strawberry
# 0.341.2, on graphql-core 3.3.2.
#
# Behaviour: responses are cached for a minute, and a mutation is to remove those that it changes.
# Each query is sent before and behind a mutation that adds the hero 2, and one that renames the
# hero 1. With Ariadne the new hero is in a list that had a hero before, but the list that was empty
# stays empty, and the hero that was null stays null. With Strawberry all lists stay as they were,
# and so does an object whose query did not ask for '__typename'.
#
# Seen: "Ariadne: object new, without typename new, list new, empty list old, null old; Strawberry:
# object new, without typename old, list old, empty list old, null old".
#
# Why it surprises: the types that a response belongs to are collected from its data, though the
# document and the schema say that an empty list is one of heroes. What a user adds first is what he
# does not see. Both adapters are of one package with one setting, and the same queries differ. A
# test that changes a named object by its id passes with each of them.
#
# Source: cacheql's documentation (invalidation by type on mutations); its
# core/services/tag_extraction.py (a tag for each object of the data) and
# adapters/strawberry/extension.py, _extract_tags_from_response (what is in a list has no tag).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages cacheql==0.0.1a3 ariadne==1.1.1 strawberry-graphql==0.341.2 graphql-core==3.3.2 \
  starlette==1.10.0 httpx==0.28.1
seen=$(python <<'END'
import asyncio

import httpx
import strawberry
from ariadne import MutationType, QueryType, make_executable_schema
from ariadne.asgi import GraphQL
from cacheql import CacheConfig, CacheService, DefaultKeyBuilder, InMemoryCacheBackend, JsonSerializer
from cacheql.adapters.ariadne import CachingGraphQLHTTPHandler
from cacheql.adapters.strawberry import CacheExtension

names = {}

def found(id):
    return {"id": id, "name": names[id]} if id in names else None

def listed(start):
    return [found(id) for id, name in names.items() if name.startswith(start)]

def save(id, name):
    names[id] = name
    return found(id)

def service():
    return CacheService(
        backend=InMemoryCacheBackend(), key_builder=DefaultKeyBuilder(), serializer=JsonSerializer(),
        config=CacheConfig(default_max_age=60))

@strawberry.type
class Hero:
    id: strawberry.ID
    name: str

@strawberry.type
class Query:
    @strawberry.field
    def hero(self, id: strawberry.ID) -> Hero | None:
        return Hero(**found(id)) if found(id) else None

    @strawberry.field
    def heroes(self, start: str) -> list[Hero]:
        return [Hero(**hero) for hero in listed(start)]

@strawberry.type
class Mutation:
    @strawberry.mutation
    def save(self, id: strawberry.ID, name: str) -> Hero:
        return Hero(**save(id, name))

strawberry_schema = strawberry.Schema(Query, Mutation, extensions=[CacheExtension(service())])
query, mutation = QueryType(), MutationType()
query.set_field("hero", lambda _, info, id: found(id))
query.set_field("heroes", lambda _, info, start: listed(start))
mutation.set_field("save", lambda _, info, id, name: save(id, name))
ariadne_schema = make_executable_schema(strawberry_schema.as_str(), query, mutation)
app = GraphQL(
    ariadne_schema, http_handler=CachingGraphQLHTTPHandler(service(), schema=ariadne_schema))
client = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://server")

async def by_strawberry(document):
    result = await strawberry_schema.execute(document, context_value={})
    assert not result.errors
    return result.data

async def by_ariadne(document):
    result = (await client.post("/", json={"query": document})).json()
    assert "errors" not in result
    return result["data"]

SELECTIONS = "{ __typename id name }"
QUERIES = {
    "object": f'{{ hero(id: "1") {SELECTIONS} }}',
    "without typename": '{ hero(id: "1") { id name } }',
    "list": f'{{ heroes(start: "L") {SELECTIONS} }}',
    "empty list": f'{{ heroes(start: "Lu") {SELECTIONS} }}',
    "null": f'{{ hero(id: "2") {SELECTIONS} }}',
}

async def show(server, execute):
    names.clear()
    names["1"] = "Leia"
    before = {name: await execute(document) for name, document in QUERIES.items()}
    for id, name in (("2", "Luke"), ("1", "Leia Organa")):
        await execute(f'mutation {{ save(id: "{id}", name: "{name}") {SELECTIONS} }}')
    seen = []
    for name, document in QUERIES.items():
        seen.append(f"{name} {'old' if await execute(document) == before[name] else 'new'}")
    return f"{server}: {', '.join(seen)}"

async def main():
    print(await show("Ariadne", by_ariadne), await show("Strawberry", by_strawberry), sep="; ")

asyncio.run(main())
END
)
expect "Behind two mutations" "$seen" \
  "Ariadne: object new, without typename new, list new, empty list old, null old; Strawberry: object new, without typename old, list old, empty list old, null old"
