#!/usr/bin/env bash
# Version: gql 4.4.0 (the Python client) with websockets 17.4; Strawberry 0.341.2, Starlette 1.10.0
# and uvicorn 0.54.0 as the server.
#
# Behaviour: both know the current protocol, graphql-transport-ws, and the older one, graphql-ws.
# gql offers the older one first and Strawberry selects the first that it knows, so that they speak
# the older one. There Strawberry executes subscriptions only: a query ends with the error "queries
# are not allowed". With 'subprotocols=["graphql-transport-ws"]' the same query has data.
#
# Seen: "query: queries are not allowed; subscription: 2 results; query with the current protocol:
# data".
#
# Why it surprises: gql's documentation shows queries over WebSocket, and Strawberry executes them.
# Subscriptions work, so that the message seems to be a rule of the server. A client that offers the
# two protocols in the other order never meets it.
#
# Source: RFC 6455, 4.2.2 (the server selects one of the offered);
# gql/transport/websockets_protocol.py; strawberry/subscriptions/protocols/graphql_ws/handlers.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 \
  websockets==17.4 gql==4.4.0 tenacity==9.2.1
cat >"$folder/app.py" <<'END'
from collections.abc import AsyncGenerator

import strawberry
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from strawberry.asgi import GraphQL

@strawberry.type
class Query:
    @strawberry.field
    def hero(self) -> str:
        return "Leia"

@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count(self) -> AsyncGenerator[int, None]:
        yield 1
        yield 2

app = Starlette(routes=[
    WebSocketRoute("/graphql", GraphQL(strawberry.Schema(query=Query, subscription=Subscription)))])
END
serve_app
execute() {
  python - "$port" "$@" 2>/dev/null <<'END'
import asyncio, sys
from gql import Client, gql
from gql.transport.exceptions import TransportQueryError
from gql.transport.websockets import WebsocketsTransport

async def main(port, document, *subprotocols):
    transport = WebsocketsTransport(
        url=f"ws://127.0.0.1:{port}/graphql", subprotocols=list(subprotocols) or None)
    async with Client(transport=transport) as session:
        try:
            if document.startswith("subscription"):
                print(len([result async for result in session.subscribe(gql(document))]), "results", end=", ")
            else:
                print(await session.execute(gql(document)), end=", ")
        except TransportQueryError as error:
            print(error.errors[0]["message"], end=", ")
        print(transport.subprotocol)

asyncio.run(main(*sys.argv[1:]))
END
}
expect "Query" "$(execute '{ hero }')" "queries are not allowed, graphql-ws"
expect "Subscription" "$(execute 'subscription { count }')" "2 results, graphql-ws"
expect "Query with the current protocol" "$(execute '{ hero }' graphql-transport-ws)" \
  "{'hero': 'Leia'}, graphql-transport-ws"
