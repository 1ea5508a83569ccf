#!/usr/bin/env bash
# Version: Strawberry 0.341.2 on graphql-core 3.3.2, Starlette 1.10.0 and uvicorn 0.54.0 (websockets
# 17.4); Ariadne 1.1.1 is the other one.
#
# Behaviour: a mutation books an order, and then fails at a field that cannot be null; another
# document has a misspelled field and is refused. By HTTP Strawberry answers both alike, with 200
# and "data": null. By WebSocket it tells them apart: 'next' with "data": null for the one, and
# 'error' for the other. Ariadne answers both with 400, and leaves 'data' out where it has refused.
# Neither names the media type that both are asked for.
#
# Seen: "Strawberry: executed 200 data errors, 1 order; refused 200 data errors, 0 orders; by
# WebSocket: executed next, refused error; Ariadne: executed 400 data errors, 1 order; refused 400
# errors, 0 orders; type: application/json".
#
# Why it surprises: Strawberry has a type of its own for what it has refused, and uses it for the
# other transport of the same server. A client that sends a refused mutation again, or says that
# nothing was changed, looks for the key with one server, and finds nothing to look for with the
# other: the path of an error is all that is left. And 400, by which a server says that the request
# was wrong, is here the status of an order that is booked.
#
# Source: GraphQL specification, 7.1 (no 'data' if an error was raised before execution); GraphQL
# over HTTP, "Status codes"; strawberry/http/__init__.py, process_result, and PreExecutionError;
# ariadne/asgi/handlers/http.py, create_json_response.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 ariadne==1.1.1 graphql-core==3.3.2 starlette==1.10.0 \
  uvicorn==0.54.0 websockets==17.4 python-multipart==0.0.34 httpx==0.28.1
cat >"$folder/app.py" <<'END'
import ariadne
import strawberry
from ariadne.asgi import GraphQL as AriadneGraphQL
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route
from strawberry.asgi import GraphQL

orders = []

def book(*_):
    orders.append(len(orders))
    raise ValueError("no seat number")

async def count(request):
    return JSONResponse(len(orders))

@strawberry.type
class Query:
    ready: bool = True

@strawberry.type
class Mutation:
    @strawberry.mutation
    def book(self) -> int:
        return book()

mutation = ariadne.MutationType()
mutation.set_field("book", book)
app = Starlette(routes=[
    Route("/orders", count),
    Mount("/strawberry", GraphQL(strawberry.Schema(Query, mutation=Mutation))),
    Mount("/ariadne", AriadneGraphQL(ariadne.make_executable_schema(
        "type Query { ready: Boolean } type Mutation { book: Int! }", mutation)))])
END
serve_app
cat >"$folder/client.py" <<'END'
import asyncio
import json
import sys

import httpx
from websockets.asyncio.client import connect

host = f"127.0.0.1:{sys.argv[1]}"
documents = {"executed": "mutation { book }", "refused": "mutation { booc }"}
types = set()

def by_http(server):
    seen = []
    for name, document in documents.items():
        before = httpx.get(f"http://{host}/orders").json()
        response = httpx.post(
            f"http://{host}/{server}/", json={"query": document},
            headers={"Accept": "application/graphql-response+json, application/json;q=0.9"})
        types.add(response.headers["Content-Type"])
        made = httpx.get(f"http://{host}/orders").json() - before
        keys = " ".join(sorted(response.json()))
        seen.append(f"{name} {response.status_code} {keys}, {made} order{'s'[made:]}")
    return "; ".join(seen)

async def by_socket():
    seen = []
    async with connect(f"ws://{host}/strawberry/", subprotocols=["graphql-transport-ws"]) as socket:
        await socket.send('{"type": "connection_init"}')
        await socket.recv()
        for name, document in documents.items():
            await socket.send(json.dumps({"type": "subscribe", "id": name, "payload": {"query": document}}))
            while (message := json.loads(await socket.recv()))["id"] != name:
                pass
            seen.append(f"{name} {message['type']}")
    return ", ".join(seen)

print(f"Strawberry: {by_http('strawberry')}; by WebSocket: {asyncio.run(by_socket())}; "
      f"Ariadne: {by_http('ariadne')}; type: {', '.join(types)}")
END
expect "seen" "$(python "$folder/client.py" "$port")" \
  "Strawberry: executed 200 data errors, 1 order; refused 200 data errors, 0 orders; by WebSocket: executed next, refused error; Ariadne: executed 400 data errors, 1 order; refused 400 errors, 0 orders; type: application/json"
