#!/usr/bin/env bash
# Version: requests-cache 1.3.3 with requests 2.34.2; Ariadne 1.1.1 is the server.
#
# Behaviour: a session with 'allowable_methods=("GET", "POST")', which is how a GraphQL endpoint is
# cached, keeps each response with the status 200. A mutation that is sent twice is received once:
# the second response is the first one. A response with errors is kept as well. Two users are one,
# since headers, and with them Authorization, are no part of the key.
#
# Seen: "2 equal mutations: 1 received; error, then again: the same error, 1 received; Leia, then
# Luke: Leia Leia".
#
# Why it surprises: the library takes the body apart to build its key, so that queries with other
# variables are told apart, and looks as if it knew GraphQL. The server says nothing about caching,
# which in HTTP keeps the response to a POST from being reused.
#
# Source: RFC 9110, 9.3.3 (a POST is cacheable only with explicit freshness) and RFC 9111, 3.5
# (Authorization); requests-cache's documentation, "Request Matching" (match_headers) and "HTTP
# methods".
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages requests-cache==1.3.3 requests==2.34.2 ariadne==1.1.1 graphql-core==3.2.14 \
  starlette==1.10.0 uvicorn==0.54.0 python-multipart==0.0.34
cat >"$folder/app.py" <<'END'
from ariadne import MutationType, QueryType, make_executable_schema
from ariadne.asgi import GraphQL

query, mutation = QueryType(), MutationType()
count = {"orders": 0, "failures": 0}

@query.field("user")
def user(_, info):
    return info.context["request"].headers.get("authorization")

@query.field("failing")
def failing(*_):
    count["failures"] += 1
    raise ValueError("busy")

@query.field("count")
def counted(*_, of):
    return count[of]

@mutation.field("order")
def order(*_):
    count["orders"] += 1
    return count["orders"]

app = GraphQL(make_executable_schema("""
  type Query { user: String failing: String count(of: String!): Int }
  type Mutation { order: Int }
""", query, mutation))
END
serve_app
seen=$(python - "$port" 2>/dev/null <<'END'
import sys
import requests
from requests_cache import CachedSession

url = f"http://127.0.0.1:{sys.argv[1]}/"
cached = CachedSession(backend="memory", allowable_methods=("GET", "POST"))

def post(document, session=cached, **headers):
    response = session.post(url, json={"query": document}, headers=headers)
    assert response.status_code == 200 and "cache-control" not in response.headers
    return response.json()

def received(name):
    return post(f'{{ count(of: "{name}") }}', requests)["data"]["count"]

assert post("mutation { order }") == post("mutation { order }")
print(f"2 equal mutations: {received('orders')} received", end="; ")
assert post("{ failing }")["errors"] and post("{ failing }")["errors"]
print(f"error, then again: the same error, {received('failures')} received", end="; ")
print("Leia, then Luke:", *(post("{ user }", Authorization=user)["data"]["user"] for user in ("Leia", "Luke")))
END
)
expect "Through the cache" "$seen" \
  "2 equal mutations: 1 received; error, then again: the same error, 1 received; Leia, then Luke: Leia Leia"
