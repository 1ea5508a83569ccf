"""The heroes of the tests, served by Strawberry over both protocols of GraphQL over WebSockets, and
over multipart HTTP.

    python strawberry_heroes.py [port]

A mutation pushes the renamed hero to every subscription. The subscription `ticks` needs no mutation.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from typing import Optional

import strawberry
from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from strawberry.asgi import GraphQL
from strawberry.subscriptions import (
    GRAPHQL_TRANSPORT_WS_PROTOCOL,
    GRAPHQL_WS_PROTOCOL,
    MULTIPART_SUBSCRIPTION_PROTOCOL,
)

from serving import serve

listeners: set[asyncio.Queue] = set()


@strawberry.type
class Hero:
    id: strawberry.ID
    name: str
    friends: Optional[list[Hero]] = None


@strawberry.type
class Query:
    @strawberry.field
    def hero(self, name: Optional[str] = None) -> Optional[Hero]:
        return Hero(id=strawberry.ID("1"), name=name or "R2-D2")


@strawberry.type
class Mutation:
    @strawberry.mutation
    async def rename(self, id: strawberry.ID, name: str) -> Optional[Hero]:
        hero = Hero(id=id, name=name)
        for listener in listeners:
            listener.put_nowait(hero)
        return hero


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def hero_changed(self) -> AsyncGenerator[Optional[Hero], None]:
        queue: asyncio.Queue = asyncio.Queue()
        listeners.add(queue)
        try:
            yield Hero(id=strawberry.ID("1"), name="subscribed")
            while True:
                yield await queue.get()
        finally:
            listeners.discard(queue)


schema = strawberry.Schema(query=Query, mutation=Mutation, subscription=Subscription)


class Authorized(GraphQL):
    """Rejects sessions whose payload has the token "expired"."""

    async def on_ws_connect(self, context):
        from strawberry.exceptions import ConnectionRejectionError

        if (context.get("connection_params") or {}).get("token") == "expired":
            raise ConnectionRejectionError()
        return await super().on_ws_connect(context)


app = Authorized(
    schema,
    subscription_protocols=[
        GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_WS_PROTOCOL, MULTIPART_SUBSCRIPTION_PROTOCOL,
    ],
    keep_alive=True, keep_alive_interval=1,
)

if __name__ == "__main__":
    serve(
        Starlette(routes=[Route("/graphql", app), WebSocketRoute("/graphql", app)]),
        int(sys.argv[1]) if len(sys.argv) > 1 else 0,
    )
