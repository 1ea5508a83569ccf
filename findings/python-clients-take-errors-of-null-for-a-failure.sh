#!/usr/bin/env bash
# Version: cannula 0.24.0 (the server) on graphql-core 3.2.6, with Starlette 0.52.1 and uvicorn
# 0.54.0; the clients are rath 4.1.2 with aiohttp 3.14.5, quiz 0.3.2, gqlclient 2.1.0, gql 4.4.0,
# py2graphql 0.23.0 with httpx 0.28.1, sgqlc 16.5 and aiographql-client 2.0.0.
#
# Behaviour: each response of the server has three keys, '{"data": ..., "errors": null,
# "extensions": null}', by POST as in the events of a subscription. A mutation books a seat. gql,
# py2graphql, sgqlc and aiographql-client return the data. rath and quiz raise a TypeError, and
# gqlclient says "Errors were raised during graphql processing: details=None". The seat is booked
# each time.
#
# Seen: "server: data errors extensions; gql: data; py2graphql: data; sgqlc: data;
# aiographql-client: data; rath: TypeError; quiz: TypeError; gqlclient: GraphQLException; booked 7".
#
# Why it surprises: a null is taken for "none" nearly everywhere. By the specification the key is
# absent where there is no error, and has a list that is not empty where there is one, so that both
# sides can point at a text. Which clients fail is decided by 'in' or 'get' in their source. To the
# caller a mutation that is done has failed, with an error that names neither the server nor a
# reason, and a retry books once more.
#
# Source: GraphQL specification, 7.1 ("errors" is present only if there was one, and is a non-empty
# list); cannula/handlers/asgi.py, handle_request, and errors.py, format_errors;
# rath/links/aiohttp.py, quiz/execution.py (middleware) and gqlclient/base.py (_format_response),
# which ask whether the key is there.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# The server has a Python of its own, since it demands an older graphql-core than the clients.
python3 -m venv "$folder/server"
"$folder/server/bin/python" -m pip install --quiet --disable-pip-version-check "cannula[codegen]==0.24.0" \
  graphql-core==3.2.6 starlette==0.52.1 httpx==0.28.1 uvicorn==0.54.0
cat >"$folder/app.py" <<'END'
import cannula
from cannula.handlers.asgi import GraphQLHandler
from starlette.applications import Starlette

api = cannula.CannulaAPI(schema="type Query { booked: Int } type Mutation { book: Int }")
seats = []

@api.resolver("Query", "booked")
def booked(root, info):
    return len(seats)

@api.resolver("Mutation", "book")
def book(root, info):
    seats.append(1)
    return len(seats)

app = Starlette(routes=GraphQLHandler(api).routes())
END
port=$(free_port)
"$folder/server/bin/python" -m uvicorn --app-dir "$folder" --port "$port" --log-level critical app:app 2>"$folder/app.log" &
await_port "$port"
python_packages rath==4.1.2 aiohttp==3.14.5 quiz==0.3.2 gqlclient==2.1.0 gql==4.4.0 py2graphql==0.23.0 httpx==0.28.1 \
  sgqlc==16.5 aiographql-client==2.0.0 requests==2.34.2
cat >"$folder/client.py" <<'END'
import asyncio
import logging
import sys

import gql
import httpx
import py2graphql
import quiz
from aiographql.client import GraphQLClient as AioGraphQLClient
from gql.transport.aiohttp import AIOHTTPTransport
from gqlclient import GraphQLClient
from pydantic import BaseModel
from rath import Rath
from rath.links.aiohttp import AIOHttpLink
from sgqlc.endpoint.http import HTTPEndpoint

URL, BOOK = f"http://127.0.0.1:{sys.argv[1]}/graphql", "mutation Book { book }"
logging.disable()

async def by_gql():
    async with gql.Client(transport=AIOHTTPTransport(URL)) as session:
        return await session.execute(gql.gql(BOOK))

def by_py2graphql():
    return py2graphql.Client(URL, {"content-type": "application/json"}).mutation().values("book").fetch()

def by_sgqlc():
    result = HTTPEndpoint(URL)(BOOK)
    return None if result.get("errors") else result["data"]

async def by_aiographql():
    async with AioGraphQLClient(endpoint=URL) as client:
        result = await client.query(BOOK)
    return None if result.errors else result.data

async def by_rath():
    async with Rath(link=AIOHttpLink(endpoint_url=URL)) as client:
        return (await client.aquery(BOOK)).data

class Nothing(BaseModel):
    pass

def by_gqlclient():
    client = GraphQLClient(URL)
    client.get_mutation = lambda *_: {"query": BOOK}
    return client.execute_gql_mutation("book", Nothing(), Nothing, lambda name, data, model: data)

def end(call):
    try:
        data = call()
        data = asyncio.run(data) if asyncio.iscoroutine(data) else data
        return "data" if isinstance(dict(data)["book"], int) else "no data"
    except Exception as error:
        return type(error).__name__

clients = {
    "gql": by_gql, "py2graphql": by_py2graphql, "sgqlc": by_sgqlc, "aiographql-client": by_aiographql,
    "rath": by_rath, "quiz": lambda: quiz.execute(BOOK, url=URL), "gqlclient": by_gqlclient,
}
seen = [f"{name}: {end(call)}" for name, call in clients.items()]
result = httpx.post(URL, json={"query": "{ booked }"}).json()
print(f"server: {' '.join(result)}", *seen, f"booked {result['data']['booked']}", sep="; ")
END
expect "Ends" "$(python "$folder/client.py" "$port" 2>/dev/null)" \
  "server: data errors extensions; gql: data; py2graphql: data; sgqlc: data; aiographql-client: data; rath: TypeError; quiz: TypeError; gqlclient: GraphQLException; booked 7"
