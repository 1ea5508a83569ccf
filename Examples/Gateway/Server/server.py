"""Serves each user's notes on a free port of the loopback interface, over GraphQL.

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

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Servers"))

from announcing import serve  # noqa: E402


@strawberry.type
class Note:
    id: strawberry.ID
    text: str


NOTES = {
    "ada": [Note(id=strawberry.ID("1"), text="Translate Menabrea")],
    "grace": [Note(id=strawberry.ID("2"), text="Find the moth")],
}


@strawberry.type
class Query:
    @strawberry.field
    def notes(self, info: strawberry.Info) -> list[Note]:
        user = info.context["request"].headers.get("authorization", "").removeprefix("Bearer ")
        if user not in NOTES:
            raise PermissionError(f"'{user}' is no user.")
        return NOTES[user]


graphql = GraphQL(strawberry.Schema(query=Query))
serve(Starlette(routes=[Route("/graphql", graphql)]))
