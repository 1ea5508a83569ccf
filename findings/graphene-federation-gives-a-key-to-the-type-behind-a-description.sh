#!/usr/bin/env bash
# Version: graphene-federation 3.3.0 with graphene-directives 0.5.1, graphene 3.4.3 and graphql-core
# 3.2.14.
#
# Behaviour: '@key("id")' on the type Hero makes it an entity for a gateway of Apollo Federation,
# which reads the schema from '_service'. The library seeks the words 'type Hero' in the printed
# schema, and writes the directive in front of the next brace. It finds them in descriptions, too:
# Cart, with "Counts each copy of the type Hero once.", has the key as well in the SDL. Where the
# description has a brace, the directive is in the middle of its text. The server itself has one
# entity.
#
# Seen: "plain: keys of Hero; mentioned: keys of Cart Hero; with a brace: keys of Hero, Cart is
# "Each type Hero @key(fields: "id") {once}"; entities of the server: Hero, Cart refused".
#
# Why it surprises: a description says nothing to the machine. Here a sentence makes another type an
# entity: the gateway composes a supergraph in which it may fetch carts by their id, from a server
# that cannot, and each query that is planned so fails. If Cart has no 'id', composition fails, with
# an error about a directive that is nowhere in the source.
#
# Source: Apollo Federation's documentation of @key; graphene_directives/schema.py,
# add_non_field_decorators (a regular expression over the text of the schema).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages graphene-federation==3.3.0 graphene-directives==0.5.1 graphene==3.4.3 graphql-core==3.2.14
cat >"$folder/subgraph.py" <<'END'
import graphene
from graphene_federation import LATEST_VERSION, build_schema, key
from graphql import parse

def subgraph(sentence):
    @key("id")
    class Hero(graphene.ObjectType):
        id = graphene.ID(required=True)

        def __resolve_reference(self, info, **_):
            return self

    class Cart(graphene.ObjectType):
        id = graphene.ID(required=True)

        class Meta:
            description = sentence

    class Query(graphene.ObjectType):
        hero = graphene.Field(Hero)
        cart = graphene.Field(Cart)

    return build_schema(query=Query, federation_version=LATEST_VERSION)

def printed(schema):
    document = parse(schema.execute("{ _service { sdl } }").data["_service"]["sdl"])
    types = {node.name.value: node for node in document.definitions if hasattr(node, "name") and node.name}
    keys = [
        name for name in sorted(types)
        if any(directive.name.value == "key" for directive in types[name].directives)]
    return types, "keys of " + " ".join(keys)

print("plain:", printed(subgraph("Counts each hero once."))[1], end="; ")
mentioned = subgraph("Counts each copy of the type Hero once.")
print("mentioned:", printed(mentioned)[1], end="; ")
types, keys = printed(subgraph("Each type Hero {once}"))
print(f'with a brace: {keys}, Cart is "{types["Cart"].description.value}"', end="; ")

document = "query ($keys: [_Any!]!) { _entities(representations: $keys) { __typename } }"
ends = []
for name in ("Hero", "Cart"):
    keys = {"keys": [{"__typename": name, "id": "5"}]}
    ends.append(f"{name} refused" if mentioned.execute(document, variable_values=keys).errors else name)
print("entities of the server:", ", ".join(ends))
END
expect "A schema with a key for Hero" "$(python "$folder/subgraph.py" 2>/dev/null)" \
  'plain: keys of Hero; mentioned: keys of Cart Hero; with a brace: keys of Hero, Cart is "Each type Hero @key(fields: "id") {once}"; entities of the server: Hero, Cart refused'
