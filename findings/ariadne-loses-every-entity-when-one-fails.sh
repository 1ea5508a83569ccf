#!/usr/bin/env bash
# Version: Ariadne 1.1.1 and Strawberry 0.341.2 on graphql-core 3.3.2; graphene-federation 3.3.0
# with graphene 3.4.3 on graphql-core 3.2.14.
#
# Behaviour: a gateway of Apollo Federation asks a server for two entities by '_entities', and the
# resolver of the second one raises an exception. Strawberry responds with the first entity, a null
# and an error at ["_entities", 1]. Ariadne and graphene-federation respond with 'data: null' and an
# error at ["_entities"]. With 'async def' for the same resolver, Ariadne does as Strawberry does.
# One that returns None is a null in the list everywhere.
#
# Seen: "Ariadne, def: data null, error at _entities; Ariadne, async def: hero and null, error at
# _entities.1; Strawberry, def: hero and null, error at _entities.1; Strawberry, async def: hero and
# null, error at _entities.1; graphene-federation, def: data null, error at _entities".
#
# Why it surprises: the items of '_entities' can be null, for this very case, and a gateway puts
# keys of unrelated places of a query into one request. One hero that is gone empties the whole
# list, and the keyword 'async', which the schema does not show, decides.
#
# Source: Apollo Federation's specification, "Query._entities" ([_Entity]!); GraphQL specification,
# 6.4.4; ariadne/contrib/federation/utils.py, resolve_entities, and graphene_federation/entity.py
# (the resolvers are called within the resolver of the list).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/entities.py" <<'END'
QUERY = """
query($keys: [_Any!]!) { _entities(representations: $keys) { ... on Hero { name } ... on Film { name } } }
"""

def variables(type_name):
    return {"keys": [{"__typename": type_name, "id": key} for key in ("5", "6")]}

def name(key):
    if key == "6":
        raise ValueError("gone")
    return "Leia"

def show(server, data, errors):
    entities = data and data["_entities"]
    assert entities in (None, [{"name": "Leia"}, None]) and len(errors) == 1
    path = ".".join(str(key) for key in errors[0].path)
    return f"{server}: {'hero and null' if entities else 'data null'}, error at {path}"
END
python_packages ariadne==1.1.1 strawberry-graphql==0.341.2 graphql-core==3.3.2
cat >"$folder/ariadne_and_strawberry.py" <<'END'
import asyncio

import strawberry
from ariadne.contrib.federation import FederatedObjectType, make_federated_schema
from graphql import graphql
from entities import QUERY, name, show, variables

hero, film = FederatedObjectType("Hero"), FederatedObjectType("Film")

@hero.reference_resolver
def resolve_hero(_, info, key):
    return {"name": name(key["id"])}

@film.reference_resolver
async def resolve_film(_, info, key):
    return {"name": name(key["id"])}

ariadne = make_federated_schema("""
type Query { a: Int }
type Hero @key(fields: "id") { id: ID! name: String }
type Film @key(fields: "id") { id: ID! name: String }
""", [hero, film])

@strawberry.federation.type(keys=["id"])
class Hero:
    id: strawberry.ID
    name: str | None = None

    @classmethod
    def resolve_reference(cls, id: strawberry.ID):
        return Hero(id=id, name=name(id))

@strawberry.federation.type(keys=["id"])
class Film:
    id: strawberry.ID
    name: str | None = None

    @classmethod
    async def resolve_reference(cls, id: strawberry.ID):
        return Film(id=id, name=name(id))

@strawberry.type
class Query:
    a: int = 1

schema = strawberry.federation.Schema(query=Query, types=[Hero, Film])

async def main():
    seen = []
    for type_name, keyword in (("Hero", "def"), ("Film", "async def")):
        result = await graphql(ariadne, QUERY, variable_values=variables(type_name))
        seen.append(show(f"Ariadne, {keyword}", result.data, result.errors))
    for type_name, keyword in (("Hero", "def"), ("Film", "async def")):
        result = await schema.execute(QUERY, variable_values=variables(type_name))
        seen.append(show(f"Strawberry, {keyword}", result.data, result.errors))
    print("; ".join(seen))

asyncio.run(main())
END
expect "graphql-core 3.3" "$(python "$folder/ariadne_and_strawberry.py" 2>/dev/null)" \
  "Ariadne, def: data null, error at _entities; Ariadne, async def: hero and null, error at _entities.1; Strawberry, def: hero and null, error at _entities.1; Strawberry, async def: hero and null, error at _entities.1"
python_packages graphene-federation==3.3.0 graphene==3.4.3 graphql-core==3.2.14
cat >"$folder/graphene_server.py" <<'END'
import graphene
from graphene_federation import build_schema, key
from entities import QUERY, name, show, variables

@key("id")
class Hero(graphene.ObjectType):
    id = graphene.ID(required=True)
    name = graphene.String()

    def __resolve_reference(self, info, **_):
        return Hero(id=self.id, name=name(self.id))

class Query(graphene.ObjectType):
    hero = graphene.Field(Hero)

query = QUERY.replace("... on Film { name }", "")
result = build_schema(Query).execute(query, variable_values=variables("Hero"))
print(show("graphene-federation, def", result.data, result.errors))
END
expect "graphql-core 3.2" "$(python "$folder/graphene_server.py" 2>/dev/null)" \
  "graphene-federation, def: data null, error at _entities"
