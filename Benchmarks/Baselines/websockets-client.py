"""Measures the client of the package `websockets`.

Reads commands from standard input, `receive COUNT`, `events COUNT` or `echo COUNT`, and prints for each the nanoseconds
that it took.
"""

import asyncio
import json
import sys
import time

import websockets


async def main(url: str) -> None:
    async with websockets.connect(url, compression=None, ping_interval=None) as socket:
        loop = asyncio.get_running_loop()
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            command, count = line.split()
            start = time.perf_counter_ns()
            if command == "receive":
                await socket.send(count)
                for _ in range(int(count)):
                    await socket.recv()
            elif command == "events":
                request = {"id": "1", "type": "subscribe", "payload": {"variables": {"count": int(count)}}}
                await socket.send(json.dumps(request, separators=(",", ":")))
                stars = 0
                while (message := json.loads(await socket.recv()))["type"] == "next":
                    stars += message["payload"]["data"]["reviewAdded"]["stars"]
                assert stars == 5 * int(count)
            else:
                for _ in range(int(count)):
                    await socket.send("hello")
                    await socket.recv()
            print(time.perf_counter_ns() - start, flush=True)


asyncio.run(main(sys.argv[1]))
