#!/usr/bin/env bash
# Version: graphql-core 3.2.14; the other one is 3.3.2.
#
# Behaviour: 'search(filter: JSON = {limit: 10})', with a custom scalar JSON, is a valid schema and
# runs. Introspection answers with data in which this default is null, and with an error at
# 'defaultValue'; printing the schema raises TypeError. 3.3.2 prints the default in both ways.
#
# Seen: "3.2: default null with 1 error(s), print TypeError; 3.3: default { limit: 10 } with 0
# error(s), print ok".
#
# Why it surprises: one default among thousands of arguments makes every introspection of the server
# a partial response. Tools that refuse a response with errors cannot read the schema at all, and
# those that take its data believe that the argument has no default.
#
# Source: GraphQL specification, 3.5 (any literal may be a value of a custom scalar) and 4.2.7
# (__InputValue.defaultValue); graphql/utilities/ast_from_value.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/defaults.py" <<'END'
from graphql import build_schema, get_introspection_query, graphql_sync, print_schema

schema = build_schema("scalar JSON type Query { search(filter: JSON = {limit: 10}): Int }")
assert graphql_sync(schema, "{ search }").errors is None
result = graphql_sync(schema, get_introspection_query())
query, = (t for t in result.data["__schema"]["types"] if t["name"] == "Query")
default = query["fields"][0]["args"][0]["defaultValue"]
try:
    printed = "ok" if "limit: 10" in print_schema(schema) else "without it"
except TypeError as error:
    printed = type(error).__name__
print(f"default {default or 'null'} with {len(result.errors or [])} error(s), print {printed}")
END
python_packages graphql-core==3.2.14
seen="3.2: $(python "$folder/defaults.py")"
python_packages graphql-core==3.3.2
seen+="; 3.3: $(python "$folder/defaults.py")"
expect "An object as default" "$seen" \
  "3.2: default null with 1 error(s), print TypeError; 3.3: default { limit: 10 } with 0 error(s), print ok"
