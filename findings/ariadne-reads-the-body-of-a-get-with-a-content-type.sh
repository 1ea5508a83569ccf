#!/usr/bin/env bash
# Version: Ariadne 1.1.1 with execute_get_queries=True, Starlette 1.10.0, uvicorn 0.54.0.
#
# Behaviour: a query by GET is answered. With the header 'Content-Type: application/json' beside
# it, the same URL gets 400 "Request body is not a valid JSON": the server reads the body that a
# GET does not have.
#
# Seen: "without: 200; with: 400".
#
# Why it surprises: the header says nothing about a request without a body, and clients set it for
# all requests, among them Apollo's own for CSRF protection: Apollo Server demands a content type
# (or another header) on a GET, so that what one server needs breaks the other.
#
# Source: GraphQL over HTTP, "GET"; Apollo Server, "CSRF prevention";
# ariadne/asgi/handlers/http.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne==1.1.1 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 python-multipart==0.0.34
cat >"$folder/app.py" <<'END'
from ariadne import make_executable_schema
from ariadne.asgi import GraphQL

app = GraphQL(make_executable_schema("type Query { a: Int }"), execute_get_queries=True)
END
serve_app
get() {
  python - "$port" "$@" <<'END'
import sys, urllib.error, urllib.request

headers = {"Content-Type": "application/json"} if len(sys.argv) > 2 else {}
try:
    response = urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{sys.argv[1]}/?query=%7Ba%7D", headers=headers))
    print(response.status, response.read().decode())
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
END
}
expect "Without a content type" "$(get)" '200 {"data":{"a":null}}'
expect "With application/json" "$(get with)" "400 Request body is not a valid JSON"
