#!/usr/bin/env bash
# Version: Strawberry 0.341.2, 'strawberry codegen' with its plugins for Python and TypeScript, on
# graphql-core 3.3.2.
#
# Behaviour: the command writes a type for each selection set of a query. Its name is made of the
# names of the fields above, not of their aliases. '{ best: hero { name } worst: hero { id } }'
# gives two types of the name FindResultHero. In Python the latter replaces the former, so that
# 'best' has an id and no name; TypeScript has two declarations of one name. A Boolean variable, as
# @include and @skip need it, ends the command with an AssertionError unless the schema itself uses
# Boolean. In TypeScript a field that may be null is 'string | undefined'.
#
# Seen: "two aliases: best has id, worst has id; TypeScript: 2 of FindResultHero, name: string |
# undefined; @include: AssertionError; in a schema with a Boolean: generated; valid: 0 errors".
#
# Why it surprises: to ask for one field twice is what aliases are for, and each of the types is
# right by itself. Python accepts a class with one name twice. A null of the response is no
# undefined, so that the check which the compiler asks for ('=== undefined') lets null through. And
# whether a query with @include can be generated depends on a field that it does not select.
#
# Source: GraphQL specification, 2.7 (field alias), 3.13 and 7.1.1; Strawberry's documentation,
# "Query codegen"; strawberry/codegen/query_codegen.py and plugins/typescript.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages "strawberry-graphql[cli]==0.341.2" graphql-core==3.3.2
cd "$folder"
cat >heroes.py <<'END'
import strawberry

@strawberry.type
class Hero:
    id: strawberry.ID
    name: str | None

@strawberry.type
class Query:
    hero: Hero | None

schema = strawberry.Schema(Query)
END
sed 's/^class Hero:/&\n    famous: bool/' heroes.py >famous.py
cat >aliases.graphql <<'END'
query Find { best: hero { name } worst: hero { id } }
END
cat >include.graphql <<'END'
query Brief($brief: Boolean!) { hero { id name @include(if: $brief) } }
END
generate() {
  mkdir "$folder/$2-$1"
  python -m strawberry codegen --schema "$1:schema" --plugins python --plugins typescript \
    --output-dir "$folder/$2-$1" "$2.graphql" >output 2>&1 && echo generated ||
    grep --only-matching --max-count 1 AssertionError output
}
[ "$(generate heroes aliases)" = generated ]
cat >fields.py <<'END'
import re
import sys
from typing import get_args, get_type_hints

sys.path.insert(0, "aliases-heroes")
import aliases

def fields(name):
    return " ".join(get_type_hints(get_args(get_type_hints(aliases.FindResult)[name])[0]))

typescript = open("aliases-heroes/aliases.ts").read()
print(f"two aliases: best has {fields('best')}, worst has {fields('worst')}", end="; ")
print("TypeScript:", len(re.findall("type FindResultHero =", typescript)), "of FindResultHero,", end=" ")
print(re.search("name: .*", typescript)[0], end="; ")
END
cat >valid.py <<'END'
from graphql import build_schema, parse, validate
from heroes import schema

documents = [parse(open(name).read()) for name in ("aliases.graphql", "include.graphql")]
printed = build_schema(schema.as_str())
print("valid:", sum(len(validate(printed, document)) for document in documents), "errors")
END
seen="$(python fields.py)@include: $(generate heroes include); in a schema with a Boolean: $(generate famous include); $(python valid.py)"
expect "Queries" "$seen" \
  "two aliases: best has id, worst has id; TypeScript: 2 of FindResultHero, name: string | undefined; @include: AssertionError; in a schema with a Boolean: generated; valid: 0 errors"
