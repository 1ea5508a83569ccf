#!/usr/bin/env bash
# Version: Channels 4.3.2 and channels-redis 4.3.0 with redis (redis-py) 7.4.1, Django 5.2.19,
# Strawberry 0.341.2 on graphql-core 3.3.2, uvicorn 0.54.0 (websockets 17.4), Redis 7.0.15 (Debian
# 12).
#
# Behaviour: a subscription listens to a group of Channels by Strawberry's 'listen_to_channel'. The
# membership of the group ends 'group_expiry' seconds after it began, by default 86400, however many
# events arrive meanwhile. From then on the subscription receives nothing, without an error or a
# closure, while a mutation on the same connection succeeds. So it is with the layer in memory and
# with that of Redis, here with three seconds. The layer that uses Redis' publish and subscribe has
# no such limit.
#
# Seen: "memory: default 86400, at once 1 2, later -, mutations 4 of 4; RedisChannelLayer: default
# 86400, at once 1 2, later -, mutations 4 of 4; RedisPubSubChannelLayer: default none, at once 1 2,
# later 3 4, mutations 4 of 4".
#
# Why it surprises: the name is that of an age limit for groups that are not in use. Daphne closes
# each WebSocket after the same 86400 seconds by default, so that the two agree there. uvicorn has
# no such limit. A client cannot notice: its pings are answered, and a subscription without events
# looks like a quiet day. No test runs for so long.
#
# Source: channels-redis' documentation, "group_expiry"; channels/layers.py, _clean_expired;
# channels_redis/core.py, group_send; strawberry/channels/handlers/base.py; daphne's option
# '--websocket_timeout'.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program redis-server redis-server=7.0.15
python_packages channels==4.3.2 channels-redis==4.3.0 redis==7.4.1 Django==5.2.19 \
  strawberry-graphql==0.341.2 graphql-core==3.3.2 uvicorn==0.54.0 websockets==17.4
cat >"$folder/app.py" <<'END'
import inspect
import os
from collections.abc import AsyncGenerator

import django
from django.conf import settings
from django.utils.module_loading import import_string

layer = import_string(os.environ["LAYER"])
options = {} if "memory" in os.environ["LAYER"].lower() else {"hosts": [os.environ["REDIS"]]}
limited = inspect.signature(layer).parameters.get("group_expiry")
if limited:
    options["group_expiry"] = 3
settings.configure(
    CHANNEL_LAYERS={"default": {"BACKEND": os.environ["LAYER"], "CONFIG": options}})
django.setup()
import strawberry
from channels.layers import get_channel_layer
from channels.routing import ProtocolTypeRouter, URLRouter
from django.urls import path
from strawberry.channels import GraphQLWSConsumer

@strawberry.type
class Query:
    @strawberry.field
    def default(self) -> str:
        return str(limited.default if limited else "none")

@strawberry.type
class Mutation:
    @strawberry.mutation
    async def change(self, to: int) -> int:
        await get_channel_layer().group_send("heroes", {"type": "hero.changed", "to": to})
        return to

@strawberry.type
class Subscription:
    @strawberry.subscription
    async def changes(self, info: strawberry.Info) -> AsyncGenerator[int, None]:
        consumer = info.context["ws"]
        async with consumer.listen_to_channel("hero.changed", groups=["heroes"]) as messages:
            async for message in messages:
                yield message["to"]

schema = strawberry.Schema(Query, Mutation, Subscription)
socket = URLRouter([path("graphql", GraphQLWSConsumer.as_asgi(schema=schema))])
app = ProtocolTypeRouter({"websocket": socket})
END
cat >"$folder/client.py" <<'END'
import asyncio
import json
import sys

from websockets.asyncio.client import connect

async def main():
    events, responses = [], {}
    uri = f"ws://127.0.0.1:{sys.argv[1]}/graphql"
    async with connect(uri, subprotocols=["graphql-transport-ws"]) as socket:
        async def send(id, query):
            message = {"id": id, "type": "subscribe", "payload": {"query": query}}
            await socket.send(json.dumps(message))

        async def receive():
            async for text in socket:
                message = json.loads(text)
                if message["type"] != "next":
                    continue
                data = message["payload"]["data"]
                if message["id"] == "changes":
                    events.append(str(data["changes"]))
                else:
                    responses[message["id"]] = data

        async def look(pause, *changes):
            await asyncio.sleep(pause)
            del events[:]
            for change in changes:
                await send(f"change {change}", f"mutation {{ change(to: {change}) }}")
                await asyncio.sleep(0.5)
            return " ".join(events) or "-"

        await socket.send('{"type": "connection_init"}')
        reader = asyncio.create_task(receive())
        await send("default", "{ default }")
        await send("changes", "subscription { changes }")
        first = await look(0.5, 1, 2)
        later = await look(5, 3, 4)
        default = responses.pop("default")["default"]
        print(f"default {default}, at once {first}, later {later}, mutations {len(responses)} of 4")
        reader.cancel()

asyncio.run(main())
END
serve_redis
redis=$port
seen_with() {
  export LAYER=$1 REDIS=redis://127.0.0.1:$redis
  serve_app
  seen=$(python "$folder/client.py" "$port" 2>/dev/null)
}
seen_with channels.layers.InMemoryChannelLayer
expect "memory" "$seen" "default 86400, at once 1 2, later -, mutations 4 of 4"
seen_with channels_redis.core.RedisChannelLayer
expect "RedisChannelLayer" "$seen" "default 86400, at once 1 2, later -, mutations 4 of 4"
seen_with channels_redis.pubsub.RedisPubSubChannelLayer
expect "RedisPubSubChannelLayer" "$seen" "default none, at once 1 2, later 3 4, mutations 4 of 4"
