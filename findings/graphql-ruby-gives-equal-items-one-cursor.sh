#!/usr/bin/env bash
# Version: graphql-ruby 1.13.15 (Debian 12); graphql-relay 3.2.0 on graphql-core 3.2.14 is the other
# one.
#
# Behaviour: for its cursor, a connection over an array seeks the item in the array, and takes the
# place of the first one that is equal. Of "Leia, Luke, Leia, Han, Lando" the third item has the
# cursor of the first. What comes after it begins with the second item once more: in pages of three
# a client receives seven items, and in pages of one it goes round in a circle of two and never
# sees the others. graphql-relay counts, and has a cursor for each.
#
# Seen: "cursors 1 2 1 4 5; pages of 3: Leia Luke Leia, Luke Leia Han, Lando; pages of 1: Leia,
# Luke, Leia, Luke, Leia, Luke, more"; graphql-relay: "cursors 0 1 2 3 4".
#
# Why it surprises: the cursor reads as a place in the list, and it is one for objects that are
# equal only to themselves. Texts, numbers, hashes and structs are compared by what they hold, so
# that a list works until two of its entries are alike. For the client everything is in order:
# 'hasNextPage' is true, and the cursor is one that the server has given out.
#
# Source: Relay's specification of cursor connections, "Pagination algorithm"; graphql-ruby's
# pagination/array_connection.rb, cursor_for, and pagination/relation_connection.rb, which seeks in
# the page in the same way.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program ruby "ruby ruby-graphql=1.13.15"
python_packages graphql-relay==3.2.0 graphql-core==3.2.14
seen=$(ruby -W0 <<'END'
require 'graphql'

class Play < GraphQL::Schema::Object
  field :name, String, null: true

  def name
    object
  end
end

class Query < GraphQL::Schema::Object
  field :plays, Play.connection_type, null: true

  def plays
    %w[Leia Luke Leia Han Lando]
  end
end

class Schema < GraphQL::Schema
  query Query
end

DOCUMENT = "query($first: Int, $after: String) {
  plays(first: $first, after: $after) { edges { cursor node { name } } pageInfo { hasNextPage endCursor } }
}"

def page(first = nil, after = nil)
  Schema.execute(DOCUMENT, variables: { "first" => first, "after" => after })["data"]["plays"]
end

def pages(first)
  seen = []
  after = nil
  6.times do
    got = page(first, after)
    seen << got["edges"].map { |edge| edge["node"]["name"] }.join(" ")
    return seen.join(", ") unless got["pageInfo"]["hasNextPage"]
    after = got["pageInfo"]["endCursor"]
  end
  "#{seen.join(", ")}, more"
end

puts "cursors #{page["edges"].map { |edge| edge["cursor"].unpack1("m") }.join(" ")}; " \
  "pages of 3: #{pages(3)}; pages of 1: #{pages(1)}"
END
)
expect "graphql-ruby" "$seen" \
  "cursors 1 2 1 4 5; pages of 3: Leia Luke Leia, Luke Leia Han, Lando; pages of 1: Leia, Luke, Leia, Luke, Leia, Luke, more"
seen=$(python <<'END'
from graphql_relay import connection_from_array
from graphql_relay.utils import unbase64

edges = connection_from_array("Leia Luke Leia Han Lando".split()).edges
print("cursors", *(unbase64(edge.cursor).split(":")[1] for edge in edges))
END
)
expect "graphql-relay" "$seen" "cursors 0 1 2 3 4"
