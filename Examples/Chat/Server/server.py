"""A chat room on a free port of the loopback interface, over GraphQL with WebSockets.

    python server.py

Prints its URL when it is ready. Stops on SIGINT and SIGTERM, and when its standard input ends.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
from collections.abc import AsyncGenerator

import strawberry
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from strawberry.asgi import GraphQL

sys.dont_write_bytecode = True


@strawberry.type
class Message:
    id: strawberry.ID
    author: str
    text: str


messages: list[Message] = []
listeners: set[asyncio.Queue[Message]] = set()


@strawberry.type
class Query:
    @strawberry.field
    def messages(self) -> list[Message]:
        return messages


@strawberry.type
class Mutation:
    @strawberry.mutation
    async def say(self, author: str, text: str) -> Message:
        message = Message(id=strawberry.ID(str(len(messages) + 1)), author=author, text=text)
        messages.append(message)
        for listener in listeners:
            listener.put_nowait(message)
        return message


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def message_added(self) -> AsyncGenerator[Message, None]:
        queue: asyncio.Queue[Message] = asyncio.Queue()
        listeners.add(queue)
        try:
            for message in list(messages):
                yield message
            while True:
                yield await queue.get()
        finally:
            listeners.discard(queue)


class AnnouncingServer(uvicorn.Server):
    url = ""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        print(self.url, flush=True)

    def stop_when_input_ends(self) -> None:
        while os.read(0, 4096):
            pass
        self.should_exit = True


def main() -> None:
    graphql = GraphQL(strawberry.Schema(query=Query, mutation=Mutation, subscription=Subscription))
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    app = Starlette(routes=[Route("/graphql", graphql), WebSocketRoute("/graphql", graphql)])
    server = AnnouncingServer(
        uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    )
    server.url = f"http://127.0.0.1:{listener.getsockname()[1]}/graphql"
    threading.Thread(target=server.stop_when_input_ends, daemon=True).start()
    server.run(sockets=[listener])


if __name__ == "__main__":
    main()
