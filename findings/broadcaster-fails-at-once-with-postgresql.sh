#!/usr/bin/env bash
# Version: broadcaster 0.3.1 with asyncpg 0.32.0 and PostgreSQL 15 (Debian 12), beside redis
# (redis-py) 7.4.1 with Redis 7.0.15 (Debian 12); Strawberry 0.341.2 on graphql-core 3.3.2.
#
# Behaviour: a mutation saves a hit, and publishes it by broadcaster with 'postgresql://'. Of three
# requests at once, the first one succeeds. The two others have an error, "another operation is in
# progress", after they have saved, and their events are lost. Of two subscriptions that begin at
# once on two channels, the second one has an error, whose whole text is the name of its channel.
# One request with three mutations succeeds, since these run one after the other. With 'redis://'
# and 'memory://' all of it succeeds.
#
# Seen: "postgresql: at once data error error, saved 3, events 1; in one request data, saved 3,
# events 3; subscriptions a active, b error 'b'; redis: at once data data data, saved 3, events 3;
# in one request data, saved 3, events 3; subscriptions a active, b active", and memory as redis.
#
# Why it surprises: the library is for asynchronous servers, whose requests run at once, and another
# backend is said to be another address. This one has a single connection for all that it does, and
# its driver refuses a second query where that of Redis takes another connection. A client that
# tries the failed mutation again saves twice. The text of the other error comes from tidying up
# after the first error, which fails in turn.
#
# Source: broadcaster's documentation (README, "Available backends"), its issue 22,
# _backends/postgres.py (one connection) and _base.py, Broadcast.subscribe.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

PATH=$PATH:/usr/lib/postgresql/15/bin
debian_program postgres postgresql-15
debian_program redis-server redis-server=7.0.15
python_packages broadcaster==0.3.1 asyncpg==0.32.0 redis==7.4.1 strawberry-graphql==0.341.2 \
  graphql-core==3.3.2
cat >"$folder/hits.py" <<'END'
import asyncio, sys
import strawberry
from broadcaster import Broadcast

broadcast = Broadcast(sys.argv[1])
saved = []

@strawberry.type
class Query:
    hero: str = "Leia"

@strawberry.type
class Mutation:
    @strawberry.mutation
    async def hit(self, points: int) -> int:
        saved.append(points)
        await broadcast.publish(channel="hits", message=str(points))
        return points

@strawberry.type
class Subscription:
    @strawberry.subscription
    async def hits(self, channel: str) -> str:
        async with broadcast.subscribe(channel) as events:
            async for event in events:
                yield event.message

schema = strawberry.Schema(Query, Mutation, Subscription)
received = {}

async def client(channel):
    received[channel] = []
    document = "subscription ($channel: String!) { hits(channel: $channel) }"
    async for result in await schema.subscribe(document, {"channel": channel}):
        if result.errors:
            return result.errors[0].message
        received[channel].append(result.data["hits"])

async def subscriptions(*channels):
    tasks = [asyncio.create_task(client(channel)) for channel in channels]
    await asyncio.sleep(1)
    return tasks

async def send(name, *documents):
    saved.clear()
    received["hits"].clear()
    results = await asyncio.gather(*(schema.execute(document) for document in documents))
    await asyncio.sleep(1)
    for result in results:
        assert not result.errors or "another operation is in progress" in result.errors[0].message
    kinds = " ".join("error" if result.errors else "data" for result in results)
    return f"{name} {kinds}, saved {len(saved)}, events {len(received['hits'])}"

async def main():
    async with broadcast:
        tasks = await subscriptions("hits")
        seen = [
            await send("at once", *(f"mutation {{ hit(points: {n}) }}" for n in (1, 2, 3))),
            await send("in one request", "mutation { a: hit(points: 1) b: hit(points: 2) c: hit(points: 3) }")]
        both = await subscriptions("a", "b")
        states = (f"{name} {'error ' + task.result() if task.done() else 'active'}"
                  for name, task in zip("ab", both))
        seen.append(f"subscriptions {', '.join(states)}")
        print("; ".join(seen), flush=True)
        for task in tasks + both:
            task.cancel()
        await asyncio.gather(*tasks, *both, return_exceptions=True)

asyncio.run(main())
END
seen() { python "$folder/hits.py" "$1" 2>"$folder/log" || true; }

port=$(free_port)
install -d -o postgres -g postgres -m 700 "$folder/data"
# The server refuses to run as the administrator.
as_postgres() { cd "$folder/data" && exec setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
(as_postgres initdb --no-sync --auth=trust --encoding=UTF8 --locale=C .) >/dev/null
(as_postgres postgres -D . -F -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories=) \
  2>/dev/null &
await_port "$port"
expect postgresql "$(seen "postgresql://postgres@127.0.0.1:$port/postgres")" \
  "at once data error error, saved 3, events 1; in one request data, saved 3, events 3; subscriptions a active, b error 'b'"
serve_redis
all="at once data data data, saved 3, events 3; in one request data, saved 3, events 3; subscriptions a active, b active"
expect redis "$(seen "redis://127.0.0.1:$port")" "$all"
expect memory "$(seen memory://)" "$all"
