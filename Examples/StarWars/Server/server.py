"""Serves the Star Wars schema on a port of the loopback interface, a free one unless it is named.

    python server.py [PORT]

When it is ready it prints its URL, alone on a line. It stops on SIGINT and SIGTERM, and when its standard input ends, so it
never outlives a program that has started it with a pipe.
"""

from __future__ import annotations

import os
import socket
import sys
import threading

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from strawberry.asgi import GraphQL

sys.dont_write_bytecode = True  # so that running the example leaves nothing in the source folder

from schema import schema  # noqa: E402


class AnnouncingServer(uvicorn.Server):
    """Prints `url` once requests are served."""

    def __init__(self, config: uvicorn.Config, url: str) -> None:
        super().__init__(config)
        self.url = url

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        print(self.url, flush=True)


    def stop_when_input_ends(self) -> None:
        while os.read(0, 4096):
            pass
        self.should_exit = True


def main() -> None:
    graphql = GraphQL(schema)
    app = Starlette(routes=[Route("/graphql", graphql), WebSocketRoute("/graphql", graphql)])
    # The protocol is named because asyncio turns off Nagle's algorithm only for sockets that name
    # it.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0))
    listener.listen()
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/graphql"
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    server = AnnouncingServer(config, url)
    threading.Thread(target=server.stop_when_input_ends, daemon=True).start()
    server.run(sockets=[listener])


if __name__ == "__main__":
    main()
