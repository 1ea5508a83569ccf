#!/usr/bin/env bash
# Version: Strawberry 0.341.2, 'strawberry schema-codegen', with graphql-core 3.3.2.
#
# Behaviour: the command makes Python types of a schema in SDL. The schema that these types make
# has other names: 'user_name' is now 'userName', 'myURL' is 'myUrl' and 'HTTPStatus' is
# 'httpStatus'. All arguments of fields are gone, an input object with @oneOf has lost the
# directive and no deprecation is left. There is no warning.
#
# Seen: "fields: findUser, httpStatus, myUrl, old, userName; arguments: 0; oneOf: False; deprecated:
# 0; valid: 1 of 5" (documents that are valid for the schema in SDL).
#
# Why it surprises: the command is meant for a schema that exists, and so for clients that exist,
# and the server starts. Names make the round trip through Python's style and lose what it cannot
# express.
#
# Source: Strawberry's documentation, "Schema codegen"; strawberry/schema_codegen/__init__.py
# (fields are named by to_snake_case, without a 'name' of their own; arguments are not read).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages "strawberry-graphql[cli]==0.341.2" graphql-core==3.3.2
cd "$folder"
cat >schema.graphql <<'END'
type Query {
  findUser(by: By): String
  user_name: String
  myURL: String
  HTTPStatus: Int
  old: Int @deprecated(reason: "Use HTTPStatus.")
}
input By @oneOf { id: ID name: String }
END
strawberry schema-codegen schema.graphql >made.py 2>/dev/null
seen=$(python <<'END'
from graphql import build_schema, parse, print_schema, validate
from made import By, schema as made
import strawberry

before = build_schema(open("schema.graphql").read())
after = made._schema
fields = after.query_type.fields
documents = ['{ findUser(by: {id: "5"}) }', "{ user_name }", "{ myURL }", "{ HTTPStatus }", "{ old }"]
parsed = [parse(document) for document in documents]
assert not any(validate(before, document) for document in parsed)
print("fields:", ", ".join(sorted(fields)), end="; ")
print("arguments:", sum(len(field.args) for field in fields.values()), end="; ")
print("oneOf:", bool(By.__strawberry_definition__.is_one_of), end="; ")
print("deprecated:", sum(field.deprecation_reason is not None for field in fields.values()), end="; ")
print("valid:", sum(not validate(after, document) for document in parsed), "of", len(parsed))
END
)
expect "From SDL to Python to SDL" "$seen" \
  "fields: findUser, httpStatus, myUrl, old, userName; arguments: 0; oneOf: False; deprecated: 0; valid: 1 of 5"
