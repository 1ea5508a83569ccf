#!/usr/bin/env bash
# Version: uvicorn 0.54.0 (with websockets 17.4), Hypercorn 0.18.0, Daphne 4.2.3, Granian 2.8.9.
#
# Behaviour: a client closes a WebSocket with the code 4499 and a reason, and another one loses its
# connection without a closing frame. The same application is told of the first closure with code
# and reason by uvicorn, with the code alone by Daphne and Granian, and with 1006, an abnormal
# closure, by Hypercorn. The lost connection is 1006 for Hypercorn and Daphne, and 1005, a closing
# frame without a code, for uvicorn and Granian.
#
# Seen: "uvicorn: 4499 'enough', lost 1005; hypercorn: 1006, lost 1006; daphne: 4499, lost 1006;
# granian: 4499, lost 1005".
#
# Why it surprises: the ASGI specification gives the event 'websocket.disconnect' a code and a
# reason, with 1005 where there is none. Applications tell by it whether a client has left or may
# come back, and keep or drop its subscriptions. What they do then depends on the server that runs
# them, and with two of four no lost client is ever seen.
#
# Source: ASGI specification, "Disconnect - receive event"; RFC 6455, 7.1.5 and 7.4.1 (1005 and
# 1006).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages uvicorn==0.54.0 websockets==17.4 hypercorn==0.18.0 daphne==4.2.3 granian==2.8.9
cat >"$folder/app.py" <<'END'
async def app(scope, receive, send):
    if scope["type"] != "websocket":
        raise NotImplementedError(scope["type"]) # There is nothing to do at the start and the end.
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": "open"})
    event = await receive()
    with open("disconnects", "a") as disconnects:
        reason = event.get("reason")
        print(event["code"], *([repr(reason)] if reason else []), file=disconnects)
END
told_by() {
  rm -f "$folder/disconnects"
  serve_app_with "$1"
  python - "$port" "$folder/disconnects" <<'END'
import os, socket, sys, time
from websockets.sync.client import connect

def disconnects():
    return open(sys.argv[2]).read().splitlines() if os.path.exists(sys.argv[2]) else []

def await_disconnects(count):
    end = time.monotonic() + 20
    while len(disconnects()) < count and time.monotonic() < end:
        time.sleep(0.05)

url = f"ws://127.0.0.1:{sys.argv[1]}/"
with connect(url) as client:
    client.recv()
    client.close(4499, "enough")
await_disconnects(1)
with connect(url) as client:
    client.recv()
    client.socket.shutdown(socket.SHUT_RDWR)
await_disconnects(2)
closed, lost = disconnects()
print(f"{closed}, lost {lost}")
END
  kill "$server"
}
expect "uvicorn" "$(told_by uvicorn)" "4499 'enough', lost 1005"
expect "hypercorn" "$(told_by hypercorn)" "1006, lost 1006"
expect "daphne" "$(told_by daphne)" "4499, lost 1006"
expect "granian" "$(told_by granian)" "4499, lost 1005"
