#!/usr/bin/env bash
# Version: gql 4.4.0 (the Python client) with aiohttp 3.14.5.
#
# Behaviour: a multipart subscription has an event each second, and behind each event, in the same
# packet, comes the delimiter that ends it. gql delivers an event only when the first bytes behind
# that delimiter arrive: each one a second late, with the next. The last one waits for the end of
# the stream, and an event that nothing follows for an hour is an hour late. aiohttp's reader of
# multipart does this, and it does not where a part has a Content-Length. The bytes themselves are
# there at once.
#
# Seen: "bytes: at once, at once, at once; gql: late, late, late; aiohttp: late, late, late;
# aiohttp, with a length: at once, at once, at once".
#
# Why it surprises: the protocol puts the delimiter behind the event, and not before the next one,
# so that a client knows at once that an event is complete. All events arrive, in order, and a test
# that counts them is content. A server that sends heartbeats hides the delay behind its interval.
#
# Source: Apollo's "multipart subscriptions" protocol; aiohttp/multipart.py, BodyPartReader,
# _read_chunk_from_stream (reads a second piece before it looks for the delimiter in the first);
# gql/transport/aiohttp.py, _parse_multipart_response.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages gql==4.4.0 aiohttp==3.14.5 graphql-core==3.3.2 tenacity==9.2.1
cat >"$folder/upstream.py" <<'END'
import json
import time

def respond(connection, head):
    with_length = b"GET /with-length" in head or b"POST /with-length" in head

    def send(data):
        connection.sendall(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    connection.sendall(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
        b"Content-Type: multipart/mixed;boundary=graphql;subscriptionSpec=1.0\r\n\r\n")
    send(b"--graphql")
    for _ in range(3):
        event = json.dumps({"payload": {"data": {"sentAt": time.time()}}}).encode()
        length = b"Content-Length: %d\r\n" % len(event) if with_length else b""
        send(b"\r\nContent-Type: application/json\r\n" + length + b"\r\n" + event + b"\r\n--graphql")
        time.sleep(1)
    send(b"--\r\n")
    connection.sendall(b"0\r\n\r\n")
END
serve_upstream
seen=$(python - "http://127.0.0.1:$upstream" <<'END'
import asyncio
import json
import re
import sys
import time

import aiohttp
from gql import Client, gql
from gql.transport.aiohttp import AIOHTTPTransport

def delay(sent_at):
    return "late" if time.time() - sent_at > 0.5 else "at once"

async def of_bytes(address):
    async with aiohttp.ClientSession() as session, session.post(address) as response:
        async for piece in response.content.iter_any():
            for sent_at in re.findall(rb'"sentAt": ([0-9.]+)', piece):
                yield delay(float(sent_at))

async def of_parts(address):
    async with aiohttp.ClientSession() as session, session.post(address) as response:
        async for part in aiohttp.MultipartReader.from_response(response):
            yield delay(json.loads(await part.text())["payload"]["data"]["sentAt"])

async def of_events(address):
    async with Client(transport=AIOHTTPTransport(url=address)) as session:
        async for event in session.subscribe(gql("subscription { sentAt }")):
            yield delay(event["sentAt"])

async def main(address):
    seen = []
    for name, delays in (
        ("bytes", of_bytes(address)),
        ("gql", of_events(address)),
        ("aiohttp", of_parts(address)),
        ("aiohttp, with a length", of_parts(f"{address}/with-length")),
    ):
        seen.append(f"{name}: {', '.join([delay async for delay in delays])}")
    print("; ".join(seen))

asyncio.run(main(sys.argv[1]))
END
)
expect "seen" "$seen" \
  "bytes: at once, at once, at once; gql: late, late, late; aiohttp: late, late, late; aiohttp, with a length: at once, at once, at once"
