#!/usr/bin/env bash
# Version: ariadne-codegen 0.19.0, aiographql-client 2.0.0 with aiohttp 3.14.5, and rath 4.1.2
# (GraphQLWSLink), on graphql-core 3.2.14 and websockets 17.4, which is also the server's library.
#
# Behaviour: a subscription has one event. Then the server sends 'complete', or closes the
# WebSocket with 1000, 1001 (going away) or 1012 (service restart), or the connection is cut. For
# the client of ariadne-codegen, 1000 and 1001 are the end of the loop, as 'complete' is, and the
# others raise. For aiographql-client all five are the end, and 'on_error' is not called.
# rath takes no notice of 1000 and 1001: the loop waits, nothing is raised, and although it is to
# connect again, it does not. The other two it reports.
#
# Seen, for complete, 1000, 1001, 1012, cut: "ariadne-codegen: end, end, end, raises, raises;
# aiographql-client: end, end, end, end, end; rath: end, waits, waits, raises, raises".
#
# Why it surprises: 'complete' is in the protocol because a closure says nothing about a
# subscription, and each of these clients knows it. 1001 is what a server or a proxy sends that goes
# away: Caddy does at each reload. Then a live list stands still for ever, and there is no error
# that the program could meet by a new subscription. The cause is an iteration over the messages,
# which ends for an orderly closure, or with aiohttp for any, and is not asked why.
#
# Source: graphql-transport-ws' text, "Complete"; RFC 6455, 7.4.1 (1001); websockets' documentation,
# "async for" (ConnectionClosedOK); ariadne_codegen/client_generators/dependencies/
# async_base_client.py, execute_ws; aiographql/client/subscription.py; rath/links/graphql_ws.py,
# websocket_loop.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne-codegen==0.19.0 aiographql-client==2.0.0 aiohttp==3.14.5 rath==4.1.2 \
  graphql-core==3.2.14 websockets==17.4 pydantic==2.14.4 httpx==0.28.1
cd "$folder"
cat >server.py <<'END'
import asyncio
import json
import sys

from websockets.asyncio.server import serve

async def respond(socket):
    end = socket.request.path.rsplit("/", 1)[-1]
    event = "data" if socket.subprotocol == "graphql-ws" else "next"
    async for text in socket:
        message = json.loads(text)
        if message["type"] == "connection_init":
            await socket.send('{"type": "connection_ack"}')
        elif message["type"] in ("start", "subscribe"):
            id = message["id"]
            payload = {"data": {"count": 1}}
            await socket.send(json.dumps({"id": id, "type": event, "payload": payload}))
            await asyncio.sleep(0.5)
            if end == "complete":
                await socket.send(json.dumps({"id": id, "type": "complete"}))
            elif end == "cut":
                socket.transport.abort()
            else:
                await socket.close(int(end))

async def main():
    protocols = ["graphql-transport-ws", "graphql-ws"]
    async with serve(respond, "127.0.0.1", int(sys.argv[1]), subprotocols=protocols):
        await asyncio.Future()

asyncio.run(main())
END
cat >schema.graphql <<'END'
type Query { version: Int }
type Subscription { count: Int }
END
echo 'subscription Count { count }' >operations.graphql
cat >pyproject.toml <<'END'
[tool.ariadne-codegen]
schema_path = "schema.graphql"
queries_path = "operations.graphql"
END
ariadne-codegen >/dev/null
cat >clients.py <<'END'
import asyncio
import logging
import sys

logging.disable(logging.CRITICAL)

async def ariadne_codegen(address):
    from graphql_client import Client

    async for event in Client(ws_url=f"ws://{address}").count():
        yield event.count

async def aiographql_client(address):
    import aiographql.client
    from graphql import build_schema

    schema = build_schema(open("schema.graphql").read())
    client = aiographql.client.GraphQLClient(endpoint=f"http://{address}", schema=schema)
    events, errors = [], []
    subscription = await client.subscribe(
        request=aiographql.client.GraphQLRequest(query="subscription { count }"),
        on_data=events.append, on_error=errors.append)
    await subscription.task
    assert not errors
    for event in events:
        yield event.payload.data["count"]

async def rath(address):
    from rath import Rath
    from rath.links.graphql_ws import GraphQLWSLink

    link = GraphQLWSLink(ws_endpoint_url=f"ws://{address}", time_between_retries=0.2)
    async with Rath(link=link) as client:
        async for event in client.asubscribe("subscription { count }"):
            yield event.data["count"]

async def end_of(events):
    async def receive():
        received = [event async for event in events]
        assert received == [1]

    try:
        await asyncio.wait_for(receive(), 4)
        return "end"
    except asyncio.TimeoutError:
        return "waits"
    except AssertionError:
        raise
    except Exception:
        return "raises"

async def main():
    client, port = globals()[sys.argv[1]], sys.argv[2]
    ends = ["complete", "1000", "1001", "1012", "cut"]
    print(", ".join([await end_of(client(f"127.0.0.1:{port}/{end}")) for end in ends]))

asyncio.run(main())
END
port=$(free_port)
python server.py "$port" 2>server.log &
await_port "$port"
seen() { python clients.py "$1" "$port" 2>"$1.log"; }
expect ariadne-codegen "$(seen ariadne_codegen)" "end, end, end, raises, raises"
expect aiographql-client "$(seen aiographql_client)" "end, end, end, end, end"
expect rath "$(seen rath)" "end, waits, waits, raises, raises"
