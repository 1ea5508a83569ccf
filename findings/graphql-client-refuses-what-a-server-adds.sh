#!/usr/bin/env bash
# Version: graphql-client 0.16.0 for Ruby, with graphql-ruby 1.13.15 (Debian 12).
#
# Behaviour: the client knows the schema as of its last download. When the server has a new value of
# an enum, reading the field raises GraphQL::Client::Error. When a list of a union holds one object
# of a type that is new, reading the list raises InvariantError, also where the query selects
# nothing but '__typename' on it. The objects of known types in the same list cannot be reached.
#
# Seen: "enum: Error; one new type of two items: InvariantError; known items: 1".
#
# Why it surprises: adding a value or a member is what schema tools call dangerous at most, and a
# client with selections by type has said what it ignores. The response is accepted, and only the
# page that reads the field fails, on the day of the server's release.
#
# Source: graphql-client's lib/graphql/client/schema/enum_type.rb and possible_types.rb (cast).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program ruby "ruby ruby-graphql=1.13.15 ruby-graphql-client=0.16.0"
seen=$(ruby -W0 <<'END'
require 'graphql/client'

schema = GraphQL::Schema.from_definition(<<'SCHEMA')
type Query { level: Level search: [Result] }
enum Level { LOW HIGH }
union Result = Book | Film
type Book { title: String }
type Film { title: String }
SCHEMA

class Server
  attr_accessor :data

  def execute(**)
    { "data" => data }
  end
end

server = Server.new
CLIENT = GraphQL::Client.new(schema: schema, execute: server)
LEVEL = CLIENT.parse("{ level }")
SEARCH = CLIENT.parse("{ search { __typename ... on Book { title } } }")

def outcome
  yield
rescue GraphQL::Client::Error => error
  error.class.name.split("::").last
end

book = { "__typename" => "Book", "title" => "Dune" }
server.data = { "level" => "EXTREME" }
levels = outcome { CLIENT.query(LEVEL).data.level }
server.data = { "search" => [book, { "__typename" => "Song" }] }
mixed = outcome { CLIENT.query(SEARCH).data.search.size }
server.data = { "search" => [book] }
known = outcome { CLIENT.query(SEARCH).data.search.size }
puts "enum: #{levels}; one new type of two items: #{mixed}; known items: #{known}"
END
)
expect "What the schema did not have" "$seen" \
  "enum: Error; one new type of two items: InvariantError; known items: 1"
