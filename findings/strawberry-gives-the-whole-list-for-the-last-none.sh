#!/usr/bin/env bash
# Version: Strawberry 0.341.2 (ListConnection) with graphql-core 3.3.2; graphql-relay 3.2.0, which
# graphene uses.
#
# Behaviour: a list has four items. 'first: 0' gives a connection without items. 'last: 0' gives all
# four in Strawberry, with 'hasPreviousPage: false', and none in graphql-relay. It is the same for a
# resolver that returns a list and for one that yields. 'last: 1' gives the last one in both.
#
# Seen: "Strawberry: first 0 none, last 1 4, last 0 1,2,3,4; a generator: first 0 none, last 1 4,
# last 0 1,2,3,4; graphql-relay: first 0 none, last 1 4, last 0 none".
#
# Why it surprises: the server checks that 'last' is not negative, so that 0 is a number like
# others, and both directions are one algorithm. A client that asks for as many items as its window
# lacks, or only for the page's flags, receives the whole list, up to the server's maximum.
#
# Source: Relay's "GraphQL Cursor Connections Specification", 4.4 (EdgesToReturn); Strawberry's
# relay/types.py, ListConnection (edges[-last:], which is the whole list for 0).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2
cat >"$folder/show.py" <<'END'
def show(name, page):
    seen = [f"{key} {size} {','.join(page(key, size)) or 'none'}" for key, size in (("first", 0), ("last", 1), ("last", 0))]
    return f"{name}: {', '.join(seen)}"
END
cat >"$folder/strawberry_lists.py" <<'END'
from collections.abc import Iterable

import strawberry
from strawberry import relay
from show import show

@strawberry.type
class Item(relay.Node):
    number: relay.NodeID[int]

    @strawberry.field
    def name(self) -> str:
        return str(self.number)

@strawberry.type
class Query:
    @relay.connection(relay.ListConnection[Item])
    def list(self) -> Iterable[Item]:
        return [Item(number=number) for number in range(1, 5)]

    @relay.connection(relay.ListConnection[Item])
    def generator(self) -> Iterable[Item]:
        for number in range(1, 5):
            yield Item(number=number)

schema = strawberry.Schema(Query)

def page(field, key, size):
    result = schema.execute_sync(f"{{ {field}({key}: {size}) {{ edges {{ node {{ name }} }} pageInfo {{ hasPreviousPage }} }} }}")
    assert not result.errors
    connection = result.data[field]
    if (key, size) == ("last", 0):
        assert connection["pageInfo"]["hasPreviousPage"] is False
    return [edge["node"]["name"] for edge in connection["edges"]]

print(
    show("Strawberry", lambda *arguments: page("list", *arguments)),
    show("a generator", lambda *arguments: page("generator", *arguments)), sep="; ")
END
expect "ListConnection" "$(python "$folder/strawberry_lists.py")" \
  "Strawberry: first 0 none, last 1 4, last 0 1,2,3,4; a generator: first 0 none, last 1 4, last 0 1,2,3,4"
python_packages graphql-relay==3.2.0 graphql-core==3.2.14
cat >"$folder/relay_lists.py" <<'END'
from graphql_relay import connection_from_array
from show import show

def page(key, size):
    return [str(edge.node) for edge in connection_from_array(list(range(1, 5)), {key: size}).edges]

print(show("graphql-relay", page))
END
expect "graphql-relay" "$(python "$folder/relay_lists.py")" \
  "graphql-relay: first 0 none, last 1 4, last 0 none"
