#!/usr/bin/env bash
# Version: magql 1.1.1 and gql 4.4.0 on graphql-core 3.3.2.
#
# Behaviour: a client of gql knows its server's schema and parses the response. A text for Int,
# Float or Boolean is an error: "5", "1.5", "on". From 'import magql' on, it takes the number 5, the
# number 1.5 and true from the same response, with nothing of Magql called. Magql's own schema, for
# which it has this change, refuses these texts as the values of variables.
#
# Seen: "client: Int refused, Float refused, Boolean refused; with magql: Int 5, Float 1.5, Boolean
# True; magql's own: Int refused, Float refused, Boolean refused".
#
# Why it surprises: the two have nothing in common but graphql-core, whose built-in scalars are
# objects of the process. Magql replaces a function of these in place, to accept what HTML forms
# send, as its documentation says. graphql-core 3.3 coerces inputs by a function with another name,
# 'coerce_input_value', and has the former one, 'parse_value', for older programs. What is meant for
# a server's inputs now has an effect on clients alone, and hides a server's wrong type from them.
#
# Source: GraphQL specification, 3.5.1 "Int", 3.5.2 "Float", 3.5.4 "Boolean"; Magql's documentation,
# "Scalars" (Int "accepts string values"); magql/scalars.py ('graphql.GraphQLInt.parse_value =
# parse_int'); gql/utilities/parse_result.py ('parse_value').
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages magql==1.1.1 gql==4.4.0 graphql-core==3.3.2
cat >"$folder/scalars.py" <<'END'
from gql import gql
from gql.utilities import parse_result
from graphql import GraphQLError, build_schema

TEXTS = (("Int", "5"), ("Float", "1.5"), ("Boolean", "on"))
schema = build_schema("type Query { takeInt: Int, takeFloat: Float, takeBoolean: Boolean }")

def parsed(type, text):
    try:
        return parse_result(schema, gql(f"{{ take{type} }}").document, {f"take{type}": text})[f"take{type}"]
    except GraphQLError:
        return "refused"

def seen(function):
    return ", ".join(f"{type} {function(type, text)}" for type, text in TEXTS)

before = seen(parsed)
import magql

own = magql.Schema()
for type, _ in TEXTS:
    own.query.fields[f"take{type}"] = magql.Field(
        "String!", args={"value": magql.Argument(f"{type}!")}, resolve=lambda parent, info, **values: repr(values["value"]))

def executed(type, text):
    document = f"query ($value: {type}!) {{ take{type}(value: $value) }}"
    assert not own.execute(document, variables={"value": {"Int": 5, "Float": 1.5, "Boolean": True}[type]}).errors
    result = own.execute(document, variables={"value": text})
    return "refused" if result.errors else result.data[f"take{type}"]

print(f"client: {before}; with magql: {seen(parsed)}; magql's own: {seen(executed)}")
END
expect "seen" "$(python "$folder/scalars.py")" \
  "client: Int refused, Float refused, Boolean refused; with magql: Int 5, Float 1.5, Boolean True; magql's own: Int refused, Float refused, Boolean refused"
