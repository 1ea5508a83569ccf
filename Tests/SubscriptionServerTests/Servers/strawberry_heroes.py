"""The heroes of the tests, served by Strawberry over both protocols of GraphQL over WebSockets, and
over multipart HTTP; with uploads, deferred data, batches, GET and persisted queries.

    python strawberry_heroes.py [port]

A mutation pushes the renamed hero to every subscription. The subscription `ticks` needs no mutation.
"""

from __future__ import annotations

import asyncio
import hashlib
import sys
from collections.abc import AsyncGenerator
from typing import Optional

import strawberry
from graphql import GraphQLError
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.routing import Route, WebSocketRoute
from strawberry.asgi import GraphQL
from strawberry.extensions import SchemaExtension
from strawberry.file_uploads import UploadDefinition
from strawberry.schema.config import StrawberryConfig
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

    @strawberry.field
    async def friends(self) -> Optional[list[Hero]]:
        if self.name != "R2-D2":
            return None
        await asyncio.sleep(0)
        return [Hero(id=strawberry.ID("2"), name="Luke"), Hero(id=strawberry.ID("3"), name="Leia")]


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
        content = await file.read()
        digest = hashlib.sha256(content).hexdigest()[:8]
        return Hero(
            id=strawberry.ID("9"),
            name=f"{file.filename}|{file.content_type}|{len(content)}|{digest}")


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


class PersistedQueries(SchemaExtension):
    documents: dict[str, str] = {}

    def on_operation(self):
        context = self.execution_context
        extensions = getattr(context, "operation_extensions", None) or {}
        if persisted := extensions.get("persistedQuery"):
            digest = persisted["sha256Hash"]
            if context.query is None:
                if digest not in self.documents:
                    raise GraphQLError(
                        "PersistedQueryNotFound", extensions={"code": "PERSISTED_QUERY_NOT_FOUND"})
                context.query = self.documents[digest]
            elif hashlib.sha256(context.query.encode()).hexdigest() != digest:
                raise GraphQLError("provided sha does not match query")
            else:
                self.documents[digest] = context.query
        yield


schema = strawberry.Schema(
    query=Query, mutation=Mutation, subscription=Subscription, extensions=[PersistedQueries],
    scalar_overrides={UploadFile: UploadDefinition},
    config=StrawberryConfig(
        enable_experimental_incremental_execution=True, batching_config={"max_operations": 10}),
)


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
    multipart_uploads_enabled=True, allow_queries_via_get=True,
)

if __name__ == "__main__":
    serve(
        Starlette(routes=[Route("/graphql", app), WebSocketRoute("/graphql", app)]),
        int(sys.argv[1]) if len(sys.argv) > 1 else 0,
    )
