"""The heroes of the tests, served by Ariadne: one protocol for each run.

    python ariadne_heroes.py [graphql-transport-ws | graphql-ws | events]

With `events`, subscriptions are also sent over HTTP as server-sent events.
"""

from __future__ import annotations

import asyncio
import hashlib
import sys

from ariadne import (
    MutationType, QueryType, SubscriptionType, make_executable_schema, upload_scalar,
)
from ariadne.asgi import GraphQL
from ariadne.asgi.handlers import GraphQLHTTPHandler, GraphQLTransportWSHandler, GraphQLWSHandler
from ariadne.contrib.sse import GraphQLHTTPSSEHandler
from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute

from serving import serve

query, mutation, subscription = QueryType(), MutationType(), SubscriptionType()
listeners: set[asyncio.Queue] = set()

definitions = """
  type Hero { id: ID! name: String! friends: [Hero!] }
  type Query { hero(name: String): Hero }
  scalar Upload
  type Mutation { rename(id: ID!, name: String!): Hero upload(file: Upload!): Hero }
  type Subscription { heroChanged: Hero }
"""


@query.field("hero")
def hero(*_, name=None):
    return {"id": "1", "name": name or "R2-D2"}


@mutation.field("rename")
async def rename(*_, id, name):
    changed = {"id": id, "name": name}
    for listener in listeners:
        listener.put_nowait(changed)
    return changed


@mutation.field("upload")
async def upload(*_, file):
    content = await file.read()
    digest = hashlib.sha256(content).hexdigest()[:8]
    return {"id": "9", "name": f"{file.filename}|{file.content_type}|{len(content)}|{digest}"}


@subscription.source("heroChanged")
async def hero_changes(*_):
    queue: asyncio.Queue = asyncio.Queue()
    listeners.add(queue)
    try:
        yield {"id": "1", "name": "subscribed"}
        while True:
            yield await queue.get()
    finally:
        listeners.discard(queue)


@subscription.field("heroChanged")
def hero_changed(hero, *_):
    return hero


schema = make_executable_schema(definitions, query, mutation, subscription, upload_scalar)

if __name__ == "__main__":
    is_legacy = sys.argv[1:] == ["graphql-ws"]
    handler = GraphQLWSHandler(keepalive=1) if is_legacy else GraphQLTransportWSHandler()
    http = GraphQLHTTPSSEHandler() if sys.argv[1:] == ["events"] else GraphQLHTTPHandler()
    app = GraphQL(
        schema, websocket_handler=handler, http_handler=http, execute_get_queries=True)
    serve(Starlette(routes=[
        Route("/graphql", app.handle_request, methods=["GET", "POST"]),
        WebSocketRoute("/graphql", app.handle_websocket),
    ]))
