#!/usr/bin/env bash
# Version: python-graphql-client 0.4.3 with websockets 13.1; Strawberry 0.341.2.
#
# Behaviour: 'subscribe' passes the payload of each message to the handler, and looks at the type
# only to skip 'connection_ack' and 'ka'. A server that ends the subscription says 'complete', which
# has no payload, and the call raises KeyError. The payload of 'error' reaches the handler like that
# of a result, and the call then waits on a connection where nothing follows.
#
# Seen: "two events: 1 2, then KeyError 'payload'; refused: handler gets locations message, then
# TimeoutError".
#
# Why it surprises: in this protocol 'complete' is how every finite subscription ends, so the normal
# end is an exception, and a refused document looks like an event without data. Tests with a stream
# that the client leaves never see either.
#
# Source: the protocol of subscriptions-transport-ws, GQL_COMPLETE and GQL_ERROR;
# python_graphql_client/graphql_client.py, subscribe.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages python-graphql-client==0.4.3 websockets==13.1 strawberry-graphql==0.341.2 \
  graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 python-multipart==0.0.34
subscription_app <<'END'
    @strawberry.subscription
    async def count(self) -> AsyncGenerator[int, None]:
        yield 1
        yield 2
END
serve_app
seen=$(python - "$port" <<'END'
import asyncio, sys
from python_graphql_client import GraphqlClient

async def subscribe(document):
    payloads = []
    client = GraphqlClient(f"ws://127.0.0.1:{sys.argv[1]}/")
    try:
        await asyncio.wait_for(client.subscribe(document, payloads.append), 3)
        end = "the end"
    except Exception as error:
        end = " ".join([type(error).__name__, *map(repr, error.args)])
    return payloads, end

payloads, end = asyncio.run(subscribe("subscription { count }"))
print("two events:", *(payload["data"]["count"] for payload in payloads), end=f", then {end}; ")
(payload,), end = asyncio.run(subscribe("subscription { nope }"))
print("refused: handler gets", *sorted(payload), end=f", then {end}\n")
END
)
expect "Subscriptions" "$seen" \
  "two events: 1 2, then KeyError 'payload'; refused: handler gets locations message, then TimeoutError"
