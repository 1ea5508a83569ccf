#!/usr/bin/env bash
# Version: graphql-http 3.0.0 (the Python server) on graphql-core 3.3.2.
#
# Behaviour: a mutation books an order and then fails at a field that cannot be null, so that its
# data is null. The response has errors and no key 'data', just as the response to a document that
# was refused before anything ran. graphql-core's own result has the key.
#
# Seen: "executed: keys errors, 1 order; refused: keys errors, 1 order; graphql-core: keys data
# errors, 2 orders".
#
# Why it surprises: the key is the specification's sign for "execution has begun". By it a client
# decides that a refused mutation may be sent again, and here it books a second order. Only fields
# that may be null are in most tests, and those have the key.
#
# Source: GraphQL specification, 7.1 and 7.1.1 (data is null when execution failed, absent when it
# has not begun); graphql_http/helpers.py, format_execution_result.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages graphql-http==3.0.0 graphql-core==3.3.2 httpx==0.28.1
seen=$(python -W ignore 2>/dev/null <<'END'
from graphql import build_schema, graphql_sync
from graphql_http import GraphQLHTTP

schema = build_schema("""
  type Query { a: Int }
  type Mutation { order: Order! }
  type Order { number: Int! receipt: String! }
""")
orders = []

def order(*_):
    orders.append("order")
    return {"number": len(orders)}

schema.mutation_type.fields["order"].resolve = order
client = GraphQLHTTP(schema=schema).client()

def shown(result):
    assert result.get("data") is None and len(result["errors"]) == 1
    return f"keys {' '.join(sorted(result))}, {len(orders)} order{'s' if len(orders) > 1 else ''}"

def post(document):
    return shown(client.post("/", json={"query": document}).json())

document = "mutation { order { number receipt } }"
print("executed:", post(document), end="; ")
print("refused:", post("mutation { order { number recipe } }"), end="; ")
print("graphql-core:", shown(graphql_sync(schema, document).formatted))
END
)
expect "Responses" "$seen" \
  "executed: keys errors, 1 order; refused: keys errors, 1 order; graphql-core: keys data errors, 2 orders"
