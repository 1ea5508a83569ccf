#!/usr/bin/env bash
# Version: graphql-core 3.3.2, the reference algorithm of graphql-js.
#
# Behaviour: get_introspection_query() downloads deprecated fields and enum values, but not
# deprecated arguments and input fields: they are missing from the client's schema altogether. With
# input_value_deprecation=True they are there.
#
# Seen: "default: a mutation that the server accepts is not valid on the client; with the option:
# valid".
#
# Why it surprises: deprecation is meant to warn, and does so for fields. For inputs, a schema that
# was downloaded with the tool's defaults says that the argument does not exist, so that marking it
# as deprecated on the server breaks the next build of every client.
#
# Source: GraphQL specification, 4.2 (includeDeprecated of args and inputFields, false by default);
# get_introspection_query.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages graphql-core==3.3.2
seen=$(python - <<'END'
from graphql import build_client_schema, build_schema, get_introspection_query, graphql_sync, parse, validate

server = build_schema("""
  type Query { old: Int @deprecated(reason: "Use f.") f(page: Int @deprecated(reason: "Use cursor."), cursor: ID): Int }
""")
document = parse("{ old f(page: 1) }")
assert not validate(server, document)
for option in (False, True):
    query = get_introspection_query(input_value_deprecation=option)
    client = build_client_schema(graphql_sync(server, query).data)
    print([error.message for error in validate(client, document)] or "valid", end=" ")
END
)
expect "Default, then with the option" "$seen" "[\"Unknown argument 'page' on field 'Query.f'.\"] valid "
