"""The heroes of the tests behind a proxy, served by Strawberry on every route that it has.

    python proxied_heroes.py PORT HEARTBEAT

HEARTBEAT is the number of seconds between the signs of life in a response with events. The deferred
friends of a hero wait for a mutation, so that a client that sees them early proves that the first
part of the response has reached it.
"""

from __future__ import annotations

import asyncio
import pathlib
import sys
from collections.abc import AsyncGenerator
from typing import Optional

import strawberry
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.routing import Route, WebSocketRoute
from strawberry.asgi import GraphQL
from strawberry.file_uploads import UploadDefinition
from strawberry.http.streaming import MultipartSubscriptionTransport, SSETransport
from strawberry.schema.config import StrawberryConfig
from strawberry.subscriptions import (
    GRAPHQL_SSE_PROTOCOL,
    GRAPHQL_TRANSPORT_WS_PROTOCOL,
    MULTIPART_SUBSCRIPTION_PROTOCOL,
)

root = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(root / "Tests/SubscriptionServerTests/Servers"))
from serving import serve  # noqa: E402

port, heartbeat = int(sys.argv[1]), float(sys.argv[2])
listeners: set[asyncio.Queue] = set()


@strawberry.type
class Hero:
    id: strawberry.ID
    name: str

    @strawberry.field
    async def friends(self) -> Optional[list[Hero]]:
        if self.name != "R2-D2":
            return None
        queue: asyncio.Queue = asyncio.Queue()
        listeners.add(queue)
        try:
            await asyncio.wait_for(queue.get(), 2)
            names = ["Luke", "Leia"]
        except asyncio.TimeoutError:
            names = ["late"]
        finally:
            listeners.discard(queue)
        return [Hero(id=strawberry.ID(str(2 + index)), name=name) for index, name in enumerate(names)]


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

    @strawberry.mutation
    async def upload(self, file: UploadFile) -> Optional[Hero]:
        count = len(await file.read())
        return Hero(id=strawberry.ID("9"), name=f"{file.filename}|{count}|")


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


SSETransport.__init__.__defaults__ = (heartbeat,)
MultipartSubscriptionTransport.heartbeat_interval = heartbeat

app = GraphQL(
    strawberry.Schema(
        query=Query, mutation=Mutation, subscription=Subscription,
        scalar_overrides={UploadFile: UploadDefinition},
        config=StrawberryConfig(enable_experimental_incremental_execution=True)),
    subscription_protocols=[
        GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_SSE_PROTOCOL, MULTIPART_SUBSCRIPTION_PROTOCOL,
    ],
    multipart_uploads_enabled=True, allow_queries_via_get=True,
)

if __name__ == "__main__":
    serve(Starlette(routes=[Route("/graphql", app), WebSocketRoute("/graphql", app)]), port)
