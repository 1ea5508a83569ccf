#!/usr/bin/env bash
# Version: bramble-graphql 0.3.1 (the server library with a parser in Rust); graphql-core 3.3.2 is
# the other one.
#
# Behaviour: a variable with a default that the request leaves out has no value. The argument that
# it is for then gets the default of the schema, or none: 'query($first: Int = 3)' is answered with
# 100 items. Where the schema has no default for it, the field fails because of a missing parameter,
# and where the variable is that of '@include' or '@skip', the whole request is refused as if the
# variable had not been declared. With the value in the request, all of them are right.
#
# Seen: "page: first 100; needed: failed; @include: refused; page, sent: first 3; needed, sent:
# first 3; @include, sent: first 100"; graphql-core: "page: first 3; needed: first 3; @include:
# first 100", and the same for those that are sent.
#
# Why it surprises: the document passes the validation, in which the default counts: an argument
# that must not be null takes the variable because of it. A client that leaves the value to the
# default receives another page without an error, and its cache, which takes the arguments from the
# document, keeps this page for 'first: 3'.
#
# Source: GraphQL specification, 6.1.2 (CoerceVariableValues: the default, if there is no value) and
# 5.8.5; bramble/_execution.py (variable_values reaches the resolvers as it was sent).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages bramble-graphql==0.3.1 graphql-core==3.3.2
cat >"$folder/requests.py" <<'END'
import sys

DOCUMENTS = {
    "page": "query($first: Int = 3) { answer: page(first: $first) }",
    "needed": "query($first: Int = 3) { answer: needed(first: $first) }",
    "@include": "query($on: Boolean = true) { answer: page @include(if: $on) }",
}

def of_bramble():
    import bramble

    @bramble.type
    class Query:
        @bramble.field
        def page(first: int = 100) -> str | None:
            return f"first {first}"

        @bramble.field
        def needed(first: int) -> str | None:
            return f"first {first}"

    schema = bramble.Schema(query=Query)

    def answer(document, variables):
        try:
            return schema.execute(document, variable_values=variables)
        except bramble.GraphQLError:
            return None
    return answer

def of_graphql_core():
    from graphql import build_schema, graphql_sync

    schema = build_schema("type Query { page(first: Int! = 100): String needed(first: Int!): String }")
    first = lambda *_, first: f"first {first}"
    schema.query_type.fields["page"].resolve = schema.query_type.fields["needed"].resolve = first
    return lambda document, variables: graphql_sync(schema, document, variable_values=variables).formatted

def end(result):
    if result is None or result["data"] is None:
        return "refused"
    return "failed" if "errors" in result else result["data"]["answer"]

answer = {"bramble": of_bramble, "graphql-core": of_graphql_core}[sys.argv[1]]()
seen = [f"{name}: {end(answer(document, {}))}" for name, document in DOCUMENTS.items()]
for name, document in DOCUMENTS.items():
    variables = {"on": True} if name == "@include" else {"first": 3}
    seen.append(f"{name}, sent: {end(answer(document, variables))}")
print("; ".join(seen))
END
sent="page, sent: first 3; needed, sent: first 3; @include, sent: first 100"
expect "bramble" "$(python "$folder/requests.py" bramble)" \
  "page: first 100; needed: failed; @include: refused; $sent"
expect "graphql-core" "$(python "$folder/requests.py" graphql-core)" \
  "page: first 3; needed: first 3; @include: first 100; $sent"
