#!/usr/bin/env bash
# Version: Strawberry 0.341.2 (strawberry.federation) on graphql-core 3.3.2; Ariadne 1.1.1
# (ariadne.contrib.federation) is the other one.
#
# Behaviour: a gateway asks a subgraph twice for entities in one request, by two aliases of
# '_entities' with the same variable. Strawberry takes '__typename' out of the variable while it
# resolves the first alias. The second one fails with the message "'__typename'", and 'data' is null
# as a whole, so that the first alias is lost too. If 'resolve_reference' takes the info, this is
# left in the variable. With two variables of the same value, or with the entity as a literal, both
# aliases succeed. Ariadne responds to all three requests.
#
# Seen: "Strawberry: one alias Leia; two aliases data null, '__typename' at b; two variables Leia
# Leia; literals Leia Leia; keys of the variable afterwards id info; Ariadne: two aliases Leia Leia;
# two variables Leia Leia; literals Leia Leia".
#
# Why it surprises: variables are values, and a field cannot take anything away from another one. Of
# an input type, Strawberry makes a new object for each field. '_Any' is a scalar, and each resolver
# gets the same dictionary. Some gateways put several fetches of entities into one request by
# aliases. Whether the subgraph answers depends on whether aliases of equal entities share a
# variable, about which the specification of federation says nothing.
#
# Source: GraphQL specification, 6.2.1 (fields of a query have no effect on each other);
# strawberry/federation/schema.py, entities_resolver; pull request 809 of graphql-hive/router
# (fetches of entities as aliases of one request).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 ariadne==1.1.1 graphql-core==3.3.2
cat >"$folder/documents.py" <<'END'
ENTITY = {"__typename": "Hero", "id": "5"}
FIELDS = "{ ... on Hero { name } }"
ONE = f"query ($x: [_Any!]!) {{ a: _entities(representations: $x) {FIELDS} }}"
TWO = f"""query ($x: [_Any!]!) {{
  a: _entities(representations: $x) {FIELDS}
  b: _entities(representations: $x) {FIELDS}
}}"""
VARIABLES = f"""query ($x: [_Any!]!, $y: [_Any!]!) {{
  a: _entities(representations: $x) {FIELDS}
  b: _entities(representations: $y) {FIELDS}
}}"""
LITERALS = f"""{{
  a: _entities(representations: [{{ __typename: "Hero", id: "5" }}]) {FIELDS}
  b: _entities(representations: [{{ __typename: "Hero", id: "5" }}]) {FIELDS}
}}"""

def describe(data, errors):
    if errors:
        [error] = errors
        return f"data {'null' if data is None else data}, {error['message']} at {'.'.join(error['path'])}"
    return " ".join(entities[0]["name"] for entities in data.values())
END
cat >"$folder/with_strawberry.py" <<'END'
import strawberry
from documents import ENTITY, LITERALS, ONE, TWO, VARIABLES, describe

seen_variables = []

@strawberry.federation.type(keys=["id"])
class Hero:
    id: strawberry.ID
    name: str = "Leia"

    @classmethod
    def resolve_reference(cls, info: strawberry.Info, id: strawberry.ID):
        seen_variables.append(info.variable_values)
        return cls(id=id)

@strawberry.type
class Query:
    @strawberry.field
    def hero(self) -> Hero:
        return Hero(id="5")

schema = strawberry.federation.Schema(Query)

def run(document, **variables):
    values = {name: [dict(ENTITY)] for name in variables}
    result = schema.execute_sync(document, values)
    return describe(result.data, [error.formatted for error in result.errors or []])

print("; ".join([
    f"one alias {run(ONE, x=1)}", f"two aliases {run(TWO, x=1)}",
    f"two variables {run(VARIABLES, x=1, y=1)}", f"literals {run(LITERALS)}",
    f"keys of the variable afterwards {' '.join(sorted(seen_variables[0]['x'][0]))}"]))
END
cat >"$folder/with_ariadne.py" <<'END'
from ariadne import graphql_sync
from ariadne.contrib.federation import FederatedObjectType, make_federated_schema
from documents import ENTITY, LITERALS, TWO, VARIABLES, describe

hero = FederatedObjectType("Hero")

@hero.reference_resolver
def resolve(_, info, representation):
    return {"__typename": "Hero", "id": representation["id"], "name": "Leia"}

schema = make_federated_schema(
    'type Query { hero: Hero } type Hero @key(fields: "id") { id: ID! name: String! }', hero)

def run(document, **variables):
    values = {name: [dict(ENTITY)] for name in variables}
    _, result = graphql_sync(schema, {"query": document, "variables": values})
    return describe(result.get("data"), result.get("errors"))

print("; ".join([
    f"two aliases {run(TWO, x=1)}", f"two variables {run(VARIABLES, x=1, y=1)}", f"literals {run(LITERALS)}"]))
END
expect Strawberry "$(python "$folder/with_strawberry.py" 2>/dev/null)" \
  "one alias Leia; two aliases data null, '__typename' at b; two variables Leia Leia; literals Leia Leia; keys of the variable afterwards id info"
expect Ariadne "$(python "$folder/with_ariadne.py" 2>/dev/null)" \
  "two aliases Leia Leia; two variables Leia Leia; literals Leia Leia"
