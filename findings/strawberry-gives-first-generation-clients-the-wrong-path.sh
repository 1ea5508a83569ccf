#!/usr/bin/env bash
# Version: Strawberry 0.341.2 (opt-in incremental execution), graphql-core 3.3.2, Starlette 1.10.0,
# uvicorn 0.54.0.
#
# Behaviour: a deferred payload has the keys of both generations of incremental delivery, 'id' and
# 'subPath' of the second, 'path' and 'label' of the first. The 'path' is that of the fragment. In
# '{ hero { name friend { name } ...@defer { friend { name slow } } } }' only 'slow' is left to
# send: its payload has path ["hero"] and subPath ["friend"]. graphql-core sends no 'path'.
#
# Seen: "path: hero; subPath: friend; data: slow; merged by id: hero.friend.slow; merged by path:
# hero.slow".
#
# Why it surprises: a client of the first generation (deferSpec=20220824) finds all that it knows,
# and writes the friend's field into the hero. With a fragment whose fields do not overlap with the
# rest of the query there is no 'subPath', and both generations agree.
#
# Source: GraphQL specification's draft on incremental delivery (the path of a payload is that of
# its 'pending' entry followed by 'subPath'); strawberry/http/async_base_view.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 \
  python-multipart==0.0.34
cat >"$folder/app.py" <<'END'
import asyncio

import strawberry
from starlette.applications import Starlette
from starlette.routing import Route
from strawberry.asgi import GraphQL
from strawberry.schema.config import StrawberryConfig

@strawberry.type
class Friend:
    name: str = "Luke"

    @strawberry.field
    async def slow(self) -> int:
        await asyncio.sleep(0.1)
        return 1

@strawberry.type
class Hero:
    name: str = "Leia"

    @strawberry.field
    def friend(self) -> Friend:
        return Friend()

@strawberry.type
class Query:
    @strawberry.field
    def hero(self) -> Hero:
        return Hero()

schema = strawberry.Schema(
    query=Query, config=StrawberryConfig(enable_experimental_incremental_execution=True))
app = Starlette(routes=[Route("/graphql", GraphQL(schema), methods=["POST"])])
END
serve_app
seen=$(python - "$port" <<'END'
import copy, json, sys, urllib.request

document = "{ hero { name friend { name } ...@defer { friend { name slow } } } }"
body = urllib.request.urlopen(urllib.request.Request(
    f"http://127.0.0.1:{sys.argv[1]}/graphql", json.dumps({"query": document}).encode(),
    {"Content-Type": "application/json", "Accept": "multipart/mixed;deferSpec=20220824"})).read().decode()
first, second = [json.loads(line) for line in body.splitlines() if line.startswith("{")]
payload, = second["incremental"]
pending, = [entry for entry in first["pending"] if entry["id"] == payload["id"]]

def merged(path):
    data = copy.deepcopy(first["data"])
    place = data
    for key in path:
        place = place[key]
    place.update(payload["data"])
    return "hero.slow" if "slow" in data["hero"] else "hero.friend.slow"

print("path:", *payload["path"], end="; ")
print("subPath:", *payload["subPath"], end="; ")
print("data:", *payload["data"], end="; ")
print("merged by id:", merged(pending["path"] + payload["subPath"]), end="; ")
print("merged by path:", merged(payload["path"]))
END
)
expect "A deferred field" "$seen" \
  "path: hero; subPath: friend; data: slow; merged by id: hero.friend.slow; merged by path: hero.slow"
