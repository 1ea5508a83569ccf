#!/usr/bin/env bash
# Version: graphql-api 2.0.0 (Python) with graphql-core 3.3.2.
#
# Behaviour: a field of the scalar Bytes, into which the library makes 'bytes', with the first
# bytes of a PNG file responds with the words "UTF-8 ENCODED PREVIEW: " and what of the bytes is
# UTF-8; the others are left out. Bytes that are text arrive as they are. An argument of the
# scalar JSON is an object when it comes in a variable, or as JSON text in a string. As an object
# in the document it is null for the resolver, although the argument is not nullable. None of this
# is an error.
#
# Seen: "text: ok; PNG: "UTF-8 ENCODED PREVIEW: PNG\r\n\u001a\n"; JSON in a variable: {'a': 1}; in
# a string: {'a': 1}; in the document: None; 0 errors".
#
# Why it surprises: a scalar for bytes is expected to be base64, and one for JSON to read the
# literals of GraphQL. An image whose bytes cannot come back is a valid string for a client, as
# long as it is not decoded. And which of two spellings of one argument is used is a choice of the
# client's code generator: both are the same to GraphQL.
#
# Source: GraphQL specification, 3.5 (input coercion of scalars) and 5.6.1; graphql_api/types.py
# (serialize_bytes, parse_json_literal).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages graphql-api==2.0.0 graphql-core==3.3.2
# The library reads the source of the types.
cat >"$folder/scalars.py" <<'END'
import json
from graphql_api.api import GraphQLAPI

api = GraphQLAPI()

@api.type(is_root_type=True)
class Root:
    @api.field
    def text(self) -> bytes:
        return b"ok"

    @api.field
    def image(self) -> bytes:
        return b"\x89PNG\r\n\x1a\n"

    @api.field
    def given(self, filter: dict) -> str:
        return repr(filter)

count = 0

def value(query, **variables):
    global count
    result = api.execute(query, variables=variables)
    count += len(result.errors or ())
    (field,) = result.data.values()
    return field

query = "query ($filter: JSON!) { given(filter: $filter) }"
text, image = value("{ text }"), value("{ image }")
given = value(query, filter={"a": 1})
written = value(query, filter=json.dumps({"a": 1}))
literal = value("{ given(filter: {a: 1}) }")
print(
    f"text: {text}; PNG: {json.dumps(image)}; JSON in a variable: {given}; in a string: {written}; "
    f"in the document: {literal}; {count} errors")
END
expect Scalars "$(python "$folder/scalars.py" 2>/dev/null)" \
  "text: ok; PNG: \"UTF-8 ENCODED PREVIEW: PNG\\r\\n\\u001a\\n\"; JSON in a variable: {'a': 1}; in a string: {'a': 1}; in the document: None; 0 errors"
