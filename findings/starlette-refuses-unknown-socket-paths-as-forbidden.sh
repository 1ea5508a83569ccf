#!/usr/bin/env bash
# Version: Starlette 1.10.0 on uvicorn 0.54.0 (websockets 17.4), with Strawberry and Ariadne built
# on it.
#
# Behaviour: a WebSocket handshake for a path that has no route is refused with status 403. The
# same path by GET gives 404.
#
# Seen: "GET 404, handshake 403".
#
# Why it surprises: 403 reads as "your credentials are wrong". Clients that renew a token on 401
# and 403 do so for a misspelled URL. Starlette closes the connection before it is accepted, and
# the ASGI specification translates every such close into 403, whatever its code or reason.
#
# Source: ASGI specification, "Close - send event" of WebSocket;
# starlette.routing.Router.not_found.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages starlette==1.10.0 uvicorn==0.54.0 websockets==17.4
cat >"$folder/app.py" <<'END'
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute

async def echo(socket):
    await socket.accept()
    await socket.close()

app = Starlette(routes=[WebSocketRoute("/graphql", echo)])
END
serve_app
seen=$(python - "$port" <<'END'
import sys, urllib.error, urllib.request
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

where = f"127.0.0.1:{sys.argv[1]}/grapqhl"
try:
    urllib.request.urlopen(f"http://{where}")
except urllib.error.HTTPError as error:
    print(f"GET {error.code}, ", end="")
try:
    connect(f"ws://{where}")
except InvalidStatus as error:
    print(f"handshake {error.response.status_code}")
END
)
expect "A path without a route" "$seen" "GET 404, handshake 403"
