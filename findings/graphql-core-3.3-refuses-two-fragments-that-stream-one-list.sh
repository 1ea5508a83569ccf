#!/usr/bin/env bash
# Version: graphql-core 3.3.2, and Strawberry 0.341.2 (opt-in incremental execution) on it.
#
# Behaviour: two components each have a fragment on Hero, and one query spreads both. Both select
# the hero's friends, one the ids and one the names. If both say '@stream(initialCount: 1)', the
# query is refused: "they have overlapping stream directives", with the advice to use aliases. So it
# is if one of them streams and the other does not, and with '@stream(if: false)' in both or in one,
# or a variable that is false. One fragment that is spread by two others is accepted, and so are two
# equal conditions '@include', two that differ, and '@defer' in both. Strawberry refuses the same
# requests.
#
# Seen: "@stream and @stream: refused; @stream and nothing: refused; if: false and if: false:
# refused; if: false and nothing: refused; if: $no and if: $no: refused; one fragment, spread twice:
# accepted; @include and @include: accepted; @include and @skip: accepted; @defer and @defer:
# accepted; Strawberry: 9 of 9 alike".
#
# Why it surprises: what is equal is merged everywhere else in GraphQL, and earlier versions of this
# rule compared the arguments of both. 'if: false' is the way to turn a directive off, for a server
# or a user, and does not turn off the conflict. A component that begins to stream its list breaks
# each screen where another one shows an item of the same list, and the author of neither fragment
# can see the other. Fragments cannot rename a field for each other, so that the advice means
# another list in the response, and in a cache.
#
# Source: the draft on incremental delivery, "Field Selection Merging" (HasNoOverlappingStreams),
# with pull request 1232 of graphql-spec and 4342 of graphql-js; graphql-core's
# validation/rules/overlapping_fields_can_be_merged.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages graphql-core==3.3.2 strawberry-graphql==0.341.2
seen=$(python <<'END'
import asyncio
import logging

import graphql
import strawberry
from strawberry.schema.config import StrawberryConfig

def pair(one, other, variables=""):
    return (
        f"query{variables} {{ hero {{ ...One ...Other }} }} "
        f"fragment One on Hero {{ friends {one} {{ id }} }} fragment Other on Hero {{ friends {other} {{ name }} }}")

DOCUMENTS = {
    "@stream and @stream": pair("@stream(initialCount: 1)", "@stream(initialCount: 1)"),
    "@stream and nothing": pair("@stream(initialCount: 1)", ""),
    "if: false and if: false": pair("@stream(if: false)", "@stream(if: false)"),
    "if: false and nothing": pair("@stream(if: false)", ""),
    "if: $no and if: $no": pair("@stream(if: $no)", "@stream(if: $no)", "($no: Boolean! = false)"),
    "one fragment, spread twice": """
        { hero { ...One ...Other } } fragment One on Hero { ...Both } fragment Other on Hero { ...Both }
        fragment Both on Hero { friends @stream(initialCount: 1) { id name } }""",
    "@include and @include": pair("@include(if: true)", "@include(if: true)"),
    "@include and @skip": pair("@include(if: true)", "@skip(if: true)"),
    "@defer and @defer": pair("", "").replace("...One", "...One @defer").replace("...Other }", "...Other @defer }"),
}

@strawberry.type
class Hero:
    id: strawberry.ID
    name: str

    @strawberry.field
    def friends(self) -> strawberry.Streamable["Hero"]:
        return [Hero(id="6", name="Han")]

@strawberry.type
class Query:
    @strawberry.field
    def hero(self) -> Hero:
        return Hero(id="5", name="Leia")

logging.disable()
schema = strawberry.Schema(Query, config=StrawberryConfig(enable_experimental_incremental_execution=True))

async def main():
    same = 0
    for name, document in DOCUMENTS.items():
        refused = bool(graphql.validate(schema._schema, graphql.parse(document)))
        result = await schema.execute(document)
        same += refused == bool(getattr(result, "errors", None))
        print(f"{name}: {'refused' if refused else 'accepted'}", end="; ")
    print(f"Strawberry: {same} of {len(DOCUMENTS)} alike")

asyncio.run(main())
END
)
expect "Two fragments" "$seen" \
  "@stream and @stream: refused; @stream and nothing: refused; if: false and if: false: refused; if: false and nothing: refused; if: \$no and if: \$no: refused; one fragment, spread twice: accepted; @include and @include: accepted; @include and @skip: accepted; @defer and @defer: accepted; Strawberry: 9 of 9 alike"
