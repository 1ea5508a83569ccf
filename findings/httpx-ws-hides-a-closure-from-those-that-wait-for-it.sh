#!/usr/bin/env bash
# Version: httpx-ws 0.9.0 with httpx 0.28.1, anyio 4.14.2 and wsproto 1.3.2; the server is
# Strawberry 0.341.2 on graphql-core 3.3.2, with Starlette 1.10.0 and uvicorn 0.54.0 (websockets
# 17.4).
#
# Behaviour: by graphql-transport-ws, a client uses the id of a running subscription once more, and
# the server closes the connection with 4409 and a reason. With 'connect_ws' the error that leaves
# the block is WebSocketDisconnect with code and reason. With 'aconnect_ws', the same for asyncio,
# an 'except WebSocketDisconnect' around the block catches nothing: the error is in an
# ExceptionGroup, as the only one. So is each error of the program's own code in the block, such as
# the TimeoutError of 'asyncio.wait_for'. Within the block the first error is as it should be.
#
# Seen: "connect_ws: WebSocketDisconnect 4409; aconnect_ws: ExceptionGroup of WebSocketDisconnect
# 4409; caught within: WebSocketDisconnect 4409; timeout of one's own: connect_ws TimeoutError,
# aconnect_ws ExceptionGroup of TimeoutError".
#
# Why it surprises: both functions have one documentation and the same exceptions. The block is what
# one connects again around, and the code decides whether to: with a group, neither the branch for
# 4409 nor that for a lost connection runs, and a retry decorator that knows the types of the
# library does not retry. A group of one error is made by the tasks that read and ping in the
# background, in none of which anything went wrong.
#
# Source: graphql-transport-ws' text, "Subscribe" (4409: Subscriber for the id already exists);
# httpx-ws' documentation, "Usage" (WebSocketDisconnect); httpx_ws/_api.py, AsyncWebSocketSession (a
# task group is entered with the session); anyio's documentation, "Handling exceptions in task
# groups".
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages httpx-ws==0.9.0 httpx==0.28.1 anyio==4.14.2 wsproto==1.3.2 strawberry-graphql==0.341.2 \
  graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 websockets==17.4 python-multipart==0.0.34
subscription_app <<'END'
    @strawberry.subscription
    async def score(self) -> AsyncGenerator[int, None]:
        yield 1
        await asyncio.sleep(60)
END
serve_app
cat >"$folder/client.py" <<'END'
import asyncio
import sys

import httpx_ws

URL, OPTIONS = f"http://127.0.0.1:{sys.argv[1]}/", {"subprotocols": ["graphql-transport-ws"]}
SUBSCRIBE = {"id": "1", "type": "subscribe", "payload": {"query": "subscription { score }"}}

def describe(error):
    if hasattr(error, "exceptions"):
        return f"{type(error).__name__} of {' '.join(map(describe, error.exceptions))}"
    return f"{type(error).__name__} {getattr(error, 'code', '')}".strip()

def plain():
    try:
        with httpx_ws.connect_ws(URL, **OPTIONS) as socket:
            for message in ({"type": "connection_init"}, SUBSCRIBE, SUBSCRIBE):
                socket.send_json(message)
            while True:
                socket.receive_json()
    except Exception as error:
        return describe(error)

def plain_own():
    try:
        with httpx_ws.connect_ws(URL, **OPTIONS):
            raise TimeoutError
    except Exception as error:
        return describe(error)

async def asynchronous(within=False):
    try:
        async with httpx_ws.aconnect_ws(URL, **OPTIONS) as socket:
            for message in ({"type": "connection_init"}, SUBSCRIBE, SUBSCRIBE):
                await socket.send_json(message)
            try:
                while True:
                    await socket.receive_json()
            except httpx_ws.WebSocketDisconnect as error:
                if within:
                    return describe(error)
                raise
    except Exception as error:
        return describe(error)

async def asynchronous_own():
    try:
        async with httpx_ws.aconnect_ws(URL, **OPTIONS) as socket:
            try:
                await asyncio.wait_for(socket.receive_json(), 0.2)
            except asyncio.TimeoutError:
                raise TimeoutError from None
    except Exception as error:
        return describe(error)

async def main():
    ends = await asynchronous(), await asynchronous(True), await asynchronous_own()
    print(f"connect_ws: {plain()}; aconnect_ws: {ends[0]}; caught within: {ends[1]}; timeout of one's own:", end=" ")
    print(f"connect_ws {plain_own()}, aconnect_ws {ends[2]}")

asyncio.run(main())
END
seen=$(python "$folder/client.py" "$port")
expect "Errors" "$seen" \
  "connect_ws: WebSocketDisconnect 4409; aconnect_ws: ExceptionGroup of WebSocketDisconnect 4409; caught within: WebSocketDisconnect 4409; timeout of one's own: connect_ws TimeoutError, aconnect_ws ExceptionGroup of TimeoutError"
