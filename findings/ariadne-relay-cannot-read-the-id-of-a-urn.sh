#!/usr/bin/env bash
# Version: Ariadne 1.1.1 (ariadne.contrib.relay) and Strawberry 0.341.2 on graphql-core 3.3.2;
# graphql-relay 3.2.0 on graphql-core 3.2.14.
#
# Behaviour: the key of a film is "urn:film:5". Each library makes a global id of the type's name
# and the key, and the three are equal. With Ariadne's own function the field 'film' responds with
# that id, and 'node' with the same id raises a TypeError: the text is divided at each colon, and
# not at the first one only. Where the key is "5", the resolver of the node is given the global id
# and not the key, so that it has to decode it once more.
#
# Seen: "Ariadne: 5 read, resolver has RmlsbTo1, urn:film:5 TypeError; Strawberry: 5 read,
# urn:film:5 read; graphql-relay: 5 read, urn:film:5 read".
#
# Why it surprises: a library's two functions are each other's inverse for most keys, and the one
# that makes an id refuses nothing. The object is in each list and on each page, and only a client
# that fetches it again, as Relay does, meets the error. Keys of two columns are often written with
# a colon.
#
# Source: GraphQL Global Object Identification specification, "Node root field"; graphql-relay's
# fromGlobalId (the first colon ends the type); ariadne/contrib/relay/utils.py, decode_global_id,
# and objects.py, resolve_node.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne==1.1.1 strawberry-graphql==0.341.2 graphql-core==3.3.2
seen=$(python 2>/dev/null <<'END'
from base64 import b64encode

from ariadne import make_executable_schema
from ariadne.contrib.relay import RelayObjectType, RelayQueryType, decode_global_id, encode_global_id
from graphql import graphql_sync
from strawberry.relay import from_base64, to_base64

given = []
query, film = RelayQueryType(), RelayObjectType("Film")
query.set_field("film", lambda _, info, key: {"id": encode_global_id("Film", key)})
query.node.set_type_resolver(lambda *_: "Film")

@film.node_resolver
def resolve_film(_, info, id):
    given.append(id)
    return {"id": encode_global_id(*decode_global_id(id))}

schema = make_executable_schema("""
  type Query { film(key: String!): Film! node(id: ID!): Node }
  interface Node { id: ID! }
  type Film implements Node { id: ID! }
""", *query.bindables, film)

def node(key):
    made = graphql_sync(schema, f'{{ film(key: "{key}") {{ id }} }}').data["film"]["id"]
    assert made == to_base64("Film", key) == b64encode(b"Film:" + key.encode()).decode()
    result = graphql_sync(schema, f'{{ node(id: "{made}") {{ id }} }}')
    if result.errors:
        return type(result.errors[0].original_error).__name__
    assert result.data["node"] == {"id": made}
    return "read"

print(f"Ariadne: 5 {node('5')}, resolver has {given.pop()}, urn:film:5 {node('urn:film:5')}", end="; ")
for key in ("5", "urn:film:5"):
    assert from_base64(to_base64("Film", key)) == ("Film", key)
print("Strawberry: 5 read, urn:film:5 read")
END
)
expect "graphql-core 3.3" "$seen" \
  "Ariadne: 5 read, resolver has RmlsbTo1, urn:film:5 TypeError; Strawberry: 5 read, urn:film:5 read"
python_packages graphql-relay==3.2.0 graphql-core==3.2.14
seen=$(python <<'END'
from base64 import b64encode

from graphql_relay import from_global_id, to_global_id

for key in ("5", "urn:film:5"):
    assert to_global_id("Film", key) == b64encode(b"Film:" + key.encode()).decode()
    assert from_global_id(to_global_id("Film", key)) == ("Film", key)
print("graphql-relay: 5 read, urn:film:5 read")
END
)
expect "graphql-core 3.2" "$seen" "graphql-relay: 5 read, urn:film:5 read"
