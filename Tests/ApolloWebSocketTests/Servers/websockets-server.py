"""A server with the package `websockets`, on a free port of the loopback interface; the path says what it does.

    /echo             sends every message back
    /close/CODE       closes with the code and the reason "because" after the first message
    /ping             sends a ping, and a message when the pong has come
    /fragments        sends the first message back in one fragment for each character or byte
    /flood/COUNT      sends so many messages after the first one
    /drop             drops the connection after the first message, without a closing handshake
    /refuse/STATUS    responds to the opening handshake with the status

Prints its port when it is ready, and stops when its standard input ends. With a certificate and a key as arguments it
speaks TLS.
"""

import asyncio
import http
import ssl
import sys

from websockets.asyncio.server import serve


async def handle(socket) -> None:
    name, _, value = socket.request.path.lstrip("/").partition("/")
    if name == "echo":
        async for message in socket:
            await socket.send(message)
    elif name == "close":
        await socket.recv()
        await socket.close(int(value), "because")
    elif name == "ping":
        await (await socket.ping())
        await socket.send("ponged")
        await socket.wait_closed()
    elif name == "fragments":
        message = await socket.recv()
        await socket.send([message[index : index + 1] for index in range(len(message))])
        await socket.wait_closed()
    elif name == "flood":
        await socket.recv()
        for index in range(int(value)):
            await socket.send(f"message {index}")
        await socket.wait_closed()
    elif name == "drop":
        await socket.recv()
        socket.transport.abort()


def refuse(connection, request):
    name, _, value = request.path.lstrip("/").partition("/")
    return connection.respond(http.HTTPStatus(int(value)), "refused\n") if name == "refuse" else None


def select(connection, offered):
    return offered[-1] if offered else None


async def main(files: list[str]) -> None:
    context = None
    if files:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*files)
    async with serve(
        handle, "127.0.0.1", 0, ssl=context, process_request=refuse, select_subprotocol=select, max_size=None
    ) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main(sys.argv[1:]))
