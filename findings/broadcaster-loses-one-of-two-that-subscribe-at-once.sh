#!/usr/bin/env bash
# Version: broadcaster 0.3.1 with redis (redis-py) 7.4.1; Strawberry 0.341.2 on graphql-core 3.3.2,
# and Redis 7.0.15 (Debian 12).
#
# Behaviour: two subscriptions of GraphQL take their events from one channel by broadcaster, with
# streams of Redis ('redis-stream://'). If they begin at the same time, the one that began first
# never receives an event, and there is no error. If it begins a second earlier, both receive all.
# With 'redis://' and 'memory://' both receive all also if they begin at once.
#
# Seen: "redis-stream, at once: a -, b 1 2; a first: a 1 2, b 1 2; redis, at once: a 1 2, b 1 2;
# memory, at once: a 1 2, b 1 2".
#
# Why it surprises: the library is there to give each subscriber each event, and does, if one comes
# after the other, as in a test. The first one on a channel waits for the backend, and puts down a
# set with itself alone then; of two first ones, the last set remains. All clients of a server are
# first at once when they come back after its restart, and so are two parts of one screen that ask
# for the same object. The connection is alive, so that no client reconnects.
#
# Source: broadcaster/_base.py, Broadcast.subscribe; broadcaster/_backends/redis.py,
# RedisStreamBackend.subscribe (which asks Redis for the stream first).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program redis-server redis-server=7.0.15
python_packages broadcaster==0.3.1 redis==7.4.1 strawberry-graphql==0.341.2 graphql-core==3.3.2
cat >"$folder/heroes.py" <<'END'
import asyncio
import sys
from collections.abc import AsyncGenerator

import strawberry
from broadcaster import Broadcast

url, pause = sys.argv[1], float(sys.argv[2])
broadcast = Broadcast(url)

@strawberry.type
class Query:
    version: int = 1

@strawberry.type
class Subscription:
    @strawberry.subscription
    async def changes(self) -> AsyncGenerator[str, None]:
        async with broadcast.subscribe("hero") as subscriber:
            async for event in subscriber:
                yield event.message

schema = strawberry.Schema(Query, subscription=Subscription)

async def main():
    received = {"a": [], "b": []}

    async def client(name):
        async for result in await schema.subscribe("subscription { changes }"):
            received[name].append(result.data["changes"])

    await broadcast.connect()
    clients = []
    for name in received:
        clients.append(asyncio.create_task(client(name)))
        await asyncio.sleep(pause)
    await asyncio.sleep(1)
    for event in "12":
        await broadcast.publish("hero", event)
    await asyncio.sleep(1)
    for task in clients:
        task.cancel()
    await asyncio.gather(*clients, return_exceptions=True)
    await broadcast.disconnect()
    print(", ".join(f"{name} {' '.join(events) or '-'}" for name, events in received.items()))

asyncio.run(main())
END
serve_redis
redis=$port
seen() { python "$folder/heroes.py" "$@" 2>/dev/null; redis-cli -p "$redis" flushall >/dev/null; }
expect "redis-stream, at once" "$(seen "redis-stream://127.0.0.1:$redis" 0)" "a -, b 1 2"
expect "a first" "$(seen "redis-stream://127.0.0.1:$redis" 1)" "a 1 2, b 1 2"
expect "redis, at once" "$(seen "redis://127.0.0.1:$redis" 0)" "a 1 2, b 1 2"
expect "memory, at once" "$(seen memory:// 0)" "a 1 2, b 1 2"
