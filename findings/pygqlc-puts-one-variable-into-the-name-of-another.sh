#!/usr/bin/env bash
# Version: pygqlc 3.10.0; graphql-core 3.3.2 executes what it sends.
#
# Behaviour: a batch of mutations is made of documents with variables. Its 'append' replaces '$id'
# by the value wherever these characters are, also at the beginning of '$id2'. With the variables id
# 1 and id2 7, the mutation 'merge(id: $id, id2: $id2)' is sent as 'merge(id: 1, id2: 12)', and the
# server merges hero 12. If the variables are named in the other order, id2 is 7. A text with '$'
# and the name of another variable has that one's value in it, and a quote or a list in a value, or
# a variable without a value, makes the whole batch a syntax error. 'mutate' sends the same
# variables as they are.
#
# Seen: "batch: id first 1+12, id2 first 1+7, 'costs $id' -> 'costs 5', quote refused, list refused,
# absent refused; mutate: id first 1+7, id2 first 1+7, 'costs $id' -> 'costs $id', quote 1, list 1,
# absent 1" (a 1 for what is carried out).
#
# Why it surprises: variables exist so that values need not be written into a document. Both methods
# take the same two arguments, and a batch is what one turns to when the calls become many. The
# wrong number is a valid one, the response is a success, and the order of a dictionary, which means
# nothing in JSON, decides.
#
# Source: GraphQL specification, 2.10 (a variable is a name behind '$') and 2.1.9 (names);
# pygqlc/MutationBatch.py, append, and MutationParser.py, format_value.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages pygqlc==3.10.0 graphql-core==3.3.2
seen=$(library_python <<'END'
import graphql
from answers import serve
from pygqlc import GraphQLClient

schema = graphql.build_schema("""
  type Query { ping: String }
  type Mutation { merge(id: Int!, id2: Int!): Done note(text: String!, id: Int, tags: [String!]): Done }
  type Done { ok: Boolean }
""")
calls = []

def carry_out(info, **arguments):
    calls.append(arguments)
    return {"ok": True}

def answer(sent, _):
    root = {"merge": carry_out, "note": carry_out}
    return graphql.graphql_sync(schema, sent["query"], root, variable_values=sent.get("variables")).formatted

client = GraphQLClient()
client.addEnvironment("here", url=serve(answer), wss="ws://127.0.0.1/", headers={}, default=True)

def batch(document, variables):
    mutations = client.batchMutate(label="one")
    mutations.append(document, variables)
    client.mutate(mutations.get_doc())

MERGE = "mutation Merge($id: Int!, $id2: Int!) { merge(id: $id, id2: $id2) { ok } }"
NOTE = "mutation Note($text: String!, $id: Int, $tags: [String!]) { note(text: $text, id: $id, tags: $tags) { ok } }"

def carried_out(send, document, variables):
    calls.clear()
    send(document, variables)
    return calls[0] if calls else None

for name, send in (("batch", batch), ("mutate", client.mutate)):
    ids = [carried_out(send, MERGE, values) for values in ({"id": 1, "id2": 7}, {"id2": 7, "id": 1})]
    price = carried_out(send, NOTE, {"text": "costs $id", "id": 5, "tags": None})["text"]
    rest = [
        carried_out(send, NOTE, values)
        for values in ({"text": 'a "b"', "id": 5, "tags": None}, {"text": "a", "id": 5, "tags": ["b"]}, {"text": "a", "id": 5})
    ]
    ends = ["refused" if call is None else 1 for call in rest]
    print(f"{name}: id first {ids[0]['id']}+{ids[0]['id2']}, id2 first {ids[1]['id']}+{ids[1]['id2']},", end=" ")
    print(f"'costs $id' -> '{price}', quote {ends[0]}, list {ends[1]}, absent {ends[2]}", end="; ")
END
)
expect "Arguments" "${seen%; }" \
  "batch: id first 1+12, id2 first 1+7, 'costs \$id' -> 'costs 5', quote refused, list refused, absent refused; mutate: id first 1+7, id2 first 1+7, 'costs \$id' -> 'costs \$id', quote 1, list 1, absent 1"
