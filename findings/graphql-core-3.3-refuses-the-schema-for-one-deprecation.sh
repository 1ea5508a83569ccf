#!/usr/bin/env bash
# Version: graphql-core 3.3.2 and Strawberry 0.341.2 on it; graphene 3.4.3 on graphql-core 3.2.14 is
# the server of the schema, and graphql-js 16.6.0 (Debian 12) another reader of it.
#
# Behaviour: the type Hero implements Named, and the server deprecates 'Hero.name', and not
# 'Named.name'. graphene, graphql-core 3.2 and graphql-js 16 have no objection. With graphql-core
# 3.3 the whole schema is not valid: a client that has read it by introspection cannot validate any
# document, with a TypeError, and a server that is built on it answers each request with the error
# of the schema, '{ __typename }' included, or does not start, as with Strawberry. The comparison of
# the two schemas, by 3.3 itself, finds no change that is breaking, nor one that is dangerous.
#
# Seen: "graphene: works; graphql-js 16.6.0: 0 errors; graphql-core 3.2.14: changes 0, client ok,
# server data ok; graphql-core 3.3.2: changes 0, client TypeError, server data null; Strawberry:
# ValueError".
#
# Why it surprises: to deprecate a field is the one change of a schema that is always safe for its
# clients, and here it ends them, at the server's next release and without a change of their own.
# The rule came with the edition of September 2025, and schemas from before it do not know it: users
# of graphql-js 17 report eight such fields in GitHub's public schema. Here it comes with a version
# that is new in the second place only.
#
# Source: GraphQL specification, September 2025, IsValidImplementation; graphql-core's
# type/validate.py and utilities/find_schema_changes.py; graphql-js's pull request 3986; GitHub's
# community discussion 210385.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program node "nodejs node-graphql=16.6.0"
python_packages graphene==3.4.3 graphql-core==3.2.14
cd "$folder"
cat >server.py <<'END'
import json
import graphene
from graphql import get_introspection_query

class Named(graphene.Interface):
    name = graphene.String()

class Hero(graphene.ObjectType):
    class Meta:
        interfaces = (Named,)

    name = graphene.String(deprecation_reason="It has parts.")

class Query(graphene.ObjectType):
    hero = graphene.Field(Hero)

    def resolve_hero(root, info):
        return Hero(name="Leia")

schema = graphene.Schema(Query)
assert schema.execute("{ hero { name } }").data == {"hero": {"name": "Leia"}}
json.dump(schema.execute(get_introspection_query()).data, open("schema.json", "w"))
print("works")
END
cat >client.py <<'END'
import json
from graphql import build_client_schema, build_schema, graphql_sync, parse, validate
from graphql.utilities import find_breaking_changes, find_dangerous_changes, print_schema

schema = build_client_schema(json.load(open("schema.json")))
sdl = print_schema(schema)
assert "@deprecated" in sdl
before = build_schema(sdl.replace('@deprecated(reason: "It has parts.")', ""))
after = build_schema(sdl)
changes = len(find_breaking_changes(before, after) + find_dangerous_changes(before, after))
try:
    client = "ok" if not validate(schema, parse("{ hero { name } }")) else "not valid"
except TypeError as error:
    assert "Hero.name must not be deprecated" in str(error)
    client = "TypeError"
result = graphql_sync(after, "{ __typename }")
print(f"changes {changes}, client {client}, server data {'ok' if result.data else 'null'}")
END
expect "graphene" "$(python server.py)" "works"
seen=$(NODE_PATH=/usr/share/nodejs node -e '
  const { buildClientSchema, validateSchema } = require("graphql");
  const schema = buildClientSchema(JSON.parse(require("fs").readFileSync("schema.json")));
  console.log(validateSchema(schema).length, "errors");')
expect "graphql-js 16.6.0" "$seen" "0 errors"
expect "graphql-core 3.2.14" "$(python client.py)" "changes 0, client ok, server data ok"
python_packages graphql-core==3.3.2 strawberry-graphql==0.341.2
expect "graphql-core 3.3.2" "$(python client.py)" "changes 0, client TypeError, server data null"
seen=$(python <<'END'
import strawberry

@strawberry.interface
class Named:
    name: str

@strawberry.type
class Hero(Named):
    name: str = strawberry.field(deprecation_reason="It has parts.")

@strawberry.type
class Query:
    @strawberry.field
    def hero(self) -> Hero:
        return Hero(name="Leia")

try:
    strawberry.Schema(Query)
    print("works")
except ValueError as error:
    assert "Hero.name must not be deprecated" in str(error)
    print("ValueError")
END
)
expect "Strawberry" "$seen" "ValueError"
