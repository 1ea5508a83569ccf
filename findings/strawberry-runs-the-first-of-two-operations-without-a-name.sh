#!/usr/bin/env bash
# Version: Strawberry 0.341.2, which is built on graphql-core 3.3.2.
#
# Behaviour: a document with two operations and no 'operationName' is executed by Strawberry: the
# first operation, without an error. graphql-core's own execution of the same document refuses it.
#
# Seen: "Strawberry: {'first': 1}; graphql-core: Must provide operation name if query contains
# multiple operations.".
#
# Why it surprises: the specification (6.1, GetOperation) makes it a request error, because nothing
# says which operation is meant. A client with the name in the wrong member gets the data of
# another operation, or carries out another mutation, instead of an error.
#
# Source: GraphQL specification, section 6.1; strawberry/types/execution.py, _get_first_operation.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2
seen() { python - "$1" <<'END' 2>/dev/null
import sys
import graphql, strawberry

@strawberry.type
class Query:
    a: int = 1

schema = strawberry.Schema(Query)
document = "query One { first: a } query Two { second: a }"
if sys.argv[1] == "strawberry":
    result = schema.execute_sync(document, root_value=Query())
else:
    result = graphql.graphql_sync(graphql.build_schema(schema.as_str()), document)
print(result.data or result.errors[0].message)
END
}
expect "Strawberry" "$(seen strawberry)" "{'first': 1}"
expect "graphql-core" "$(seen core)" "Must provide operation name if query contains multiple operations."
