#!/usr/bin/env bash
# Version: graphql-relay 3.2.0, which graphene 3.4.3 uses for its connections.
#
# Behaviour: the server gave out a cursor for the last item of a list, then items were removed, so
# that the cursor lies behind the new end. 'first: 2' after this cursor gives the first two items of
# the list again, with 'hasNextPage: true'. Strawberry 0.341.2 gives an empty page without a next
# one in the same case.
#
# Seen: "graphql-relay: 0, 1, more; Strawberry: nothing more".
#
# Why it surprises: the algorithm of the Relay specification removes nothing for a cursor that it
# does not find, which reads like a detail. A client that loads pages until 'hasNextPage' is false
# gets the whole list a second time after one deletion, and for ever if each round meets one.
#
# Source: GraphQL Cursor Connections Specification, "ApplyCursorsToEdges";
# graphql_relay/connection/array_connection.py (connection_from_array_slice);
# strawberry/relay/utils.py (SliceMetadata).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages graphene==3.4.3 graphql-relay==3.2.0
seen="graphql-relay: $(python <<'END'
import graphene
from graphene import relay

class Item(graphene.ObjectType):
    class Meta:
        interfaces = (relay.Node,)

    number = graphene.Int()

class Items(relay.Connection):
    class Meta:
        node = Item

class Query(graphene.ObjectType):
    items = relay.ConnectionField(Items)

    def resolve_items(root, info, **arguments):
        return [Item(id=n, number=n) for n in range(root)]

schema = graphene.Schema(query=Query)
last = schema.execute("{ items { pageInfo { endCursor } } }", root=6).data["items"]["pageInfo"]["endCursor"]
page = schema.execute(
    "query($after: String) { items(first: 2, after: $after) { pageInfo { hasNextPage } edges { node { number } } } }",
    root=4, variables={"after": last}).data["items"]
numbers = [str(edge["node"]["number"]) for edge in page["edges"]] or ["nothing"]
print(", ".join(numbers), "more", sep=", " if page["pageInfo"]["hasNextPage"] else " ")
END
)"
python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2
seen+="; Strawberry: $(python <<'END'
import strawberry
from strawberry import relay

@strawberry.type
class Item(relay.Node):
    number: relay.NodeID[int]

count = 6

@strawberry.type
class Query:
    @relay.connection(relay.ListConnection[Item])
    def items(self) -> list[Item]:
        return [Item(number=n) for n in range(count)]

schema = strawberry.Schema(Query)
last = schema.execute_sync("{ items { pageInfo { endCursor } } }").data["items"]["pageInfo"]["endCursor"]
count = 4
page = schema.execute_sync(
    "query($after: String) { items(first: 2, after: $after) { pageInfo { hasNextPage } edges { node { id } } } }",
    variable_values={"after": last}).data["items"]
numbers = [edge["node"]["id"] for edge in page["edges"]] or ["nothing"]
print(", ".join(numbers), "more", sep=", " if page["pageInfo"]["hasNextPage"] else " ")
END
)"
expect "First two items after a cursor behind the end" "$seen" \
  "graphql-relay: 0, 1, more; Strawberry: nothing more"
