#!/usr/bin/env bash
# Version: websockets 17.4 (the Python client), with a server of the same package.
#
# Behaviour: the client sends pings and closes the connection with 1011 if no pong comes in time
# ('ping_interval' and 'ping_timeout', 20 s each by default). It stops to read from the network when
# more than 16 messages wait for the program ('max_queue'), and pongs arrive on the same connection.
# So a program that needs longer than the two times for one event loses a connection whose server
# has answered each ping. What waits can still be read, then the iteration fails. With a queue that
# holds all events, or without pings, the same program gets everything.
#
# Seen: "queue of 16: lost with 1011 after some events; large queue: all 60; no pings: all 60".
#
# Why it surprises: the keep-alive is there to find a peer that is gone. Here it ends a healthy
# connection because the own program is busy, and only where events come in bursts, so that it looks
# like an unreliable server.
#
# Source: websockets' documentation, topics/keepalive and the options 'max_queue' and
# 'ping_timeout'.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages websockets==17.4
seen=$(python - <<'END'
import asyncio
import websockets

async def serve(connection):
    for number in range(60):
        await connection.send(f"event {number}")
    await connection.wait_closed()

async def read(port, **options):
    count = 0
    async with websockets.connect(f"ws://127.0.0.1:{port}", ping_timeout=0.5, **options) as socket:
        try:
            while count < 60:
                await socket.recv()
                count += 1
                # The first event takes long.
                await asyncio.sleep(2.5 if count == 1 else 0)
        except websockets.ConnectionClosedError as error:
            return f"lost with {error.sent.code} after some events" if 0 < count < 60 else "lost"
    return f"all {count}"

async def main():
    async with websockets.serve(serve, "127.0.0.1", 0, ping_interval=None) as server:
        port = server.sockets[0].getsockname()[1]
        print("; ".join([
            "queue of 16: " + await read(port, ping_interval=0.5),
            "large queue: " + await read(port, ping_interval=0.5, max_queue=100),
            "no pings: " + await read(port, ping_interval=None)]))

asyncio.run(main())
END
)
expect "Readers that need 2.5 s for the first event" "$seen" \
  "queue of 16: lost with 1011 after some events; large queue: all 60; no pings: all 60"
