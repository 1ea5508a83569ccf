#!/usr/bin/env bash
# Version: Strawberry 0.341.2 on graphql-core 3.3.2.
#
# Behaviour: an input field of the type 'strawberry.Maybe[int]' is printed, and introspected, as
# 'rank: Int'. Leaving it out is fine. A null is valid by that schema, and the server refuses it:
# within the document before execution, and in a variable as an error of the field. With
# 'Maybe[int | None]' the schema is the same and null is taken.
#
# Seen: "Maybe[int]: Int, absent ok, null refused; Maybe[int | None]: Int, absent ok, null ok; valid
# by the schema: 0 errors".
#
# Why it surprises: two fields of one type and one schema treat the same value differently, and no
# client or generator can tell which is which. Clients that write an unset value as null, as many
# generated ones do, work with one field and fail with the other.
#
# Source: GraphQL specification, 3.12 (a type that is not non-null takes null) and 5.6.1;
# Strawberry's documentation, "Maybe".
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2
seen=$(python 2>/dev/null <<'END'
import strawberry
from graphql import build_schema, parse, validate

@strawberry.input
class Strict:
    rank: strawberry.Maybe[int]

@strawberry.input
class Loose:
    rank: strawberry.Maybe[int | None]

@strawberry.type
class Query:
    @strawberry.field
    def save(self, hero: Strict) -> bool:
        return True

    @strawberry.field
    def save_loose(self, hero: Loose) -> bool:
        return True

schema = strawberry.Schema(Query)
printed = build_schema(schema.as_str())

def end(document):
    result = schema.execute_sync(document)
    return "refused" if result.errors else "ok"

documents = []
for name, input_type, field in (("int", "Strict", "save"), ("int | None", "Loose", "saveLoose")):
    absent, null = (f"{{ {field}(hero: {values}) }}" for values in ("{}", "{rank: null}"))
    documents += [absent, null]
    print(
        f"Maybe[{name}]: {printed.type_map[input_type].fields['rank'].type}, "
        f"absent {end(absent)}, null {end(null)}", end="; ")
print("valid by the schema:", sum(len(validate(printed, parse(document))) for document in documents), "errors")
END
)
expect "A rank that may be" "$seen" \
  "Maybe[int]: Int, absent ok, null refused; Maybe[int | None]: Int, absent ok, null ok; valid by the schema: 0 errors"
