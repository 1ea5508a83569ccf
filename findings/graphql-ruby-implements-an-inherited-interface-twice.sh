#!/usr/bin/env bash
# Version: graphql-ruby 1.13.15 (Debian 12); graphql-core 3.3.2.
#
# Behaviour: the interface Named implements Node, and the type Hero implements both, as it must.
# graphql-ruby adds the interfaces of an interface to those that are named, and so has Node twice.
# Introspection lists it twice, and 'to_definition' prints 'implements Named & Node & Node', for a
# schema from SDL and for one of Ruby classes. graphql-core builds the client's schema of either,
# and refuses to validate any document with it. Of a repeatable directive that is applied twice, the
# last one is kept.
#
# Seen: "SDL: Named Node Node; classes: Named Node Node; printed, and introspected: Type Hero can
# only implement Node once.; applied: @tag(name: "b")".
#
# Why it surprises: naming both is required since interfaces can implement interfaces, and for each
# schema without that nothing is wrong. The server validates and executes documents with this
# schema; code generators and clients elsewhere stop at it, and the schema they complain of was
# written by a tool.
#
# Source: GraphQL specification, 3.6 (a type must declare the interfaces of its interfaces, each
# once) and 3.13 (repeatable); graphql-ruby's schema/member/has_interfaces.rb, implements, and
# schema/member/has_directives.rb.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program ruby "ruby ruby-graphql=1.13.15"
python_packages graphql-core==3.3.2
cd "$folder"
seen=$(ruby -W0 <<'END'
require 'graphql'

SDL = <<'SCHEMA'
interface Node { id: ID! }
interface Named implements Node { id: ID! name: String @tag(name: "a") @tag(name: "b") }
type Hero implements Node & Named { id: ID! name: String }
type Query { hero: Hero }
directive @tag(name: String!) repeatable on FIELD_DEFINITION
SCHEMA

module Node
  include GraphQL::Schema::Interface
  field :id, ID, null: false
end

module Named
  include GraphQL::Schema::Interface
  implements Node
  field :name, String, null: true
end

class Hero < GraphQL::Schema::Object
  implements Node, Named
end

class Query < GraphQL::Schema::Object
  field :hero, Hero, null: true
end

class Classes < GraphQL::Schema
  query Query
end

def interfaces(schema)
  schema.execute('{ __type(name: "Hero") { interfaces { name } } }')["data"]["__type"]["interfaces"].map { |i| i["name"] }
end

schema = GraphQL::Schema.from_definition(SDL)
File.write("printed.graphql", schema.to_definition)
File.write("introspected.json", schema.execute(GraphQL::Introspection::INTROSPECTION_QUERY).to_json)
[schema, Classes].each do |each|
  abort "printed" unless each.to_definition.include?("type Hero implements Named & Node & Node {")
end
puts "SDL: #{interfaces(schema).join(" ")}; classes: #{interfaces(Classes).join(" ")}"
File.write("applied", schema.to_definition[/name: String (@tag.*)/, 1])
END
)
expect "graphql-ruby" "$seen" "SDL: Named Node Node; classes: Named Node Node"
seen=$(python <<'END'
import json
from graphql import build_client_schema, build_schema, parse, validate

printed = build_schema(open("printed.graphql").read())
introspected = build_client_schema(json.load(open("introspected.json"))["data"])
refusals = set()
for schema in (printed, introspected):
    try:
        validate(schema, parse("{ hero { name } }"))
    except TypeError as error:
        refusals.add(str(error))
    else:
        refusals.add("accepted")
print("printed, and introspected:", *refusals)
END
)
expect "graphql-core" "$seen" "printed, and introspected: Type Hero can only implement Node once."
expect "Applied" "$(cat applied)" '@tag(name: "b")'
