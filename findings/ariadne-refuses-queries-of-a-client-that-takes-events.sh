#!/usr/bin/env bash
# Version: Ariadne 1.1.1 with GraphQLHTTPSSEHandler, Starlette 1.10.0, uvicorn 0.54.0.
#
# Behaviour: with this handler, a query by POST is answered as JSON. When 'Accept' names
# 'text/event-stream' anywhere, also as the last of three types, the same query is answered with an
# event whose payload is the error "Expected subscription operation.", and not executed. With a
# quality value ('text/event-stream;q=0.5') it is JSON again.
#
# Seen: "application/json: data; application/json, text/event-stream: event, Expected subscription
# operation.; with q: data".
#
# Why it surprises: a client that takes either form sends one header for all operations and reads
# the type of the response, and GraphQL over SSE allows queries. Adding support for events to a
# client makes all of its queries fail, at this server and only there.
#
# Source: RFC 9110, 12.5.1; GraphQL over SSE ("distinct connections mode" runs queries, too);
# ariadne/contrib/sse.py (handle_request_override compares whole items of the header).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne==1.1.1 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0
cat >"$folder/app.py" <<'END'
from ariadne import QueryType, SubscriptionType, make_executable_schema
from ariadne.asgi import GraphQL
from ariadne.contrib.sse import GraphQLHTTPSSEHandler

query, subscription = QueryType(), SubscriptionType()
query.set_field("hero", lambda *_: "Leia")

@subscription.source("count")
async def count(*_):
    yield {"count": 1}

schema = make_executable_schema("type Query { hero: String } type Subscription { count: Int }", query, subscription)
app = GraphQL(schema, http_handler=GraphQLHTTPSSEHandler())
END
serve_app
post() {
  python - "$port" "$1" "$2" <<'END'
import json, sys, urllib.request

response = urllib.request.urlopen(urllib.request.Request(
    f"http://127.0.0.1:{sys.argv[1]}/", json.dumps({"query": sys.argv[3]}).encode(),
    {"Content-Type": "application/json", "Accept": sys.argv[2]}))
body = response.read().decode()
if response.headers.get_content_type() == "text/event-stream":
    payload = json.loads(body.split("data:")[1].split("\n")[0])
    print("event,", payload.get("data") or payload["errors"][0]["message"])
else:
    print("json,", json.loads(body)["data"])
END
}
expect "A subscription" "$(post 'text/event-stream' 'subscription { count }')" "event, {'count': 1}"
expect "JSON" "$(post 'application/json' '{ hero }')" "json, {'hero': 'Leia'}"
expect "JSON or events" "$(post 'application/json, text/event-stream' '{ hero }')" "event, Expected subscription operation."
expect "With q" "$(post 'application/json, text/event-stream;q=0.5' '{ hero }')" "json, {'hero': 'Leia'}"
