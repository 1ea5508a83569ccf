#!/usr/bin/env bash
# Version: graphql-ruby 1.13.15 (Debian 12); graphql-relay 3.2.0 on graphql-core 3.2.14 is the other
# one.
#
# Behaviour: a connection over an array of five items. 'before' the fourth one gives three items,
# and 'after' the first one gives four. With both arguments the item of 'before' is in the page,
# too, and 'last: 1' gives just this item. 'before: the second, after: the first', between which
# there is nothing, gives the second. graphql-relay leaves out both ends.
#
# Seen: "before 4: 1 2 3; after 1: 2 3 4 5; after 1 before 4: 2 3 4; the last of these: 4; after 1
# before 2: 2"; graphql-relay: "before 4: 1 2 3; after 1: 2 3 4 5; after 1 before 4: 2 3; the last
# of these: 3; after 1 before 2: nothing".
#
# Why it surprises: each of the arguments is right by itself, which is what servers are tested for.
# Both together are what a client uses to fill the gap between two parts of a list that it has: it
# shows the item at the edge of the gap twice. One that goes on "until the gap gives nothing"
# receives an item each time.
#
# Source: Relay's specification of cursor connections, "Pagination algorithm", ApplyCursorsToEdges;
# graphql-ruby's pagination/array_connection.rb, load_nodes.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program ruby "ruby ruby-graphql=1.13.15"
python_packages graphql-relay==3.2.0 graphql-core==3.2.14
seen=$(ruby -W0 <<'END'
require 'graphql'

class Item < GraphQL::Schema::Object
  field :number, Integer, null: true

  def number
    object
  end
end

class Query < GraphQL::Schema::Object
  field :items, Item.connection_type, null: true

  def items
    [1, 2, 3, 4, 5]
  end
end

class Schema < GraphQL::Schema
  query Query
end

DOCUMENT = "query($after: String, $before: String, $last: Int) {
  items(after: $after, before: $before, last: $last) { edges { cursor node { number } } }
}"

def edges(variables)
  Schema.execute(DOCUMENT, variables: variables)["data"]["items"]["edges"]
end

cursors = edges({}).map { |edge| edge["cursor"] }
puts([
  ["before 4", { "before" => cursors[3] }], ["after 1", { "after" => cursors[0] }],
  ["after 1 before 4", { "after" => cursors[0], "before" => cursors[3] }],
  ["the last of these", { "after" => cursors[0], "before" => cursors[3], "last" => 1 }],
  ["after 1 before 2", { "after" => cursors[0], "before" => cursors[1] }]
].map { |name, variables|
  numbers = edges(variables).map { |edge| edge["node"]["number"] }
  "#{name}: #{numbers.empty? ? "nothing" : numbers.join(" ")}"
}.join("; "))
END
)
expect "graphql-ruby" "$seen" \
  "before 4: 1 2 3; after 1: 2 3 4 5; after 1 before 4: 2 3 4; the last of these: 4; after 1 before 2: 2"
seen=$(python <<'END'
from graphql_relay import connection_from_array, offset_to_cursor

print("; ".join(
    f"{name}: {' '.join(str(edge.node) for edge in connection_from_array([1, 2, 3, 4, 5], arguments).edges) or 'nothing'}"
    for name, arguments in (
        ("before 4", {"before": offset_to_cursor(3)}),
        ("after 1", {"after": offset_to_cursor(0)}),
        ("after 1 before 4", {"after": offset_to_cursor(0), "before": offset_to_cursor(3)}),
        ("the last of these", {"after": offset_to_cursor(0), "before": offset_to_cursor(3), "last": 1}),
        ("after 1 before 2", {"after": offset_to_cursor(0), "before": offset_to_cursor(1)}))))
END
)
expect "graphql-relay" "$seen" \
  "before 4: 1 2 3; after 1: 2 3 4 5; after 1 before 4: 2 3; the last of these: 3; after 1 before 2: nothing"
