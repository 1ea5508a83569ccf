#!/usr/bin/env bash
# Version: Strawberry 0.341.2 (opt-in multipart subscriptions), Starlette 1.10.0, uvicorn 0.54.0.
#
# Behaviour: the body of a multipart subscription begins with the headers of its first part; the
# delimiter '--graphql' comes only after each part. The header is
# 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json', with a second media
# type behind a comma.
#
# Seen: "first line: Content-Type; parts that Python's parser finds: one fewer than were sent".
#
# Why it surprises: RFC 2046 (5.1.1) has a delimiter before every part, and everything in front of
# the first one is a preamble to be ignored. A parser that follows it drops the first part without
# a word. Apollo's protocol begins with a delimiter as well.
#
# Source: RFC 2046, 5.1.1; Apollo's "multipart subscriptions" protocol;
# strawberry/http/streaming.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 \
  python-multipart==0.0.34
subscription_app <<'END'
    @strawberry.subscription
    async def count(self) -> AsyncGenerator[int, None]:
        for number in range(3):
            yield number
END
cat >"$folder/app.py" <<'END'
from starlette.applications import Starlette
from starlette.routing import Route
from strawberry.asgi import GraphQL
from strawberry.subscriptions import MULTIPART_SUBSCRIPTION_PROTOCOL
from schema import schema

view = GraphQL(schema, subscription_protocols=[MULTIPART_SUBSCRIPTION_PROTOCOL])
app = Starlette(routes=[Route("/graphql", view, methods=["POST"])])
END
serve_app
seen=$(python - "$port" <<'END'
import email, json, sys, urllib.request

response = urllib.request.urlopen(urllib.request.Request(
    f"http://127.0.0.1:{sys.argv[1]}/graphql", json.dumps({"query": "subscription { count }"}).encode(),
    {"Content-Type": "application/json", "Accept": "multipart/mixed;subscriptionSpec=1.0"}))
kind, body = response.headers["Content-Type"], response.read()
sent = body.count(b"Content-Type:")
message = email.message_from_bytes(b"Content-Type: multipart/mixed; boundary=graphql\r\n\r\n" + body)
found = sum(1 for part in message.get_payload() if part["Content-Type"])
print(kind.rpartition(",")[2], body.split()[0].decode(), "found", sent - found, "fewer")
END
)
expect "Type behind the comma, first word, parts" "$seen" "application/json Content-Type: found 1 fewer"
