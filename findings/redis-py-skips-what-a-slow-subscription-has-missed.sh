#!/usr/bin/env bash
# Version: redis (redis-py) 8.1.0 with Redis 7.0.15 (Debian 12); Strawberry 0.341.2 on graphql-core
# 3.3.2.
#
# Behaviour: a subscription of GraphQL listens to a channel of Redis and passes each message on. Its
# client is slow for a moment, and 20 MB of events are published meanwhile. That is more than Redis
# keeps for a subscriber ('client-output-buffer-limit', 1 MB here, 32 MB by default), so that Redis
# ends the connection. redis-py connects again, subscribes again and goes on with what is published
# from then on: the loop has no error, and events are missing in the middle. Only the message of the
# type 'subscribe' comes a second time, which 'ignore_subscribe_messages=True' leaves out. It is the
# same for the asynchronous client and for the other. Without retries ('Retry(NoBackoff(), 0)') the
# loop ends with a ConnectionError.
#
# Seen: "asynchronous: first yes, all no, last yes, confirmed 2 times; synchronous: first yes, all
# no, last yes, confirmed 2 times; without retries: first yes, all no, last no, ConnectionError".
#
# Why it surprises: a message without a subscriber is lost, as is known, but the program was in its
# loop all the time, which reads as the life of one connection. The client of GraphQL has a
# connection that is alive and events that are in order. A gap between two of them can be seen only
# if they are numbered.
#
# Source: Redis' documentation, "Pub/Sub" (at most once) and "Output buffer limits"; redis-py's
# redis/asyncio/client.py, PubSub._execute, on_connect.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program redis-server redis-server=7.0.15
python_packages redis==8.1.0 strawberry-graphql==0.341.2 graphql-core==3.3.2
cat >"$folder/events.py" <<'END'
import asyncio
import os
import sys
from collections.abc import AsyncGenerator

import redis
import redis.asyncio
import strawberry
from redis.backoff import NoBackoff
from redis.retry import Retry

COUNT, TEXT = 2000, "x" * 10_000
kind, port = sys.argv[1], int(sys.argv[2])
confirmed = 0

async def messages():
    if kind == "synchronous":
        subscriber = redis.Redis(port=port).pubsub()
        await asyncio.to_thread(subscriber.subscribe, "hero")
        listening = subscriber.listen()
        while True:
            yield await asyncio.to_thread(next, listening)
    else:
        retry = redis.asyncio.retry.Retry(NoBackoff(), 0)
        options = {"retry": retry} if kind == "without retries" else {}
        subscriber = redis.asyncio.Redis(port=port, **options).pubsub()
        await subscriber.subscribe("hero")
        async for message in subscriber.listen():
            yield message

@strawberry.type
class Query:
    version: int = 1

@strawberry.type
class Subscription:
    @strawberry.subscription
    async def changes(self) -> AsyncGenerator[int, None]:
        global confirmed
        async for message in messages():
            if message["type"] == "message":
                yield int(message["data"].split()[0])
            else:
                confirmed += 1

schema = strawberry.Schema(Query, subscription=Subscription)

def publish(first, last):
    with redis.Redis(port=port) as publisher:
        for number in range(first, last + 1):
            publisher.publish("hero", f"{number} {TEXT}")

async def main():
    received, ended = [], []

    async def client():
        try:
            async for result in await schema.subscribe("subscription { changes }"):
                if result.errors:
                    ended.append(type(result.errors[0].original_error).__name__)
                    return
                received.append(result.data["changes"])
                if received == [1]:
                    await slow.wait()
        except Exception as error:
            ended.append(type(error).__name__)

    slow = asyncio.Event()
    task = asyncio.create_task(client())
    await asyncio.sleep(1)
    await asyncio.to_thread(publish, 1, COUNT)
    slow.set()
    await asyncio.sleep(3)
    await asyncio.to_thread(publish, COUNT + 1, COUNT + 1)
    await asyncio.sleep(1)
    task.cancel()
    await asyncio.wait([task])
    said = {True: "yes", False: "no"}
    assert received == sorted(received)
    end = ended or [f"confirmed {confirmed} times"]
    print(f"first {said[received[:1] == [1]]}, all {said[len(received) == COUNT + 1]},"
          f" last {said[received[-1:] == [COUNT + 1]]}, {end[0]}", flush=True)
    os._exit(0)  # The thread of the synchronous client waits for a message.

asyncio.run(main())
END
serve_redis --client-output-buffer-limit pubsub 1mb 0 0
seen() { python "$folder/events.py" "$1" "$port" 2>"$folder/events.log"; }
expect asynchronous "$(seen asynchronous)" "first yes, all no, last yes, confirmed 2 times"
expect synchronous "$(seen synchronous)" "first yes, all no, last yes, confirmed 2 times"
expect "without retries" "$(seen "without retries")" "first yes, all no, last no, ConnectionError"
