"""Serves an application on a port of the loopback interface, and prints the URL when it is ready.

The server stops when its standard input ends, so that a test that dies takes its server with it.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading

sys.dont_write_bytecode = True


def serve(app, port: int = 0) -> None:
    """Serves with uvicorn, or with Hypercorn where that is installed instead."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # A test may have reserved the port with a socket of its own.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(1024)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/graphql"
    try:
        import uvicorn
    except ImportError:
        serve_with_hypercorn(app, listener, url)
        return

    class AnnouncingServer(uvicorn.Server):
        async def startup(self, sockets=None) -> None:
            await super().startup(sockets)
            print(url, flush=True)

    server = AnnouncingServer(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))

    def stop() -> None:
        server.should_exit = True

    when_input_ends(stop)
    server.run(sockets=[listener])


def serve_with_hypercorn(app, listener: socket.socket, url: str) -> None:
    from hypercorn.asyncio import serve as run
    from hypercorn.config import Config

    config = Config()
    config.bind = [f"fd://{listener.detach()}"]
    config.loglevel = "ERROR"

    async def main() -> None:
        # The listener accepts connections already; the server takes them when it runs.
        print(url, flush=True)
        await run(app, config, shutdown_trigger=asyncio.Event().wait)

    when_input_ends(lambda: os._exit(0))
    asyncio.run(main())


def when_input_ends(stop) -> None:
    def wait() -> None:
        while os.read(0, 4096):
            pass
        stop()

    threading.Thread(target=wait, daemon=True).start()
