"""Serves an application for an example, on a free port of the loopback interface."""

from __future__ import annotations

import os
import socket
import threading

import uvicorn
from starlette.applications import Starlette


class AnnouncingServer(uvicorn.Server):
    """Prints `url` when requests are served, and stops when the standard input ends."""

    url = ""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        print(self.url, flush=True)

    def stop_when_input_ends(self) -> None:
        while os.read(0, 4096):
            pass
        self.should_exit = True


def serve(app: Starlette) -> None:
    """Serves `app` until it is stopped."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    server = AnnouncingServer(
        uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    )
    server.url = f"http://127.0.0.1:{listener.getsockname()[1]}/graphql"
    threading.Thread(target=server.stop_when_input_ends, daemon=True).start()
    server.run(sockets=[listener])
