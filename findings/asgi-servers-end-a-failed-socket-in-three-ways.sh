#!/usr/bin/env bash
# Version: uvicorn 0.54.0 (with websockets 17.4), Hypercorn 0.18.0, Daphne 4.2.3, Granian 2.8.9.
#
# Behaviour: an application accepts a WebSocket, sends a message and then raises an exception. With
# Hypercorn and Daphne the client receives 1011 (internal error). With uvicorn the connection ends
# without a closing frame. Granian sends a closing frame without a code, as a client gets it from a
# server that is done. An application that returns without closing gives the same, but for Daphne,
# which keeps the connection open.
#
# Seen: "uvicorn: raises 1006, returns 1006; hypercorn: raises 1011, returns 1011; daphne: raises
# 1011, returns open; granian: raises 1005, returns 1005".
#
# Why it surprises: the code is what a client decides by. To graphql-ws 1005 and 1006 are reasons to
# connect again, where it meets the same bug, and 1011 is fatal: it gives up. So one bug of a
# resolver looks like the end of a stream, like a bad network or like itself, and the application
# has no part in it.
#
# Source: RFC 6455, 7.1.5 and 7.4.1; ASGI specification, "WebSocket" (it does not say what follows
# an exception); graphql-ws, src/client.ts, isFatalInternalCloseCode.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages uvicorn==0.54.0 websockets==17.4 hypercorn==0.18.0 daphne==4.2.3 granian==2.8.9
cat >"$folder/app.py" <<'END'
async def app(scope, receive, send):
    if scope["type"] != "websocket":
        raise NotImplementedError(scope["type"]) # There is nothing to do at the start and the end.
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": "open"})
    if scope["path"] == "/raises":
        raise ValueError("a bug")
END
ends_of() {
  serve_app_with "$1"
  python - "$port" <<'END'
import sys
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

def end(path):
    with connect(f"ws://127.0.0.1:{sys.argv[1]}/{path}") as socket:
        assert socket.recv() == "open"
        try:
            return socket.recv(timeout=3)
        except ConnectionClosed as end:
            return end.rcvd.code if end.rcvd else 1006
        except TimeoutError:
            return "open"

print(", ".join(f"{path} {end(path)}" for path in ("raises", "returns")))
END
  kill "$server"
}
expect "uvicorn" "$(ends_of uvicorn)" "raises 1006, returns 1006"
expect "hypercorn" "$(ends_of hypercorn)" "raises 1011, returns 1011"
expect "daphne" "$(ends_of daphne)" "raises 1011, returns open"
expect "granian" "$(ends_of granian)" "raises 1005, returns 1005"
