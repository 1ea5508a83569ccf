#!/usr/bin/env bash
# Version: pygqlc 3.10.0; graphql-core 3.3.2 executes the queries.
#
# Behaviour: a program asks for the list of films, puts an advertisement behind it, and asks again,
# by the same query or by another one with an equal response. The server is asked each time, and
# responds with two films. The second result has one advertisement, the third one two: what one
# caller has done to its result is in all that follow, as long as the response does not change.
# Where it changes, the list is new. With 'flatten=False' each result is the server's.
#
# Seen: "IV V, then IV V ad, then IV V ad ad, of another query IV V ad ad ad; server: asked 4 times,
# IV V; changed: IV V VI; flatten=False: IV V, then IV V".
#
# Why it surprises: the client has no cache of responses: it sends every query. What it remembers by
# the text of the response is a step behind it, the removal of outer objects, and the result of that
# is the object itself. A test with one call, or with a server whose response differs each time, has
# nothing of it. A response that has not changed looks changed to whoever compares it, and the data
# of one user's request is shown to another.
#
# Source: Python's documentation, functools.lru_cache (the same object is returned for equal
# arguments); pygqlc/GraphQLClient.py, data_flatten and _data_flatten_cacheable.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages pygqlc==3.10.0 graphql-core==3.3.2
seen=$(library_python <<'END'
import graphql
from answers import serve
from pygqlc import GraphQLClient

schema = graphql.build_schema("type Query { films(of: String): [String!]! }")
films, responses = ["IV", "V"], []

def answer(sent, _):
    result = graphql.graphql_sync(schema, sent["query"], {"films": lambda info, of=None: films}).formatted
    responses.append(" ".join(result["data"]["films"]))
    return result

client = GraphQLClient()
client.addEnvironment("here", url=serve(answer), wss="ws://127.0.0.1/", headers={}, default=True)

def ask(query="{ films }", **options):
    data, errors = client.query(query, **options)
    assert not errors
    found = data if options == {} else data["data"]["films"]
    seen = " ".join(found)
    found.append("ad")
    return seen

first = [ask() for _ in range(3)]
another = ask('{ films(of: "Leia") }')
asked = f"server: asked {len(responses)} times, {'; '.join(sorted(set(responses)))}"
films.append("VI")
changed = ask()
films.pop()
whole = [ask(flatten=False) for _ in range(2)]
print(f"{', then '.join(first)}, of another query {another}; {asked}; changed: {changed}; flatten=False: {', then '.join(whole)}")
END
)
expect "Films" "$seen" \
  "IV V, then IV V ad, then IV V ad ad, of another query IV V ad ad ad; server: asked 4 times, IV V; changed: IV V VI; flatten=False: IV V, then IV V"
