#!/usr/bin/env bash
# Version: gql 4.4.0 (the Python client) on graphql-core 3.3.2.
#
# Behaviour: a field of the DSL is one object, and 'select', 'alias' and the call with arguments
# change it and return it. A field that is kept in a variable and used twice, once with an alias,
# has the alias in both places, and in both the selections of either.
#
# Seen: "{ other: friend { id name } other: friend { id name } }".
#
# Why it surprises: the calls read like those of a builder that returns a new value, and
# 'ds.Hero.id' written twice makes two objects. The document is valid, so that neither the client
# nor the server objects, and the program finds no 'friend' in the response.
#
# Source: gql/dsl.py, DSLField (alias and select return self).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages gql==4.4.0 graphql-core==3.3.2
seen=$(python <<'END'
from gql.dsl import DSLQuery, DSLSchema, dsl_gql
from graphql import build_schema, print_ast

ds = DSLSchema(build_schema("""
  type Query { hero: Hero }
  type Hero { id: ID name: String friend: Hero }
"""))
friend = ds.Hero.friend
hero = ds.Query.hero.select(friend.select(ds.Hero.id), friend.alias("other").select(ds.Hero.name))
printed = " ".join(print_ast(dsl_gql(DSLQuery(hero)).document).split())
print(printed.removeprefix("{ hero ").removesuffix(" }"))
END
)
expect "One field, used twice" "$seen" "{ other: friend { id name } other: friend { id name } }"
