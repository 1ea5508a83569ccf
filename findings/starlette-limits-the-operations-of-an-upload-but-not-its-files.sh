#!/usr/bin/env bash
# Version: Ariadne 1.1.1 (Strawberry is the same) on Starlette 1.10.0, python-multipart 0.0.34.
#
# Behaviour: a GraphQL upload of a file of 5 MB succeeds. With a file of one byte and variables of
# 1.1 MB, the request is refused with 400: a part of a form that is not a file may have 1 MB. The
# same variables in a JSON body are accepted.
#
# Seen: "large file: 200; large variables beside a small file: 400; large variables as JSON: 200".
#
# Why it surprises: the limit of form fields in Starlette applies to the part 'operations', where
# the specification of multipart requests puts the whole GraphQL request. A mutation that takes a
# document and a picture fails by the size of the document, and only if there is a picture.
#
# Source: Starlette's Request.form(max_part_size=1024*1024); graphql-multipart-request-spec.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne==1.1.1 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 python-multipart==0.0.34
cat >"$folder/app.py" <<'END'
from ariadne import MutationType, make_executable_schema, upload_scalar
from ariadne.asgi import GraphQL
from starlette.applications import Starlette
from starlette.routing import Mount

mutation = MutationType()

@mutation.field("save")
def save(*_, text, file=None):
    return len(text)

schema = make_executable_schema(
    "scalar Upload type Query { a: Int } type Mutation { save(text: String!, file: Upload): Int }",
    mutation, upload_scalar)
app = Starlette(routes=[Mount("/", GraphQL(schema))])
END
serve_app
save() {
  python - "$port" "$@" <<'END'
import json, sys, urllib.error, urllib.request

text_size, file_size = int(sys.argv[2]), int(sys.argv[3])
query = "mutation ($text: String!, $file: Upload) { save(text: $text, file: $file) }"
operations = json.dumps({"query": query, "variables": {"text": "x" * text_size, "file": None}})
if file_size:
    def part(name, content, more=""):
        return f'--b\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n{content}\r\n'
    body = (
        part("operations", operations) + part("map", '{"0":["variables.file"]}')
        + part("0", "y" * file_size, '; filename="a.txt"') + "--b--\r\n").encode()
    kind = "multipart/form-data; boundary=b"
else:
    body, kind = operations.encode(), "application/json"
try:
    print(urllib.request.urlopen(urllib.request.Request(
        f"http://127.0.0.1:{sys.argv[1]}/", body, {"Content-Type": kind})).status)
except urllib.error.HTTPError as error:
    print(error.code)
END
}
expect "A large file" "$(save 10 5000000)" "200"
expect "Large variables beside a small file" "$(save 1100000 1)" "400"
expect "Large variables as JSON" "$(save 1100000 0)" "200"
