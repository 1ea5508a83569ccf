#!/usr/bin/env bash
# Version: ariadne-graphql-proxy 0.5.1 on Ariadne 1.1.1, graphql-core 3.2.14.
#
# Behaviour: the field 'bad' of a hero fails. The server says so at the path ["hero", "bad"]. The
# proxy (ProxySchema) passes the error on with the path ["remote_0", "hero", "bad"], where the first
# element is its own name for the server, and with lines of the document that it has sent itself.
#
# Seen: "server: hero.bad, line 1; proxy: remote_0.hero.bad, line 4; response at the proxy's path:
# nothing".
#
# Why it surprises: a path leads from the root of 'data' to the null that the error explains, by
# which a client tells a null that is known from one that has failed. This one leads nowhere, and a
# cache then keeps the failed field as null. With one server or ten, the client sees one schema.
#
# Source: GraphQL specification, 7.1.2 (path, locations); ariadne_graphql_proxy/proxy_schema.py
# (proxy_errors).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne-graphql-proxy==0.5.1 ariadne==1.1.1 graphql-core==3.2.14 httpx==0.28.1 \
  starlette==1.10.0 uvicorn==0.54.0 python-multipart==0.0.34
cat >"$folder/app.py" <<'END'
from ariadne import ObjectType, QueryType, make_executable_schema
from ariadne.asgi import GraphQL

def fail(*_):
    raise ValueError("the field fails")

query, hero = QueryType(), ObjectType("Hero")
query.set_field("hero", lambda *_: {"id": "5"})
hero.set_field("bad", fail)
app = GraphQL(make_executable_schema("type Query { hero: Hero } type Hero { id: ID bad: String }", query, hero))
END
serve_app
seen=$(python - "$port" 2>/dev/null <<'END'
import asyncio, sys
import httpx
from ariadne import graphql
from ariadne_graphql_proxy import ProxySchema

url = f"http://127.0.0.1:{sys.argv[1]}/"
proxy = ProxySchema()
proxy.add_remote_schema(url)
schema = proxy.get_final_schema()
data = {"query": "{ hero { id bad } }"}
_, result = asyncio.run(
    graphql(schema, data, root_value=proxy.root_resolver, context_value={"headers": {}}))

def shown(result):
    error, = result["errors"]
    assert result["data"] == {"hero": {"id": "5", "bad": None}}
    return f"{'.'.join(error['path'])}, line {error['locations'][0]['line']}"

print("server:", shown(httpx.post(url, json=data).json()), end="; ")
print("proxy:", shown(result), end="; ")
print("response at the proxy's path:", result["data"].get(result["errors"][0]["path"][0], "nothing"))
END
)
expect "A failed field" "$seen" \
  "server: hero.bad, line 1; proxy: remote_0.hero.bad, line 4; response at the proxy's path: nothing"
