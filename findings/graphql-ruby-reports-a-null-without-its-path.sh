#!/usr/bin/env bash
# Version: graphql-ruby 1.13.15 (Debian 12).
#
# Behaviour: the second of three items has null in a non-null field. The list's nullable element is
# replaced by null, as it should be, and the error has a message only: neither 'path' nor
# 'locations'. An error that the resolver raises itself has both.
#
# Seen: "null: message; raised: message, locations, path".
#
# Why it surprises: the path is what connects an error with the null that it explains, and the
# specification asks for it whenever an error belongs to a field. A client cannot tell this null
# from one that the server meant, nor say which item of the list has failed.
#
# Source: GraphQL specification, 7.1.2 ("If an error can be associated to a particular field in the
# GraphQL result, it must contain an entry with the key path"); lib/graphql/invalid_null_error.rb.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program ruby "ruby ruby-graphql=1.13.15"
seen=$(ruby <<'END'
require 'graphql'

class Hero < GraphQL::Schema::Object
  field :name, String, null: false

  def name
    object[:name] || raise(GraphQL::ExecutionError, "It has no name.")
  end
end

class Ghost < GraphQL::Schema::Object
  field :name, String, null: false, hash_key: :name
end

class Query < GraphQL::Schema::Object
  field :heroes, [Hero, null: true], null: false
  field :ghosts, [Ghost, null: true], null: false

  def heroes
    [{ name: "Leia" }, { name: nil }, { name: "Luke" }]
  end
  alias ghosts heroes
end

class Schema < GraphQL::Schema
  query Query
end

puts({ "null" => "ghosts", "raised" => "heroes" }.map { |cause, field|
  result = Schema.execute("{ #{field} { name } }").to_h
  raise result.inspect unless result["data"][field].map { |hero| hero && hero["name"] } == ["Leia", nil, "Luke"]
  "#{cause}: #{result["errors"].flat_map(&:keys).join(", ")}"
}.join("; "))
END
)
expect "The entries of an error" "$seen" "null: message; raised: message, locations, path"
