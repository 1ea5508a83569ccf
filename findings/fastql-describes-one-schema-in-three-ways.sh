#!/usr/bin/env bash
# Version: mygenx-fastql 1.0.0 (a server library) with its 'introspection_path' and 'schema_path';
# graphql-core 3.3.2 is the client, which validates documents before it sends them.
#
# Behaviour: the server gives its schema by the standard query, as SDL at one path, and as the
# result of an introspection at another. The last one is the response to a query of the library's
# own, which asks for no default, and for four levels of a type. A client that reads this one
# refuses '{ page }', though 'page(first: Int! = 10)' has a default, and '{ find(filter: {}) }'.
# With a field of the type '[[Int!]!]!', it cannot be read at all. The two others are right, and the
# server answers each of the documents.
#
# Seen: "standard query: { page } accepted, { find(filter: {}) } accepted; SDL: { page } accepted, {
# find(filter: {}) } accepted; introspection: { page } refused, { find(filter: {}) } refused;
# server: { page } answered, { find(filter: {}) } answered; with [[Int!]!]!: standard query read,
# SDL read, introspection TypeError".
#
# Why it surprises: a file of this form is what code generators and caches are given, and it has the
# shape, the types and all fields. An argument that must not be null and has no default is required,
# so that the generated functions of a client ask for what the server does not need. To a reader the
# type that is cut off looks like a mistake of its own.
#
# Source: GraphQL specification, 4.2.7 (__InputValue.defaultValue) and 5.4.3 (an argument with a
# default is not required); fastql/integrations/http.py, INTROSPECTION_QUERY; graphql-core's
# utilities/get_introspection_query.py (nine levels).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages mygenx-fastql==1.0.0 graphql-core==3.3.2
cat >"$folder/client.py" <<'END'
import asyncio
import json
import sys

import fastql
import graphql
from fastql.integrations.http import GraphQLHTTPHandler, HTTPRequest

DOCUMENTS = "{ page }", "{ find(filter: {}) }"

@fastql.Input
class Filter:
    limit: int = 5

@fastql.Query
class Query:
    @fastql.Field
    def page(self, first: int = 10) -> int:
        return first

    @fastql.Field
    def find(self, filter: Filter) -> int:
        return filter.limit

    if sys.argv[1:]:
        @fastql.Field
        def grid(self) -> list[list[int]]:
            return [[1]]

handler = GraphQLHTTPHandler(
    fastql.Schema(query=Query), introspection_path="/schema.json", schema_path="/schema.graphql")

async def get(path):
    return (await handler.handle(HTTPRequest("GET", path))).body

async def post(document):
    body = json.dumps({"query": document}).encode()
    request = HTTPRequest("POST", "/graphql", {"content-type": "application/json"}, body=body)
    return json.loads((await handler.handle(request)).body)

async def main():
    schemas = {
        "standard query": lambda: graphql.build_client_schema(standard["data"]),
        "SDL": lambda: graphql.build_schema(sdl.decode()),
        "introspection": lambda: graphql.build_client_schema(json.loads(introspection)["data"]),
    }
    standard = await post(graphql.get_introspection_query())
    sdl, introspection = await get("/schema.graphql"), await get("/schema.json")
    seen = []
    for name, read in schemas.items():
        try:
            schema = read()
        except TypeError:
            seen.append(f"{name} TypeError")
            continue
        refused = [bool(graphql.validate(schema, graphql.parse(document))) for document in DOCUMENTS]
        ends = [f"{document} {'refused' if bad else 'accepted'}" for document, bad in zip(DOCUMENTS, refused)]
        seen.append(f"{name} read" if sys.argv[1:] else f"{name}: {', '.join(ends)}")
    if sys.argv[1:]:
        return print("with [[Int!]!]!:", ", ".join(seen))
    answers = [await post(document) for document in DOCUMENTS]
    ends = [f"{document} {'refused' if 'errors' in answer else 'answered'}" for document, answer in zip(DOCUMENTS, answers)]
    print(*seen, f"server: {', '.join(ends)}", "", sep="; ", end="")

asyncio.run(main())
END
expect "Described by" "$(python "$folder/client.py")$(python "$folder/client.py" grid)" \
  "standard query: { page } accepted, { find(filter: {}) } accepted; SDL: { page } accepted, { find(filter: {}) } accepted; introspection: { page } refused, { find(filter: {}) } refused; server: { page } answered, { find(filter: {}) } answered; with [[Int!]!]!: standard query read, SDL read, introspection TypeError"
