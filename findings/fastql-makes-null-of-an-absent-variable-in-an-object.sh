#!/usr/bin/env bash
# Version: mygenx-fastql 1.0.0 (a server library with an executor of its own); graphql-core 3.3.2 is
# the other one.
#
# Behaviour: 'mutation($name: String) { save(patch: {name: $name}) }' is sent without a value for
# the variable. Within an input object this means that the field is absent, so that its default
# counts, or nothing where it has none. The resolver of FastQL gets None, as for a null that was
# sent. So it is with an item of a nested object. For 'save(name: $name)', an argument, and for an
# object that comes as one variable, an absent field is absent.
#
# Seen: "FastQL: in an object None, nested None, argument keep, object in a variable keep, null sent
# None; graphql-core: in an object keep, nested keep, argument keep, object in a variable keep, null
# sent None".
#
# Why it surprises: the difference between null and absent is what a patch is made of: null removes
# the name, and absent keeps it. Generated clients leave out what they have no value for, and build
# the object in the document from variables of its fields. The library tells both apart one level
# above and one way beside, so that a test of either passes, and a name is gone without an error.
#
# Source: GraphQL specification, 3.10 (input coercion: a variable without a value is no entry of the
# object); fastql/execution/values.py, value_from_ast and _input_object_from_ast.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages mygenx-fastql==1.0.0 graphql-core==3.3.2
cat >"$folder/documents.py" <<'END'
DOCUMENTS = {
    "in an object": ("mutation($name: String) { save(patch: {name: $name}) }", {}),
    "nested": ("mutation($name: String) { nest(outer: {patch: {name: $name}}) }", {}),
    "argument": ("mutation($name: String) { plain(name: $name) }", {}),
    "object in a variable": ("mutation($patch: Patch!) { save(patch: $patch) }", {"patch": {}}),
    "null sent": ("mutation($name: String) { save(patch: {name: $name}) }", {"name": None}),
}

def show(name, results):
    results = {what: result["data"] for what, result in results.items() if "errors" not in result}
    assert len(results) == len(DOCUMENTS)
    print(f"{name}:", ", ".join(f"{what} {next(iter(data.values()))}" for what, data in results.items()), end="; ")
END
cat >"$folder/fast.py" <<'END'
import asyncio

import fastql
from documents import DOCUMENTS, show

@fastql.Input
class Patch:
    name: str | None = "keep"

@fastql.Input
class Outer:
    patch: Patch

@fastql.Query
class Query:
    @fastql.Field
    def ping(self) -> str:
        return "pong"

@fastql.Mutation
class Mutation:
    @fastql.Field
    def save(self, patch: Patch) -> str:
        return str(patch.name)

    @fastql.Field
    def nest(self, outer: Outer) -> str:
        return str(outer.patch.name)

    @fastql.Field
    def plain(self, name: str | None = "keep") -> str:
        return str(name)

async def main():
    schema = fastql.Schema(query=Query, mutation=Mutation)
    show("FastQL", {
        what: (await fastql.execute(schema, document, variable_values=values)).formatted()
        for what, (document, values) in DOCUMENTS.items()
    })

asyncio.run(main())
END
cat >"$folder/core.py" <<'END'
import graphql
from documents import DOCUMENTS, show

schema = graphql.build_schema("""
  type Query { ping: String }
  type Mutation { save(patch: Patch!): String! nest(outer: Outer!): String! plain(name: String = "keep"): String! }
  input Outer { patch: Patch! }
  input Patch { name: String = "keep" }
""")
root = {
    "save": lambda info, patch: str(patch["name"]),
    "nest": lambda info, outer: str(outer["patch"]["name"]),
    "plain": lambda info, name: str(name),
}
show("graphql-core", {
    what: graphql.graphql_sync(schema, document, root, variable_values=values).formatted
    for what, (document, values) in DOCUMENTS.items()
})
END
seen=$(python "$folder/fast.py")$(python "$folder/core.py")
seen=${seen%; }
expect "The name" "${seen/;graphql-core/; graphql-core}" \
  "FastQL: in an object None, nested None, argument keep, object in a variable keep, null sent None; graphql-core: in an object keep, nested keep, argument keep, object in a variable keep, null sent None"
