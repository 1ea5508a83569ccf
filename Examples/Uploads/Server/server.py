"""Receives files on a free port of the loopback interface, over GraphQL.

    python server.py

Prints its URL when it is ready. Stops on SIGINT and SIGTERM, and when its standard input ends.
"""

from __future__ import annotations

import pathlib
import sys

import strawberry
from starlette.applications import Starlette
from starlette.routing import Route
from strawberry.asgi import GraphQL
from strawberry.file_uploads import Upload

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Servers"))

from announcing import serve  # noqa: E402


@strawberry.type
class File:
    id: strawberry.ID
    name: str
    size: int


received: list[File] = []


async def receive(upload: Upload) -> File:
    id = strawberry.ID(str(len(received) + 1))
    file = File(id=id, name=upload.filename, size=len(await upload.read()))
    received.append(file)
    return file


@strawberry.type
class Query:
    @strawberry.field
    def files(self) -> list[File]:
        return received


@strawberry.type
class Mutation:
    @strawberry.mutation
    async def upload_file(self, file: Upload) -> File:
        return await receive(file)

    @strawberry.mutation
    async def upload_files(self, files: list[Upload]) -> list[File]:
        return [await receive(file) for file in files]


graphql = GraphQL(strawberry.Schema(query=Query, mutation=Mutation), multipart_uploads_enabled=True)
serve(Starlette(routes=[Route("/graphql", graphql)]))
