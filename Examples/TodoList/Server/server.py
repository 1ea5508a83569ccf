"""A to-do list on a free port of the loopback interface, over GraphQL.

    python server.py [database]

The list is in an SQLite database, which is in memory unless a file is given. A request with the
header `Idempotency-Key` is performed once: the key and the response are written in the transaction
of the mutation, and a request with a known key gets that response again.

Prints its URL when it is ready. Stops on SIGINT and SIGTERM, and when its standard input ends.
"""

from __future__ import annotations

import asyncio
import datetime
import pathlib
import sqlite3
import sys

import strawberry
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message
from strawberry.asgi import GraphQL

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Servers"))

from announcing import serve  # noqa: E402


database = sqlite3.connect(
    sys.argv[1] if len(sys.argv) > 1 else ":memory:",
    isolation_level=None,
    check_same_thread=False,
)
database.executescript(
    """
    CREATE TABLE IF NOT EXISTS todos (
        id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL,
        is_done INTEGER NOT NULL DEFAULT 0, due TEXT
    );
    CREATE TABLE IF NOT EXISTS responses (key TEXT PRIMARY KEY, body BLOB NOT NULL);
    INSERT INTO todos (title) SELECT 'Buy milk'
        WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'todos');
    """
)


@strawberry.type
class Todo:
    id: strawberry.ID
    title: str
    is_done: bool = False
    due: datetime.date | None = None


def find(condition: str = "1", *values: object) -> list[Todo]:
    rows = database.execute(
        f"SELECT id, title, is_done, due FROM todos WHERE {condition} ORDER BY id", values
    )
    return [
        Todo(
            id=strawberry.ID(str(id)),
            title=title,
            is_done=bool(is_done),
            due=datetime.date.fromisoformat(due) if due else None,
        )
        for id, title, is_done, due in rows
    ]


def find_one(id: str) -> Todo:
    todos = find("id = ?", id)
    if not todos:
        raise ValueError(f"There is no to-do '{id}'.")
    return todos[0]


@strawberry.type
class Query:
    @strawberry.field
    def todos(self) -> list[Todo]:
        return find()


@strawberry.type
class Mutation:
    @strawberry.mutation
    def add_todo(self, title: str, due: datetime.date | None = None) -> Todo:
        if not title:
            raise ValueError("A to-do needs a title.")
        row = database.execute(
            "INSERT INTO todos (title, due) VALUES (?, ?)",
            (title, due.isoformat() if due else None),
        )
        return find_one(str(row.lastrowid))

    @strawberry.mutation
    def set_done(self, id: strawberry.ID, is_done: bool) -> Todo:
        find_one(id)
        database.execute("UPDATE todos SET is_done = ? WHERE id = ?", (is_done, id))
        return find_one(id)

    @strawberry.mutation
    def remove_todo(self, id: strawberry.ID) -> bool:
        return database.execute("DELETE FROM todos WHERE id = ?", (id,)).rowcount > 0


graphql = GraphQL(strawberry.Schema(query=Query, mutation=Mutation))
turn = asyncio.Lock()


async def respond(request: Request) -> Response:
    """Responds to a request in one transaction, with its key if it has one."""
    body = await request.body()
    key = request.headers.get("Idempotency-Key")
    async with turn:
        known = database.execute("SELECT body FROM responses WHERE key = ?", (key,)).fetchone()
        if known:
            return Response(known[0], media_type="application/json")
        database.execute("BEGIN")
        try:
            response = await perform(request, body)
            if key and response.status_code == 200:
                database.execute("INSERT INTO responses VALUES (?, ?)", (key, response.body))
            database.execute("COMMIT")
        except BaseException:
            database.execute("ROLLBACK")
            raise
        return response


async def perform(request: Request, body: bytes) -> Response:
    """Lets Strawberry respond, and collects the response."""
    response = Response()

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            response.status_code = message["status"]
            response.raw_headers = list(message["headers"])
        else:
            response.body += message.get("body", b"")

    response.body = b""
    await graphql(request.scope, receive, send)
    return response


serve(Starlette(routes=[Route("/graphql", respond, methods=["GET", "POST"])]))
