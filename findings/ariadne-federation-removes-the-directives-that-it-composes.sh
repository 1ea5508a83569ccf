#!/usr/bin/env bash
# Version: Ariadne 1.1.1 and Strawberry 0.341.2 on graphql-core 3.3.2.
#
# Behaviour: a subgraph of Apollo Federation declares its directive @owned and names it in
# '@composeDirective(name: "@owned")', so that the gateway's schema keeps it. The SDL that Ariadne
# gives the gateway, by '_service', has the @composeDirective, but neither the definition of @owned
# nor its uses: all directives are removed but for a fixed list of names. '@specifiedBy' of a scalar
# and '@oneOf' of an input object are not in the list, and neither is @tag under the name that
# '@link' gives it. The server itself executes with all of them. Strawberry's SDL has @owned and
# @oneOf.
#
# Seen: Ariadne: "composes @owned; defines nothing; uses composeDirective key link; id and name by
# the server: refused, by the SDL: accepted"; Strawberry: "composes @owned; defines oneOf owned;
# uses composeDirective key link oneOf owned; id and name by the server: refused, by the SDL:
# refused".
#
# Why it surprises: the SDL is well-formed, and the schema works for each client that speaks to the
# subgraph. Composition then fails for a directive that everybody sees in the source; without
# @composeDirective it succeeds, and the gateway tells its clients that both fields of a @oneOf may
# be given, so that the error appears in the subgraph, at run time.
#
# Source: Apollo Federation's documentation of subgraph directives, @composeDirective and @link
# ('as'); GraphQL specification, 3.10.1 (OneOf input objects); Ariadne's
# contrib/federation/utils.py, purge_schema_directives.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne==1.1.1 strawberry-graphql==0.341.2 graphql-core==3.3.2
seen=$(python 2>/dev/null <<'END'
import strawberry
from ariadne import QueryType
from ariadne.contrib.federation import make_federated_schema
from graphql import (
    DirectiveDefinitionNode, DirectiveNode, Visitor, build_ast_schema, graphql_sync, parse, validate, visit)
from strawberry.schema_directive import Location

class Names(Visitor):
    def __init__(self):
        super().__init__()
        self.defined, self.used, self.composed = set(), set(), set()

    def enter_directive_definition(self, node: DirectiveDefinitionNode, *_):
        self.defined.add(node.name.value)

    def enter_directive(self, node: DirectiveNode, *_):
        self.used.add(node.name.value)
        if node.name.value == "composeDirective":
            self.composed.add(node.arguments[0].value.value)

def show(server, execute):
    sdl = parse(execute("{ _service { sdl } }").data["_service"]["sdl"])
    names = Names()
    visit(sdl, names)
    document = '{ hero(by: {id: "5", name: "Leia"}) { id } }'
    ends = ["refused" if errors else "accepted" for errors in (
        execute(document).errors,
        validate(build_ast_schema(sdl, assume_valid_sdl=True), parse(document)))]
    print(
        f"{server}: composes {' '.join(names.composed)}; "
        f"defines {' '.join(sorted(names.defined)) or 'nothing'}; uses {' '.join(sorted(names.used))}; "
        f"id and name by the server: {ends[0]}, by the SDL: {ends[1]}")

query = QueryType()
query.set_field("hero", lambda *_, **arguments: {"id": "5"})
ariadne = make_federated_schema('''
extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.3",
    import: ["@key", "@composeDirective", {name: "@tag", as: "@label"}])
  @link(url: "https://example.com/owned/v1.0", import: ["@owned"])
  @composeDirective(name: "@owned")
directive @owned(by: String!) on OBJECT
directive @label(name: String!) repeatable on OBJECT
scalar Day @specifiedBy(url: "https://example.com/day")
input By @oneOf { id: ID name: String }
type Hero @key(fields: "id") @owned(by: "us") @label(name: "people") { id: ID! born: Day }
type Query { hero(by: By!): Hero }
''', query)
show("Ariadne", lambda document: graphql_sync(ariadne, document))

@strawberry.federation.schema_directive(
    locations=[Location.OBJECT], name="owned", compose=True, import_url="https://example.com/owned/v1.0")
class Owned:
    by: str

@strawberry.input(one_of=True)
class By:
    id: strawberry.Maybe[strawberry.ID]
    name: strawberry.Maybe[str]

@strawberry.federation.type(keys=["id"], directives=[Owned(by="us")])
class Hero:
    id: strawberry.ID

@strawberry.type
class Query:
    @strawberry.field
    def hero(self, by: By) -> Hero:
        return Hero(id="5")

show("Strawberry", strawberry.federation.Schema(Query, federation_version="2.9").execute_sync)
END
)
expect "Subgraphs" "$seen" \
  "Ariadne: composes @owned; defines nothing; uses composeDirective key link; id and name by the server: refused, by the SDL: accepted
Strawberry: composes @owned; defines oneOf owned; uses composeDirective key link oneOf owned; id and name by the server: refused, by the SDL: refused"
