#!/usr/bin/env bash
# Version: graphql-ruby 1.13.15 (Debian 12); graphql-core 3.2.14.
#
# Behaviour: a field of type Int resolves to 2^31, beside a field that is fine. graphql-ruby raises
# IntegerEncodingError out of the execution of the whole operation, so that a server responds with
# status 500 and no GraphQL response. graphql-core gives null for this field with an error, and the
# other field.
#
# Seen: "ruby: IntegerEncodingError; core: data of the other field, 1 error".
#
# Why it surprises: null instead of a name in the same place is a field error in both. A counter
# that grows beyond 2^31 takes down each query that mentions it, and those of other clients not.
#
# Source: GraphQL specification, 3.5.1 (an Int out of range must raise a field error);
# graphql-ruby's lib/graphql/integer_encoding_error.rb.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program ruby "ruby ruby-graphql=1.13.15"
seen="ruby: $(ruby <<'END'
require 'graphql'

class Query < GraphQL::Schema::Object
  field :views, Int, null: true
  field :title, String, null: true

  def views
    2**31
  end

  def title
    "Counted"
  end
end

class Schema < GraphQL::Schema
  query Query
end

begin
  p Schema.execute("{ views title }").to_h
rescue StandardError => error
  puts error.class.name.split("::").last
end
END
)"
python_packages graphql-core==3.2.14
seen+="; core: $(python <<'END'
from graphql import build_schema, graphql_sync

result = graphql_sync(
    build_schema("type Query { views: Int title: String }"), "{ views title }",
    {"views": 2**31, "title": "Counted"})
assert result.data == {"views": None, "title": "Counted"}
print(f"data of the other field, {len(result.errors)} error")
END
)"
expect "Int 2^31" "$seen" "ruby: IntegerEncodingError; core: data of the other field, 1 error"
