#!/usr/bin/env bash
# Version: bramble-graphql 0.3.1 (the server library); gql 4.4.0 with graphql-core 3.3.2, and
# graphql-js 16.6.0 (Debian 12), read what it says.
#
# Behaviour: asked for its schema, the server names '__schema' and '__type' among the fields of
# Query, and no directive at all. What a client builds from that is no valid schema, since two
# underscores are reserved: gql, which validates each document before it sends it, refuses every
# one, and so does graphql-js. Without the two fields gql, which adds '@skip' and '@include' by
# itself, accepts all, but graphql-js refuses a document with '@include', which the server carries
# out. The SDL that the server writes has neither fault.
#
# Seen: "fields: hero __schema __type; directives: none; server, @include: {'hero': 'Leia'}"; gql:
# "described: refused; described, @include: refused; without fields: accepted; without fields,
# @include: accepted; SDL: accepted; SDL, @include: accepted"; graphql-js: the same, except "without
# fields, @include: refused".
#
# Why it surprises: the server answers the standard query without an error, and an explorer shows
# the fields of Query as usual. '__schema' can be selected in every query, but it is no field of the
# type. '@skip' and '@include' need no definition in an SDL, and a client adds them there; what
# introspection lists is taken for complete.
#
# Source: GraphQL specification, 4.1 (names that begin with "__"), 4.2 (__schema and __type are
# implicit, and not in the fields of the root type) and 3.13 (directives that a service provides);
# bramble/_introspection.py; graphql-js' utilities/buildClientSchema;
# gql/utilities/build_client_schema.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program node "nodejs node-graphql=16.6.0"
python_packages bramble-graphql==0.3.1 gql==4.4.0 graphql-core==3.3.2 tenacity==9.2.1
cd "$folder"
seen=$(python <<'END'
import copy
import json

import bramble
from graphql import get_introspection_query

@bramble.type
class Query:
    @bramble.field
    def hero(first: int = 10) -> str:
        return "Leia"

schema = bramble.Schema(query=Query)
described = schema.execute(get_introspection_query())["data"]
without = copy.deepcopy(described)
query = next(type for type in without["__schema"]["types"] if type["name"] == "Query")
fields = " ".join(field["name"] for field in query["fields"])
query["fields"] = [field for field in query["fields"] if not field["name"].startswith("__")]
json.dump([described, without], open("described.json", "w"))
open("schema.graphql", "w").write(schema.to_sdl())
directives = " ".join(directive["name"] for directive in described["__schema"]["directives"])
answer = schema.execute("query($on: Boolean!) { hero @include(if: $on) }", variable_values={"on": True})
print(f"fields: {fields}; directives: {directives or 'none'}; server, @include: {answer['data']}")
END
)
expect "bramble" "$seen" "fields: hero __schema __type; directives: none; server, @include: {'hero': 'Leia'}"
seen=$(python <<'END'
import json

from gql import Client, gql
from graphql import GraphQLError

def end(client, document):
    try:
        client.validate(gql(document))
    except (GraphQLError, TypeError): # The second is for a schema that is not valid.
        return "refused"
    return "accepted"

described, without = json.load(open("described.json"))
seen = []
for name, client in (
    ("described", Client(introspection=described)),
    ("without fields", Client(introspection=without)),
    ("SDL", Client(schema=open("schema.graphql").read())),
):
    seen.append(f"{name}: {end(client, '{ hero }')}")
    seen.append(f"{name}, @include: {end(client, 'query($on: Boolean!) { hero @include(if: $on) }')}")
print("; ".join(seen))
END
)
expect "gql" "$seen" \
  "described: refused; described, @include: refused; without fields: accepted; without fields, @include: accepted; SDL: accepted; SDL, @include: accepted"
seen=$(NODE_PATH=/usr/share/nodejs node - <<'END'
const { readFileSync } = require("fs");
const { buildClientSchema, buildSchema, parse, validate } = require("graphql");

function end(schema, document) {
  try {
    return validate(schema, parse(document)).length ? "refused" : "accepted";
  } catch (error) { // The schema is not valid.
    return "refused";
  }
}

const [described, without] = JSON.parse(readFileSync("described.json"));
const seen = [
  ["described", buildClientSchema(described)],
  ["without fields", buildClientSchema(without)],
  ["SDL", buildSchema(readFileSync("schema.graphql", "utf8"))],
].flatMap(([name, schema]) => [
  `${name}: ${end(schema, "{ hero }")}`,
  `${name}, @include: ${end(schema, "query($on: Boolean!) { hero @include(if: $on) }")}`,
]);
console.log(seen.join("; "));
END
)
expect "graphql-js" "$seen" \
  "described: refused; described, @include: refused; without fields: accepted; without fields, @include: refused; SDL: accepted; SDL, @include: accepted"
