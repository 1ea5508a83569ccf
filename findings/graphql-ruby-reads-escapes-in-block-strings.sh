#!/usr/bin/env bash
# Version: graphql-ruby 1.13.15 (Debian 12); graphql-core 3.3.2.
#
# Behaviour: in a block string, graphql-ruby replaces escape sequences as in a quoted string, and
# refuses a backslash that begins none. A description """Matches \d+""" makes its parser refuse the
# whole schema, with "bad Unicode escape sequence", and so does an argument of a query. 'C:\temp' is
# read as 'C:', a tab and 'emp'. graphql-core prints such descriptions as block strings.
#
# Seen: "core: block strings, the same text; ruby: refused, bad Unicode escape sequence; path with a
# tab; in a query: 1 error".
#
# Why it surprises: the specification has a single escape in block strings, for three quotes, and
# regular expressions and paths are what block strings are used for. The message speaks of Unicode,
# and the schema is fine for every other tool until one description has a backslash.
#
# Source: GraphQL specification, 2.9.4 (BlockStringCharacter has one escape sequence, for three
# quotes); graphql-ruby's lib/graphql/language/lexer.rb (emit_string treats both kinds alike).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program ruby "ruby ruby-graphql=1.13.15"
python_packages graphql-core==3.3.2
cd "$folder"
seen=$(python <<'END'
from graphql import GraphQLField, GraphQLObjectType, GraphQLSchema, GraphQLString, build_schema, print_schema

same = True
for name, text in (("pattern", r"Matches \d+"), ("path", r"In C:\temp")):
    query = GraphQLObjectType("Query", {"find": GraphQLField(GraphQLString, description=text)})
    printed = print_schema(GraphQLSchema(query))
    same = same and f'"""{text}"""' in printed
    same = same and build_schema(printed).query_type.fields["find"].description == text
    open(f"{name}.graphql", "w").write(printed)
print("block strings, the same text" if same else "other text")
END
)
expect "graphql-core prints and reads" "$seen" "block strings, the same text"
seen=$(ruby -W0 <<'END'
require 'graphql'

def description(file)
  text = GraphQL::Schema.from_definition(File.read(file)).query.fields["find"].description
  text.include?("\t") ? "path with a tab" : text
rescue GraphQL::ParseError => error
  "refused, #{error.message[/bad [\w ]+/]}"
end

class Query < GraphQL::Schema::Object
  field :find, String, null: true do
    argument :pattern, String, required: true
  end

  def find(pattern:)
    pattern
  end
end

class Schema < GraphQL::Schema
  query Query
end

errors = Schema.execute('{ find(pattern: """\d+""") }').to_h["errors"]
puts "#{description("pattern.graphql")}; #{description("path.graphql")}; in a query: #{errors.size} error"
END
)
expect "graphql-ruby reads" "$seen" \
  'refused, bad Unicode escape sequence; path with a tab; in a query: 1 error'
