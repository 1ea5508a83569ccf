#!/usr/bin/env bash
# Version: graphlient 0.5.0 for Ruby, with graphql-ruby 1.13.15 (Debian 12), which judges the
# queries.
#
# Behaviour: a query may be written as a block of Ruby, 'commit(id: "5") { id; hash; message }',
# where each name that is no method becomes a field. Each object has a method 'hash', so that it is
# called, and the field is not in the query. It is the same with 'object_id' and 'rand'. 'format',
# 'method', 'test' and 'select' raise ArgumentError. 'query' and 'mutation' work, because the
# library expects them. A value of an enum, ':RED', is written as 'rED', and raises in a query
# without variables; nil is written as nothing. Neither is valid. In a text, all of it works.
#
# Seen: "block: id message, valid; text: id hash message, valid; dropped: hash object_id rand;
# raised: format method select test; sent: mutation query; enum: rED, not valid; nil: not valid; in
# a text: valid".
#
# Why it surprises: the query is valid and the response is a success. What is missing fails later,
# where 'hash' of the response is asked for, and that need not fail either. Which names work is
# Ruby's affair and not the schema's: a field for the checksum of a file, or the format of an image,
# is the exception.
#
# Source: graphlient's lib/graphlient/query.rb (method_missing, argument_value_string); Ruby's
# documentation of Kernel and Object.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program ruby "ruby ruby-graphlient=0.5.0 ruby-graphql=1.13.15"
seen=$(ruby -W0 - <<'END'
require "graphlient"

FIELDS = %w[format hash method mutation object_id query rand select test]
SCHEMA = GraphQL::Schema.from_definition(<<~SDL)
  type Query { commit(id: ID!, color: Color, rank: Int): Commit }
  enum Color { RED }
  type Commit { id: ID message: String #{FIELDS.map { |name| "#{name}: String" }.join(" ")} }
SDL

def end_of(query)
  SCHEMA.validate(query.to_s).empty? ? "valid" : "not valid"
rescue GraphQL::ParseError
  "not valid"
end

# The names of the fields of the commit.
def selected(query)
  GraphQL.parse(query.to_s).definitions[0].selections[0].selections.map(&:name)
end

ends = FIELDS.group_by do |field|
  built = Graphlient::Query.new { query { commit(id: "5") { id; instance_eval(field); message } } }
  selected(built) == ["id", field, "message"] ? "sent" : "dropped"
rescue ArgumentError
  "raised"
end

block = Graphlient::Query.new { query { commit(id: "5") { id; hash; message } } }
text = 'query { commit(id: "5") { id hash message } }'
color = Graphlient::Query.new { query(id: :id!) { commit(id: :id, color: :RED) { id } } }
none = Graphlient::Query.new { query { commit(id: "5", rank: nil) { id } } }
puts [
  "block: #{selected(block).join(" ")}, #{end_of(block)}", "text: #{selected(text).join(" ")}, #{end_of(text)}",
  *%w[dropped raised sent].map { |key| "#{key}: #{ends[key].join(" ")}" },
  "enum: #{color.to_s[/color: (\w+)/, 1]}, #{end_of(color)}", "nil: #{end_of(none)}",
  "in a text: #{end_of('{ commit(id: "5", color: RED, rank: null) { id } }')}"
].join("; ")
END
)
expect "Fields and values" "$seen" \
  "block: id message, valid; text: id hash message, valid; dropped: hash object_id rand; raised: format method select test; sent: mutation query; enum: rED, not valid; nil: not valid; in a text: valid"
