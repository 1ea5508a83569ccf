#!/usr/bin/env bash
# Version: gql 4.4.0 (the Python client) with aiohttp 3.14.5.
#
# Behaviour: a multipart subscription is answered with 'multipart/mixed;boundary=graphql;
# subscriptionSpec=1.0', and gql delivers its events. With the same body and 'boundary="graphql"',
# which is what Apollo Router sends, it raises TransportProtocolError ("Server may not support the
# multipart subscription protocol"). A boundary of another name is refused as well.
#
# Seen: "graphql: 2 events; quoted: TransportProtocolError; another: TransportProtocolError".
#
# Why it surprises: the quotes are no part of a parameter's value, the body is the same, and the
# parser of multipart behind the check reads all three. The transport is documented for this very
# router.
#
# Source: RFC 2045, 5.1 (quotation marks are not part of the value); gql/transport/aiohttp.py
# (subscribe looks for the text 'boundary=graphql'); Apollo Router's header of multipart
# subscriptions.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages gql==4.4.0 aiohttp==3.14.5 graphql-core==3.3.2 tenacity==9.2.1
cat >"$folder/upstream.py" <<'END'
import json
from urllib.parse import unquote

def respond(connection, head):
    boundary = unquote(head.split()[1].decode()[1:])
    parts = "".join(
        f"\r\n--{boundary.strip(chr(34))}\r\nContent-Type: application/json\r\n\r\n"
        + json.dumps({"payload": {"data": {"count": count}}}) for count in range(2))
    body = f"{parts}\r\n--{boundary.strip(chr(34))}--\r\n"
    connection.sendall((
        "HTTP/1.1 200 OK\r\nConnection: close\r\n"
        f"Content-Type: multipart/mixed;boundary={boundary};subscriptionSpec=1.0\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
END
serve_upstream
count() {
  python - "$upstream" "$1" 2>/dev/null <<'END'
import asyncio, sys
from urllib.parse import quote
from gql import Client, gql
from gql.transport.aiohttp import AIOHTTPTransport

async def main(port, boundary):
    client = Client(transport=AIOHTTPTransport(url=f"http://127.0.0.1:{port}/{quote(boundary)}"))
    events = 0
    try:
        async with client as session:
            async for _ in session.subscribe(gql("subscription { count }")):
                events += 1
    except Exception as error:
        print(type(error).__name__)
    else:
        print(f"{events} events")

asyncio.run(main(*sys.argv[1:]))
END
}
expect "boundary=graphql" "$(count 'graphql')" "2 events"
expect 'boundary="graphql"' "$(count '"graphql"')" "TransportProtocolError"
expect "boundary=part" "$(count 'part')" "TransportProtocolError"
