"""A to-do list on a free port of the loopback interface, over GraphQL.

    python server.py

Prints its URL when it is ready. Stops on SIGINT and SIGTERM, and when its standard input ends.
"""

from __future__ import annotations

import datetime
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
class Todo:
    id: strawberry.ID
    title: str
    is_done: bool = False
    due: datetime.date | None = None


todos = [Todo(id=strawberry.ID("1"), title="Buy milk")]


@strawberry.type
class Query:
    @strawberry.field
    def todos(self) -> list[Todo]:
        return todos


@strawberry.type
class Mutation:
    @strawberry.mutation
    def add_todo(self, title: str, due: datetime.date | None = None) -> Todo:
        if not title:
            raise ValueError("A to-do needs a title.")
        todo = Todo(id=strawberry.ID(str(len(todos) + 1)), title=title, due=due)
        todos.append(todo)
        return todo

    @strawberry.mutation
    def set_done(self, id: strawberry.ID, is_done: bool) -> Todo:
        todo = next((todo for todo in todos if todo.id == id), None)
        if todo is None:
            raise ValueError(f"There is no to-do '{id}'.")
        todo.is_done = is_done
        return todo


graphql = GraphQL(strawberry.Schema(query=Query, mutation=Mutation))
serve(Starlette(routes=[Route("/graphql", graphql)]))
