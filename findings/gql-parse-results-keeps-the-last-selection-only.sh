#!/usr/bin/env bash
# Version: gql 4.4.0 (the Python client) on graphql-core 3.3.2.
#
# Behaviour: with 'parse_results=True', which turns scalars into Python's values, the client keeps
# of '{ hero { id } hero { name } }' only the fields of the last 'hero'. A field and a fragment that
# selects the same field have the same effect. Without the option the result is whole.
#
# Seen: "as sent: id name; parsed, two fields: name; parsed, a fragment: name".
#
# Why it surprises: the option is about values, not about which fields there are. The specification
# merges such selections, and that a component's fragment selects a field again is what fragments
# are for. Nothing warns: the id that the server has sent is a KeyError in the program.
#
# Source: GraphQL specification, 5.3.2 and 6.4.3 (field selection merging);
# gql/utilities/parse_result.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages gql==4.4.0 graphql-core==3.3.2
seen=$(python <<'END'
from gql import Client, gql
from gql.transport.local_schema import LocalSchemaTransport
from graphql import build_schema

schema = build_schema("type Query { hero: Hero } type Hero { id: ID name: String }")
schema.query_type.fields["hero"].resolve = lambda *_: {"id": "5", "name": "Leia"}
client = Client(schema=schema, transport=LocalSchemaTransport(schema))

def fields(document, parse):
    return " ".join(client.execute(gql(document), parse_result=parse)["hero"])

twice = "{ hero { id } hero { name } }"
fragment = "{ hero { id } ...Named } fragment Named on Query { hero { name } }"
print("as sent:", fields(twice, False), end="; ")
print("parsed, two fields:", fields(twice, True), end="; ")
print("parsed, a fragment:", fields(fragment, True))
END
)
expect "Fields of the hero" "$seen" "as sent: id name; parsed, two fields: name; parsed, a fragment: name"
