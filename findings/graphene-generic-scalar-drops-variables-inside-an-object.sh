#!/usr/bin/env bash
# Version: graphene 3.4.3 (GenericScalar) on graphql-core 3.2.14.
#
# Behaviour: in 'find(filter: {name: $name, after: 4102444800})' with a custom scalar
# GenericScalar, the resolver receives null in place of the variable, and null for each integer
# beyond 32 bits. There is no error. The same object as one variable arrives as it was sent.
# graphql-core's own scalar, from SDL, gives the resolver both values.
#
# Seen: "graphene, in the document: name None, after None; graphene, as a variable: name Leia, after
# 4102444800; graphql-core, in the document: name Leia, after 4102444800".
#
# Why it surprises: a variable may occur anywhere in a literal, and validation accepts it here. The
# filter is then "name is null", and the server responds with data that nothing has asked for.
#
# Source: GraphQL specification, 2.10 (a variable may take the place of any input value that is not
# constant); graphene/types/generic.py (parse_literal takes the variables and does not use them).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages graphene==3.4.3 graphql-core==3.2.14
seen=$(python <<'END'
import graphene
from graphene.types.generic import GenericScalar
from graphql import build_schema, graphql_sync

def show(filter):
    return f"name {filter['name']}, after {filter['after']}"

class Query(graphene.ObjectType):
    find = graphene.String(filter=GenericScalar())

    def resolve_find(root, info, filter):
        return show(filter)

literal = "query ($name: String) { find(filter: {name: $name, after: 4102444800}) }"
whole = "query ($filter: GenericScalar) { find(filter: $filter) }"
values = {"name": "Leia", "after": 4102444800}
schema = graphene.Schema(query=Query)
core = build_schema("scalar GenericScalar type Query { find(filter: GenericScalar): String }")
for name, result in (
        ("graphene, in the document", schema.execute(literal, variables={"name": "Leia"})),
        ("graphene, as a variable", schema.execute(whole, variables={"filter": values})),
        ("graphql-core, in the document", graphql_sync(
            core, literal, {"find": lambda info, filter: show(filter)}, variable_values={"name": "Leia"}))):
    assert result.errors is None
    print(f"{name}: {result.data['find']}", end="; ")
END
)
expect "Values inside a scalar" "$seen" \
  "graphene, in the document: name None, after None; graphene, as a variable: name Leia, after 4102444800; graphql-core, in the document: name Leia, after 4102444800; "
