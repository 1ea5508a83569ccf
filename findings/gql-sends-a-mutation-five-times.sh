#!/usr/bin/env bash
# Version: gql 4.4.0 (the Python client) with aiohttp 3.14.5.
#
# Behaviour: a session that was made with 'connect_async(reconnecting=True)' executes a mutation
# over HTTP, and a gateway responds with 502. The mutation is sent four more times, within half a
# minute, and the caller receives a RetryError. Without the option it is sent once.
#
# Seen: "reconnecting: 5 requests, RetryError; otherwise: 1 request, TransportServerError".
#
# Why it surprises: the name speaks of the connection, whose retries are a parameter of their own.
# A 502 or a timeout leaves open whether the server has carried out the mutation, and nothing in the
# request tells the server that the five are one. Queries and mutations are not told apart.
#
# Source: gql/client.py, ReconnectingAsyncClientSession (retry_execute is on by default, and retries
# each error but TransportQueryError); RFC 9110, 9.2.2 (idempotent methods).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages gql==4.4.0 aiohttp==3.14.5 graphql-core==3.3.2 tenacity==9.2.1
cat >"$folder/upstream.py" <<'END'
import os

def respond(connection, head):
    with open(os.environ["REQUESTS"], "a") as requests:
        requests.write("request\n")
    connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
END
export REQUESTS=$folder/requests
serve_upstream
order() {
  : >"$REQUESTS"
  python - "$upstream" "$1" 2>/dev/null <<'END'
import asyncio, sys
from gql import Client, gql
from gql.transport.aiohttp import AIOHTTPTransport

async def main(port, reconnecting):
    client = Client(transport=AIOHTTPTransport(url=f"http://127.0.0.1:{port}/"))
    session = await client.connect_async(reconnecting=reconnecting)
    try:
        await session.execute(gql("mutation { order }"))
    except Exception as error:
        print(type(error).__name__, end=" ")
    await client.close_async()

asyncio.run(main(sys.argv[1], sys.argv[2] == "reconnecting"))
END
  wc -l <"$REQUESTS"
}
expect "Once" "$(order once)" "TransportServerError 1"
expect "Reconnecting" "$(order reconnecting)" "RetryError 5"
