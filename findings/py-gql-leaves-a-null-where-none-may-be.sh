#!/usr/bin/env bash
# Version: py-gql 0.6.1 (a server library that is not based on graphql-core); graphql-core 3.3.2 is
# the other one.
#
# Behaviour: where a resolver has null for a field that cannot be null, the response has an error
# with the path, and the null: at 'name: String!', in a list of '[Hero!]', and at a root field.
# Nothing around it becomes null, the 'data' least of all. If the resolver raises instead, it is the
# same.
#
# Seen: "field: {"hero": {"name": null, "age": 19}}; item: {"heroes": [{"age": 19}, null]}; root:
# {"main": null, "hero": {"age": 19}}; raised: {"hero": {"broken": null, "age": 19}}"; graphql-core:
# "field: {"hero": null}; item: {"heroes": null}; root: null; raised: {"hero": null}".
#
# Why it surprises: the library describes the field as NON_NULL, so that a generated client has a
# type without null for it, which cannot be made of this response. A client that takes the part of
# the data outside the path of the error for sound keeps, or shows, an object whose required field
# is missing; one that trusts the type writes the null into its cache.
#
# Source: GraphQL specification, 6.4.4 ("Handling Execution Errors": the null propagates to the
# parent field); py_gql/execution/executor.py, _handle_non_nullable_value.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages py-gql==0.6.1 graphql-core==3.3.2
cat >"$folder/nulls.py" <<'END'
import json
import sys

SDL = """
type Hero { name: String! broken: String! age: Int }
type Query { hero: Hero heroes: [Hero!] main: Hero! }
"""
DOCUMENTS = {
    "field": "{ hero { name age } }",
    "item": "{ heroes { age } }",
    "root": "{ main { age } hero { age } }",
    "raised": "{ hero { broken age } }",
}

def broken(*_):
    raise error("no such text")

hero = {"name": None, "age": 19}
root = {"hero": hero, "heroes": [hero, None], "main": None}
if sys.argv[1] == "py-gql":
    from py_gql import build_schema, graphql_blocking
    from py_gql.exc import ResolverError as error

    schema = build_schema(SDL)
    schema.register_resolver("Hero", "broken", broken)
    answer = lambda document: graphql_blocking(schema, document, root=root).response()
else:
    from graphql import GraphQLError as error, build_schema, graphql_sync

    schema = build_schema(SDL)
    schema.type_map["Hero"].fields["broken"].resolve = broken
    answer = lambda document: graphql_sync(schema, document, root).formatted

seen = []
for name, document in DOCUMENTS.items():
    result = answer(document)
    assert len(result["errors"]) == 1
    seen.append(f"{name}: {json.dumps(result['data'])}")
print("; ".join(seen))
END
expect "py-gql" "$(python "$folder/nulls.py" py-gql)" \
  'field: {"hero": {"name": null, "age": 19}}; item: {"heroes": [{"age": 19}, null]}; root: {"main": null, "hero": {"age": 19}}; raised: {"hero": {"broken": null, "age": 19}}'
expect "graphql-core" "$(python "$folder/nulls.py" graphql-core)" \
  'field: {"hero": null}; item: {"heroes": null}; root: null; raised: {"hero": null}'
