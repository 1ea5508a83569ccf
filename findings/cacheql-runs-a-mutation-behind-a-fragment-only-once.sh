#!/usr/bin/env bash
# Version: cacheql 0.0.1a3 as an extension of Strawberry 0.341.2 on graphql-core 3.3.2.
#
# Behaviour: the same mutation is sent twice in each of three documents: in front of the fragment
# that it uses, behind it, and behind a comment. cacheql asks with which word the document begins,
# and takes what does not begin with 'mutation' for a query. It keeps the response, and answers the
# second request with it without running the mutation.
#
# Seen: "mutation first: 2 films; fragment first: 1 film; comment first: 1 film".
#
# Why it surprises: the order of definitions means nothing, and a template with its fragments at the
# top is common. The client is told that its film is added, with the id of the film before. Failed
# mutations are run again, since errors are not kept, so that a retry does what it should and a
# repeated success does not.
#
# Source: GraphQL specification, 2.2 (a document is a list of definitions), 2.1.4 (comments);
# cacheql/adapters/strawberry/extension.py, _check_cache.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages cacheql==0.0.1a3 strawberry-graphql==0.341.2 graphql-core==3.3.2
seen=$(python <<'END'
import asyncio

import strawberry
from cacheql import CacheConfig, CacheService, DefaultKeyBuilder, InMemoryCacheBackend, JsonSerializer
from cacheql.adapters.strawberry import CacheExtension

films = []

@strawberry.type
class Film:
    id: int
    title: str

@strawberry.type
class Query:
    a: int = 1

@strawberry.type
class Mutation:
    @strawberry.mutation
    def add(self, title: str) -> Film:
        films.append(title)
        return Film(id=len(films), title=title)

def new_schema():
    service = CacheService(
        backend=InMemoryCacheBackend(), key_builder=DefaultKeyBuilder(), serializer=JsonSerializer(),
        config=CacheConfig())
    return strawberry.Schema(Query, Mutation, extensions=[CacheExtension(service)])

MUTATION = 'mutation Add { add(title: "Jedi") { ...Shown } } '
FRAGMENT = "fragment Shown on Film { id title } "

async def show(name, document):
    schema = new_schema()
    films.clear()
    for _ in range(2):
        result = await schema.execute(document, operation_name="Add", context_value={})
        assert not result.errors and result.data["add"]["id"] == len(films)
    return f"{name} first: {len(films)} film{'s' * (len(films) > 1)}"

async def main():
    print("; ".join([
        await show("mutation", MUTATION + FRAGMENT),
        await show("fragment", FRAGMENT + MUTATION),
        await show("comment", "# Adds a film.\n" + MUTATION + FRAGMENT)]))

asyncio.run(main())
END
)
expect "Two requests" "$seen" \
  "mutation first: 2 films; fragment first: 1 film; comment first: 1 film"
