#!/usr/bin/env bash
# Version: Strawberry 0.341.2 on graphql-core 3.3.2.
#
# Behaviour: the first part of '{ hero { friend { id } ... @defer { friend { id name } } } }' has
# the friend's id, and graphql-core defers only what is missing: the name, with the deferred
# fragment's number and 'subPath: ["friend"]'. Strawberry adds the key 'path' of the older
# incremental format, but with the path of the fragment, ["hero"]. The two formats then say
# different things of one payload. The media type that the client accepts, deferSpec=20220824 for
# the older format, changes nothing, and neither does accepting JSON only.
#
# Seen: "accepts multipart/mixed;deferSpec=20220824: multipart/mixed; accepts application/json:
# multipart/mixed; by id and subPath: Luke is the friend; by path: Luke is the hero".
#
# Why it surprises: clients of the older format find each key that they know, merge without an
# error, and store the friend's name under the hero. It happens only where the first part already
# has a field of the same object, so that small tests of '@defer' pass.
#
# Source: "Incremental Delivery over HTTP" and the deferSpec parameter of Apollo Router's
# documentation (an item's 'path' is where its data goes); strawberry/http/async_base_view.py,
# _process_stream_result.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 \
  python-multipart==0.0.34
cat >"$folder/app.py" <<'END'
import asyncio
import strawberry
from strawberry.asgi import GraphQL
from strawberry.schema.config import StrawberryConfig

@strawberry.type
class Hero:
    id: strawberry.ID
    friend_id: strawberry.Private[str]

    @strawberry.field
    async def name(self) -> str:
        await asyncio.sleep(0.05)
        return {"5": "Leia", "6": "Luke"}[self.id]

    @strawberry.field
    def friend(self) -> "Hero":
        return Hero(id=self.friend_id, friend_id=self.id)

@strawberry.type
class Query:
    @strawberry.field
    def hero(self) -> Hero:
        return Hero(id="5", friend_id="6")

config = StrawberryConfig(enable_experimental_incremental_execution=True)
app = GraphQL(strawberry.Schema(Query, config=config))
END
serve_app
seen=$(python - "$port" <<'END'
import copy, json, sys, urllib.request

document = "{ hero { friend { id } ... @defer { friend { id name } } } }"

def parts(accept):
    request = urllib.request.Request(
        f"http://127.0.0.1:{sys.argv[1]}/", json.dumps({"query": document}).encode(),
        {"Content-Type": "application/json", "Accept": accept})
    with urllib.request.urlopen(request) as response:
        print(f"accepts {accept}: {response.headers.get_content_type()}", end="; ")
        return [json.loads(line) for line in response.read().splitlines() if line.startswith(b"{")]

def names(data, path, payload):
    data = copy.deepcopy(data)
    place = data
    for key in path:
        place = place[key]
    place.update(payload)
    hero = data["hero"]
    return " and ".join(
        f"{it['name']} is the {role}" for role, it in (("hero", hero), ("friend", hero["friend"])) if "name" in it)

parts("multipart/mixed;deferSpec=20220824")
first, second = parts("application/json")
item, = second["incremental"]
pending, = (it for it in first["pending"] if it["id"] == item["id"])
print("by id and subPath:", names(first["data"], pending["path"] + item["subPath"], item["data"]), end="; ")
print("by path:", names(first["data"], item["path"], item["data"]))
END
)
expect "A deferred fragment" "$seen" \
  "accepts multipart/mixed;deferSpec=20220824: multipart/mixed; accepts application/json: multipart/mixed; by id and subPath: Luke is the friend; by path: Luke is the hero"
