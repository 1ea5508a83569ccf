#!/usr/bin/env bash
# Version: Strawberry 0.341.2 on graphql-core 3.3.2, in Starlette 1.10.0, Litestar 2.25.0, Quart
# 0.22.0 and Django 5.2.19, with uvicorn 0.54.0 (websockets 17.4). The clients are curl 7.88.1
# (Debian 12), requests 2.34.2, aiohttp 3.14.5 and httpx 0.28.1.
#
# Behaviour: the server's path is '/graphql/', and a client sends a mutation to '/graphql'.
# Starlette redirects with 307 to a whole URL, Quart with 308, Django with 301 to a path, and
# Litestar carries it out. curl -L, requests and aiohttp follow each of them. With 301 they go on by
# GET, without the mutation, and receive the page of the explorer, with status 200. httpx follows
# none. A WebSocket without the slash is open in Litestar, and refused with 403, 404 and 500 by the
# others.
#
# Seen: "starlette: 307 http, curl booked, requests booked, aiohttp booked, httpx 307, WebSocket
# 403; litestar: 200, curl booked, requests booked, aiohttp booked, httpx booked, WebSocket 101;
# quart: 308 http, curl booked, requests booked, aiohttp booked, httpx 308, WebSocket 404; django:
# 301 /, curl page, requests page, aiohttp page, httpx 301, WebSocket 500".
#
# Why it surprises: schema, view and path are the same, and a redirect for the slash is a service to
# people who type URLs. Whether it takes the mutation along is decided by a status that nobody has
# chosen. With Django, a client that looks at the status has a success, and one that decodes JSON
# says that the server does not send any. The whole URL of Starlette and Quart has the scheme that
# the server sees, 'http' behind a proxy that ends TLS and does not say so. And the same address
# fails for subscriptions where it works for mutations, with a status that speaks of rights.
#
# Source: RFC 9110, 15.4.2 (301: the method may change to GET) and 15.4.8; Starlette's routing.py
# (redirect_slashes), Werkzeug's documentation of strict_slashes, Django's documentation of
# APPEND_SLASH, Litestar's documentation of routing.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program curl "curl=7.88.1"
python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 litestar==2.25.0 quart==0.22.0 \
  django==5.2.19 uvicorn==0.54.0 websockets==17.4 python-multipart==0.0.34 requests==2.34.2 aiohttp==3.14.5 httpx==0.28.1
cat >"$folder/book.py" <<'END'
import strawberry

@strawberry.type
class Query:
    a: int = 1

@strawberry.type
class Mutation:
    @strawberry.mutation
    def book(self) -> str:
        return "booked"

schema = strawberry.Schema(Query, Mutation)
END
cat >"$folder/urls.py" <<'END'
from book import schema
from django.urls import path
from strawberry.django.views import GraphQLView

urlpatterns = [path("graphql/", GraphQLView.as_view(schema=schema))]
END
cat >"$folder/client.py" <<'END'
import asyncio
import http.client
import json
import subprocess
import sys

import aiohttp
import httpx
import requests

PORT = int(sys.argv[1])
URL, SENT = f"http://127.0.0.1:{PORT}/graphql", {"query": "mutation { book }"}
HANDSHAKE = {
    "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "graphql-transport-ws",
}

def end(status, body):
    return "booked" if '"booked"' in body else "page" if status == 200 and "<html" in body else status

async def by_aiohttp():
    async with aiohttp.ClientSession() as session, session.post(URL, json=SENT) as response:
        return end(response.status, await response.text())

plain = requests.post(URL, json=SENT, allow_redirects=False)
where = plain.headers.get("location", "")
header, kind = "Content-Type: application/json", ["--write-out", "\n%{http_code}"]
body, _, status = subprocess.run(
    ["curl", "--silent", "--location", "--data", json.dumps(SENT), "--header", header, *kind, URL],
    capture_output=True, text=True, check=True).stdout.rpartition("\n")
followed, unfollowed = requests.post(URL, json=SENT), httpx.post(URL, json=SENT)
connection = http.client.HTTPConnection("127.0.0.1", PORT)
connection.request("GET", "/graphql", headers=HANDSHAKE)
print(", ".join([
    f"{plain.status_code} {where.partition(':')[0] if ':' in where else where[:1]}".strip(),
    f"curl {end(int(status), body)}", f"requests {end(followed.status_code, followed.text)}",
    f"aiohttp {asyncio.run(by_aiohttp())}", f"httpx {end(unfollowed.status_code, unfollowed.text)}",
    f"WebSocket {connection.getresponse().status}",
]))
END
seen=
# Serves what app.py has then, and adds what the clients see.
serve() {
  serve_app
  seen+="; $1: $(python "$folder/client.py" "$port")"
}
cat >"$folder/app.py" <<'END'
from book import schema
from starlette.applications import Starlette
from strawberry.asgi import GraphQL

app = Starlette()
app.mount("/graphql", GraphQL(schema))
END
serve starlette
cat >"$folder/app.py" <<'END'
from book import schema
from litestar import Litestar
from strawberry.litestar import make_graphql_controller

app = Litestar(route_handlers=[make_graphql_controller(schema, path="/graphql/")])
END
serve litestar
cat >"$folder/app.py" <<'END'
from book import schema
from quart import Quart
from strawberry.quart.views import GraphQLView

app = Quart(__name__)
app.add_url_rule("/graphql/", view_func=GraphQLView.as_view("graphql", schema=schema))
END
serve quart
cat >"$folder/app.py" <<'END'
from django.conf import settings
from django.core.asgi import get_asgi_application

settings.configure(
    ROOT_URLCONF="urls", SECRET_KEY="secret", ALLOWED_HOSTS=["*"], MIDDLEWARE=["django.middleware.common.CommonMiddleware"])
app = get_asgi_application()
END
serve django
expect "Without the slash" "${seen#; }" \
  "starlette: 307 http, curl booked, requests booked, aiohttp booked, httpx 307, WebSocket 403; litestar: 200, curl booked, requests booked, aiohttp booked, httpx booked, WebSocket 101; quart: 308 http, curl booked, requests booked, aiohttp booked, httpx 308, WebSocket 404; django: 301 /, curl page, requests page, aiohttp page, httpx 301, WebSocket 500"
