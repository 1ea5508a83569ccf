#!/usr/bin/env bash
# Version: Ariadne 1.1.1 with convert_names_case=True, on graphql-core 3.3.2; Strawberry 0.341.2 is
# the other one.
#
# Behaviour: with this option, the server translates the names of fields and arguments into those of
# Python. 'fullName' is read from 'full_name'. A digit begins a new word, too: 'sha256' is read from
# 'sha_256', and 'address2' from 'address_2'. An object that has 'sha256' gives null, without an
# error, and a resolver with the parameter 'sha256' cannot be called. Without the option both work.
# Strawberry makes 'sha256' of 'sha256', and of 'sha_256'.
#
# Seen: "with the option: fullName Leia, sha256 null, address2 null; argument: unexpected keyword
# argument 'sha_256'; without: sha256 abc, address2 Aldera, argument abc; Strawberry: sha256
# sha256".
#
# Why it surprises: 'sha256' is the same name in both styles, so nobody looks for it in a
# translation. The option is turned on for the names with two words; the field that it breaks is a
# nullable one of one word, whose value was right until then, and the response is a success.
#
# Source: Ariadne's documentation, "Names case conversion"; ariadne/utils.py,
# convert_camel_case_to_snake; ariadne/schema_names.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne==1.1.1 strawberry-graphql==0.341.2 graphql-core==3.3.2
seen=$(python 2>/dev/null <<'END'
import re

import strawberry
from ariadne import QueryType, make_executable_schema
from graphql import graphql_sync

query = QueryType()

@query.field("file")
def resolve_file(_, info):
    return {"full_name": "Leia", "sha256": "abc", "address2": "Aldera"}

@query.field("find")
def resolve_find(_, info, sha256):
    return sha256

schema = """
type File { fullName: String sha256: String address2: String }
type Query { file: File find(sha256: String): String }
"""

def show(converts, *fields):
    answer = graphql_sync(
        make_executable_schema(schema, query, convert_names_case=converts), f"{{ file {{ {' '.join(fields)} }} }}")
    assert not answer.errors
    return ", ".join(f"{field} {answer.data['file'][field] or 'null'}" for field in fields)

with_option = show(True, "fullName", "sha256", "address2")
error, = graphql_sync(
    make_executable_schema(schema, query, convert_names_case=True), '{ find(sha256: "abc") }').errors
message = re.search("unexpected keyword argument '.*'", error.message)[0]
without = show(False, "sha256", "address2")
given = graphql_sync(make_executable_schema(schema, query), '{ find(sha256: "abc") }').data["find"]

names = []
for name in ("sha256", "sha_256"):
    type_name = strawberry.type(type("Query", (), {"__annotations__": {name: str}}))
    names += re.findall(r"(\w+): String!", strawberry.Schema(type_name).as_str())
print(f"with the option: {with_option}; argument: {message}; without: {without}, argument {given}; Strawberry: {' '.join(names)}")
END
)
expect "A name with a number" "$seen" \
  "with the option: fullName Leia, sha256 null, address2 null; argument: unexpected keyword argument 'sha_256'; without: sha256 abc, address2 Aldera, argument abc; Strawberry: sha256 sha256"
