"""Serves an application on a port of the loopback interface, and prints the URL when it is ready.

The server stops when its standard input ends, so that a test that dies takes its server with it.
"""

from __future__ import annotations

import os
import socket
import sys
import threading

import uvicorn

sys.dont_write_bytecode = True


class AnnouncingServer(uvicorn.Server):
    url = ""

    async def startup(self, sockets=None) -> None:
        await super().startup(sockets)
        print(self.url, flush=True)

    def stop_when_input_ends(self) -> None:
        while os.read(0, 4096):
            pass
        self.should_exit = True


def serve(app, port: int = 0) -> None:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(1024)
    server = AnnouncingServer(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    server.url = f"http://127.0.0.1:{listener.getsockname()[1]}/graphql"
    threading.Thread(target=server.stop_when_input_ends, daemon=True).start()
    server.run(sockets=[listener])
