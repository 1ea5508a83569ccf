#!/usr/bin/env bash
# Version: broadcaster 0.3.1 with redis (redis-py) 8.1.0 and 7.4.1, each of which satisfies its
# requirement 'redis'; Ariadne 1.1.1 on graphql-core 3.3.2, and Redis 7.0.15 (Debian 12).
#
# Behaviour: a subscription of GraphQL takes its events from a channel of Redis by broadcaster. With
# redis-py 7 each event is delivered. With redis-py 8 none is, and nothing is raised or logged: the
# two events that are published wait on the connection until any client subscribes to another
# channel. Then both arrive at once, and later ones as they should.
#
# Seen: "redis-py 8.1.0: hero 5 alone: -; hero 6 as well: 1 2; afterwards: 1 2 3; redis-py 7.4.1:
# hero 5 alone: 1 2; hero 6 as well: 1 2; afterwards: 1 2 3".
#
# Why it surprises: neither library has changed its API, and a server is upgraded by installing it
# anew. broadcaster wakes its reader before it sends SUBSCRIBE, and counts on the reader not to run
# until that is sent. redis-py 8 sends with a time limit, in a task of its own. The reader finds no
# subscription and sleeps until it is woken once more. On a busy server this is soon, so that the
# first client of a day has old events, and a test with two channels passes.
#
# Source: broadcaster/_backends/redis.py (_pubsub_listener, subscribe); redis/asyncio/client.py,
# PubSub.listen; redis/asyncio/connection.py, send_packed_command.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program redis-server redis-server=7.0.15
cat >"$folder/heroes.py" <<'END'
import asyncio
import sys

from ariadne import SubscriptionType, make_executable_schema, subscribe
from broadcaster import Broadcast

broadcast = Broadcast(f"redis://127.0.0.1:{sys.argv[1]}")
subscription = SubscriptionType()

@subscription.source("changes")
async def source(*_, hero):
    async with broadcast.subscribe(f"hero-{hero}") as subscriber:
        async for event in subscriber:
            yield event.message

subscription.set_field("changes", lambda message, *_, hero: message)
schema = make_executable_schema(
    "type Query { version: Int } type Subscription { changes(hero: ID!): String }", subscription)

async def main():
    received, seen = [], []

    async def client(hero):
        document = f"subscription {{ changes(hero: {hero}) }}"
        ok, results = await subscribe(schema, {"query": document})
        assert ok
        async for result in results:
            received.append(result.data["changes"])

    async def look(what):
        await asyncio.sleep(1)
        seen.append(f"{what}: {' '.join(received) or '-'}")

    await broadcast.connect()
    clients = [asyncio.create_task(client(5))]
    await asyncio.sleep(1)
    await broadcast.publish("hero-5", "1")
    await broadcast.publish("hero-5", "2")
    await look("hero 5 alone")
    clients.append(asyncio.create_task(client(6)))
    await look("hero 6 as well")
    await broadcast.publish("hero-5", "3")
    await look("afterwards")
    for task in clients:
        task.cancel()
    await asyncio.gather(*clients, return_exceptions=True)
    await broadcast.disconnect()
    print("; ".join(seen))

asyncio.run(main())
END
serve_redis
# Uses broadcaster with the named version of redis-py.
seen_with() {
  python_packages broadcaster==0.3.1 "redis==$1" ariadne==1.1.1 graphql-core==3.3.2
  seen=$(python "$folder/heroes.py" "$port" 2>&1)
}
seen_with 8.1.0
expect "redis-py 8.1.0" "$seen" "hero 5 alone: -; hero 6 as well: 1 2; afterwards: 1 2 3"
seen_with 7.4.1
expect "redis-py 7.4.1" "$seen" "hero 5 alone: 1 2; hero 6 as well: 1 2; afterwards: 1 2 3"
