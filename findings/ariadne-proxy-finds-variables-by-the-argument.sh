#!/usr/bin/env bash
# Version: ariadne-graphql-proxy 0.5.1 on Ariadne 1.1.1, graphql-core 3.2.14.
#
# Behaviour: the resolver that forwards a root field to another server (ProxyResolver) sends the
# arguments of the root field as variables, under the names of the arguments. '$id' for the argument
# 'id' arrives. '$heroId' does not, though the forwarded document declares it and uses it. Variables
# of fields below the root field never arrive. One that may be absent is then absent.
#
# Seen: "$id: hero 5; $heroId: hero none; below the root: friend none; server: hero 5, friend 6".
#
# Why it surprises: the names of variables are the client's own. The proxy works with the documents
# of its examples, and for another client a filter silently has no effect: all heroes in place of
# one, without an error.
#
# Source: GraphQL specification, 2.10 (variables belong to the operation);
# ariadne_graphql_proxy/proxy_resolver.py, __call__.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne-graphql-proxy==0.5.1 ariadne==1.1.1 graphql-core==3.2.14 httpx==0.28.1 \
  starlette==1.10.0 uvicorn==0.54.0 python-multipart==0.0.34
cat >"$folder/app.py" <<'END'
from ariadne import ObjectType, QueryType, make_executable_schema
from ariadne.asgi import GraphQL

query, hero = QueryType(), ObjectType("Hero")
query.set_field("hero", lambda *_, id=None: {"id": id or "none"})
hero.set_field("friend", lambda *_, id=None: {"id": id or "none"})
app = GraphQL(make_executable_schema("""
  type Query { hero(id: ID): Hero }
  type Hero { id: ID friend(id: ID): Hero }
""", query, hero))
END
serve_app
seen=$(python - "$port" <<'END'
import asyncio, sys
import httpx
from ariadne import graphql
from ariadne_graphql_proxy import ProxyResolver, get_remote_schema

url = f"http://127.0.0.1:{sys.argv[1]}/"
schema = get_remote_schema(url)
schema.query_type.fields["hero"].resolve = ProxyResolver(url)

def hero(result):
    assert "errors" not in result
    return result["data"]["hero"]

def through_proxy(document, variables):
    data = {"query": document, "variables": variables}
    _, result = asyncio.run(graphql(schema, data, context_value={"headers": {}}))
    return hero(result)

same = "query ($id: ID) { hero(id: $id) { id } }"
other = "query ($heroId: ID) { hero(id: $heroId) { id } }"
below = "query ($friendId: ID) { hero { friend(id: $friendId) { id } } }"
print("$id: hero", through_proxy(same, {"id": "5"})["id"], end="; ")
print("$heroId: hero", through_proxy(other, {"heroId": "5"})["id"], end="; ")
print("below the root: friend", through_proxy(below, {"friendId": "6"})["friend"]["id"], end="; ")
direct = [
    hero(httpx.post(url, json={"query": document, "variables": variables}).json())
    for document, variables in ((other, {"heroId": "5"}), (below, {"friendId": "6"}))]
print(f"server: hero {direct[0]['id']}, friend {direct[1]['friend']['id']}")
END
)
expect "Variables" "$seen" \
  '$id: hero 5; $heroId: hero none; below the root: friend none; server: hero 5, friend 6'
