#!/usr/bin/env bash
# Version: Strawberry 0.341.2 on graphql-core 3.3.2, in Starlette 1.10.0, Litestar 2.25.0, Django
# 5.2.19, Quart 0.22.0, Sanic 25.12.1 and aiohttp 3.14.5; the server is uvicorn 0.54.0, or that of
# aiohttp and of Sanic.
#
# Behaviour: the resolver of a mutation charges a card, awaits something and books the seat. The
# client closes its connection in between, as one does whose user has gone back. With Starlette,
# Litestar and aiohttp the resolver goes on and books. With Django and Quart it is cancelled at its
# 'await': charged, and not booked. With Sanic that depends on the server: Sanic's own cancels, and
# uvicorn does not.
#
# Seen: "starlette: charged booked; litestar: charged booked; django: charged; quart: charged;
# sanic: charged booked; aiohttp: charged booked; sanic, its own server: charged".
#
# Why it surprises: schema, resolver and request are the same. A client that stops waiting cannot
# tell whether it has stopped the work, and its programmer believes one of both. A resolver without
# 'await' cannot be cancelled, a test waits for each response, and there is no error in the log,
# since a cancellation is none. A proxy passes the effect on, if it closes its own connection when a
# client leaves, as nginx does.
#
# Source: django/core/handlers/asgi.py, ASGIHandler.handle (cancels the request's task at
# 'http.disconnect'); quart/asgi.py, ASGIHTTPConnection; sanic/server/protocols/base_protocol.py;
# aiohttp's documentation, "Peer disconnection".
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 litestar==2.25.0 \
  Django==5.2.19 quart==0.22.0 sanic==25.12.1 aiohttp==3.14.5 python-multipart==0.0.34 \
  uvicorn==0.54.0
cat >"$folder/booking.py" <<'END'
import asyncio
import pathlib

import strawberry

steps = pathlib.Path(__file__).with_name("steps")

def note(step):
    with steps.open("a") as file:
        file.write(f"{step}\n")

@strawberry.type
class Query:
    ready: bool = True

@strawberry.type
class Mutation:
    @strawberry.mutation
    async def book(self) -> bool:
        note("charged")
        await asyncio.sleep(2)
        note("booked")
        return True

schema = strawberry.Schema(Query, mutation=Mutation)
END
cat >"$folder/on_starlette.py" <<'END'
from booking import schema
from strawberry.asgi import GraphQL

app = GraphQL(schema)
END
cat >"$folder/on_litestar.py" <<'END'
from booking import schema
from litestar import Litestar
from strawberry.litestar import make_graphql_controller

app = Litestar(route_handlers=[make_graphql_controller(schema, path="/")])
END
cat >"$folder/on_django.py" <<'END'
from booking import schema
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.urls import path

settings.configure(SECRET_KEY="secret", ROOT_URLCONF="on_django", ALLOWED_HOSTS=["*"])
app = get_asgi_application()

from strawberry.django.views import AsyncGraphQLView

urlpatterns = [path("", AsyncGraphQLView.as_view(schema=schema))]
END
cat >"$folder/on_quart.py" <<'END'
from booking import schema
from quart import Quart
from strawberry.quart.views import GraphQLView

app = Quart("booking")
app.add_url_rule("/", view_func=GraphQLView.as_view("graphql", schema=schema))
END
cat >"$folder/on_sanic.py" <<'END'
import sys

from booking import schema
from sanic import Sanic
from strawberry.sanic.views import GraphQLView

app = Sanic("booking")
app.add_route(GraphQLView.as_view(schema=schema), "/")

if __name__ == "__main__":
    app.run("127.0.0.1", int(sys.argv[1]), single_process=True, access_log=False)
END
cat >"$folder/on_aiohttp.py" <<'END'
import sys

from aiohttp import web
from booking import schema
from strawberry.aiohttp.views import GraphQLView

app = web.Application()
app.router.add_route("*", "/", GraphQLView(schema=schema))

if __name__ == "__main__":
    web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None)
END
cat >"$folder/client.py" <<'END'
import json
import pathlib
import socket
import sys
import time

body = json.dumps({"query": "mutation { book }"}).encode()
head = (
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    f"Content-Length: {len(body)}\r\n\r\n")
steps = pathlib.Path(__file__).with_name("steps")
steps.write_text("")
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as connection:
    connection.sendall(head.encode() + body)
    for _ in range(200):
        if steps.read_text():
            break
        time.sleep(0.05)
time.sleep(4)
print(*steps.read_text().split())
END
# Prints the steps of a mutation whose client leaves behind the first one. All arguments but the
# first, which is the port, start the server.
steps_with() {
  local port=$1
  shift
  (cd "$folder" && exec "$@") >>"$folder/log" 2>&1 &
  await_port "$port"
  python "$folder/client.py" "$port"
  kill $!
  wait $! 2>/dev/null || true
}
seen=
for framework in starlette litestar django quart sanic; do
  port=$(free_port)
  seen+="$framework: $(steps_with "$port" python -m uvicorn --port "$port" --log-level critical \
    "on_$framework:app"); "
done
port=$(free_port)
seen+="aiohttp: $(steps_with "$port" python on_aiohttp.py "$port"); "
port=$(free_port)
seen+="sanic, its own server: $(steps_with "$port" python on_sanic.py "$port")"
expect "seen" "$seen" \
  "starlette: charged booked; litestar: charged booked; django: charged; quart: charged; sanic: charged booked; aiohttp: charged booked; sanic, its own server: charged"
