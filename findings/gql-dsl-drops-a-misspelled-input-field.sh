#!/usr/bin/env bash
# Version: gql 4.4.0 (the Python client) on graphql-core 3.3.2.
#
# Behaviour: the DSL builds documents from the schema, and raises for a field or an argument that
# the schema does not have. Within an input object it drops an unknown key without a word: '{"name":
# "Leia", "hieght": 1.5}' is sent as 'name' alone. For a custom scalar, the keys of a dictionary are
# written as they are: 'full name' makes a document that cannot be parsed.
#
# Seen: "field: AttributeError; argument: KeyError; input field: save(hero: { name: "Leia" }); as a
# variable: refused; key of a scalar: syntax error".
#
# Why it surprises: the point of the DSL is that mistakes are found before anything is sent. Here a
# mutation succeeds and saves less than it was given, while the same dictionary as a variable is
# refused by every server.
#
# Source: GraphQL specification, 5.6.2 (input object field names) and 2.9.8 (names in object
# values); gql/dsl.py, ast_from_value.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages gql==4.4.0 graphql-core==3.3.2
seen=$(python <<'END'
from gql.dsl import DSLMutation, DSLSchema, dsl_gql
from graphql import GraphQLSyntaxError, build_schema, graphql_sync, parse, print_ast

schema = build_schema("""
  scalar JSON
  input HeroInput { name: String height: Float }
  type Query { a: Int }
  type Mutation { save(hero: HeroInput, extra: JSON): Boolean }
""")
ds = DSLSchema(schema)

def document(field):
    return print_ast(dsl_gql(DSLMutation(field())).document)

def attempt(field):
    try:
        return " ".join(document(field).removeprefix("mutation {").removesuffix("}").split())
    except Exception as error:
        return type(error).__name__

misspelled = {"name": "Leia", "hieght": 1.5}
print("field:", attempt(lambda: ds.Mutation.sav(hero={})), end="; ")
print("argument:", attempt(lambda: ds.Mutation.save(heroo={})), end="; ")
print("input field:", attempt(lambda: ds.Mutation.save(hero=misspelled)), end="; ")
variables = "mutation ($hero: HeroInput) { save(hero: $hero) }"
error, = graphql_sync(schema, variables, variable_values={"hero": misspelled}).errors
print("as a variable:", "refused" if "hieght" in error.message else error.message, end="; ")
try:
    parse(document(lambda: ds.Mutation.save(extra={"full name": "Leia Organa"})))
except GraphQLSyntaxError:
    print("key of a scalar: syntax error")
END
)
expect "Mistakes" "$seen" \
  'field: AttributeError; argument: KeyError; input field: save(hero: { name: "Leia" }); as a variable: refused; key of a scalar: syntax error'
