#!/usr/bin/env bash
# Version: graphql-ruby 1.13.15 (Debian 12); graphql-core 3.3.2.
#
# Behaviour: a schema that works in graphql-ruby, and answers introspection, is printed by
# 'to_definition'. Three quotes in a description are not escaped, so that the text ends there for
# each parser, graphql-ruby's included. A list argument whose default is one value, 'ids: [ID!] =
# 5', is not printed at all: NoMethodError.
#
# Seen: "quotes: printed, read by graphql-core: GraphQLSyntaxError, by graphql-ruby: ParseError;
# default: NoMethodError".
#
# Why it surprises: descriptions of fields that take GraphQL or Python contain three quotes in their
# examples. The dump is a file in the repository from which clients are generated, and it is written
# without an error. A single value for a list is valid wherever a list is.
#
# Source: GraphQL specification, 2.9.4 (block strings escape three quotes) and 3.11 (a value that is
# no list is coerced to one); graphql-ruby's lib/graphql/language/block_string.rb and
# document_from_schema_definition.rb, build_default_value.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program ruby "ruby ruby-graphql=1.13.15"
python_packages graphql-core==3.3.2
cd "$folder"
seen=$(ruby -W0 <<'END'
require 'graphql'

class Query < GraphQL::Schema::Object
  field :run, String, null: true, description: 'Runs code, as in f("""text""").' do
    argument :code, String, required: true
  end
end

class Schema < GraphQL::Schema
  query Query
end

raise "no schema" if Schema.execute("{ __schema { queryType { name } } }").to_h["errors"]
printed = Schema.to_definition
File.write("schema.graphql", printed)
begin
  GraphQL::Schema.from_definition(printed)
rescue GraphQL::ParseError => error
  puts error.class.name.split("::").last
end
END
)
core=$(python <<'END'
from graphql import GraphQLSyntaxError, build_schema

try:
    build_schema(open("schema.graphql").read())
except GraphQLSyntaxError as error:
    print(type(error).__name__)
END
)
printed=$(ruby -W0 <<'END'
require 'graphql'

schema = GraphQL::Schema.from_definition("type Query { heroes(ids: [ID!] = 5): String }")
raise "no schema" if schema.execute("{ __schema { queryType { name } } }").to_h["errors"]
begin
  puts schema.to_definition
rescue StandardError => error
  puts error.class
end
END
)
expect "Printing" \
  "quotes: printed, read by graphql-core: $core, by graphql-ruby: $seen; default: $printed" \
  "quotes: printed, read by graphql-core: GraphQLSyntaxError, by graphql-ruby: ParseError; default: NoMethodError"
