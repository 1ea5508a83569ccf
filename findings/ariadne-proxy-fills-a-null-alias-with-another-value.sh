#!/usr/bin/env bash
# Version: ariadne-graphql-proxy 0.5.1 on Ariadne 1.1.1, graphql-core 3.2.14.
#
# Behaviour: a query has a field twice, '{ small: picture(size: SMALL) picture(size: LARGE) }', and
# the small one is null. The proxy receives '"small": null, "picture": "large.png"' and answers
# 'large.png' for both: where the value of an alias is null, it takes what has the field's own name.
# Without the second field the alias is null.
#
# Seen: "server: small null, picture large.png; proxy: small large.png, picture large.png; proxy,
# small alone: small null".
#
# Why it surprises: null is a value, and a proxy that forwards the document has nothing to decide
# about it. The response has no error, the types are right, and it depends on an unrelated part of
# the query, such as a fragment of another component.
#
# Source: GraphQL specification, 2.7 (an alias is the response's name of a field) and 7.1.1;
# ariadne_graphql_proxy/proxy_schema.py, _create_alias_aware_resolver.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne-graphql-proxy==0.5.1 ariadne==1.1.1 graphql-core==3.2.14 httpx==0.28.1 \
  starlette==1.10.0 uvicorn==0.54.0 python-multipart==0.0.34
cat >"$folder/app.py" <<'END'
from ariadne import ObjectType, QueryType, make_executable_schema
from ariadne.asgi import GraphQL

query, hero = QueryType(), ObjectType("Hero")
query.set_field("hero", lambda *_: {})
hero.set_field("picture", lambda *_, size: {"SMALL": None, "LARGE": "large.png"}[size])
app = GraphQL(make_executable_schema("""
  type Query { hero: Hero }
  type Hero { picture(size: Size!): String }
  enum Size { SMALL LARGE }
""", query, hero))
END
serve_app
seen=$(python - "$port" <<'END'
import asyncio, sys
import httpx
from ariadne import graphql
from ariadne_graphql_proxy import ProxySchema

url = f"http://127.0.0.1:{sys.argv[1]}/"
proxy = ProxySchema()
proxy.add_remote_schema(url)
schema = proxy.get_final_schema()

async def through_proxy(data):
    _, result = await graphql(schema, data, root_value=proxy.root_resolver, context_value={"headers": {}})
    return result

def shown(result):
    assert "errors" not in result
    return ", ".join(f"{name} {value or 'null'}" for name, value in result["data"]["hero"].items())

both = {"query": "{ hero { small: picture(size: SMALL) picture(size: LARGE) } }"}
alone = {"query": "{ hero { small: picture(size: SMALL) } }"}
print("server:", shown(httpx.post(url, json=both).json()), end="; ")
print("proxy:", shown(asyncio.run(through_proxy(both))), end="; ")
print("proxy, small alone:", shown(asyncio.run(through_proxy(alone))))
END
)
expect "Pictures" "$seen" \
  "server: small null, picture large.png; proxy: small large.png, picture large.png; proxy, small alone: small null"
