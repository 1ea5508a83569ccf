#!/usr/bin/env bash
# Version: websocket-client 1.9.2; websockets 17.4 is the other client, and the server's library.
#
# Behaviour: a server of GraphQL acknowledges a connection and closes it with 4403 (Forbidden). In
# websocket-client, 'recv' and the loop over a connection return an empty text for the closure, then
# raise an error that the connection is lost. Both leave out the code and the reason, which only
# 'recv_data' gives. WebSocketApp has them for 'on_error' and 'on_close', but not with
# 'run_forever(reconnect=1)': neither is called, and it connects again each second. With an
# 'on_reconnect', 'on_open' is called for the first connection only. websockets raises an error with
# the code.
#
# Seen: "recv: ack, '', WebSocketConnectionClosedException without 4403; loop: the same; app: open
# ack error 4403 close 4403; reconnect: open ack open ack open ack; with on_reconnect: open ack
# reconnect ack reconnect ack; websockets: ack, ConnectionClosedError with 4403".
#
# Why it surprises: a closure is no message, and an empty text is one that a server may send, so the
# two cannot be told apart. Programs decode it as JSON and report that the server sends no JSON. In
# the protocols of GraphQL the code says whether a client may come back. 4403 means that it may not,
# and the option that is to survive a lost connection hides it, with no error anywhere.
#
# Source: graphql-transport-ws, "ConnectionInit" (4403: Forbidden); RFC 6455, 5.5.1 and 7.1.5;
# websocket/_core.py, recv; websocket/_app.py, handleDisconnect.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages websocket-client==1.9.2 websockets==17.4
cat >"$folder/clients.py" <<'END'
import threading

import websocket
from websockets.sync.client import connect
from websockets.sync.server import serve

def refuse(connection):
    connection.send("ack")
    connection.close(4403, "Forbidden")

def described(error):
    return f"{type(error).__name__} {'with' if '4403' in f'{error} {vars(error)}' else 'without'} 4403"

def read(receive):
    seen = []
    try:
        while len(seen) < 5:
            message = receive()
            seen.append(message or repr(message))
    except Exception as error:
        seen.append(described(error))
    return ", ".join(seen)

def app(url, events=6, **options):
    """Runs an application until it has so many events, or ends by itself."""
    seen = []

    def note(name):
        def call(app, *arguments):
            code = [" 4403"] if "4403" in str(arguments) else []
            seen.append("".join([name or arguments[0], *code]))
            if len(seen) == events:
                app.keep_running = False
        return call

    handlers = {"on_open": note("open"), "on_message": note(""), "on_error": note("error"),
                "on_close": note("close")}
    if options.pop("on_reconnect", False):
        handlers["on_reconnect"] = note("reconnect")
    websocket.WebSocketApp(url, **handlers).run_forever(**options)
    return " ".join(seen[:events])

with serve(refuse, "127.0.0.1", 0) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
    print("recv:", read(websocket.create_connection(url).recv))
    print("loop:", read(iter(websocket.create_connection(url)).__next__))
    print("app:", app(url))
    print("reconnect:", app(url, reconnect=1))
    print("with on_reconnect:", app(url, reconnect=1, on_reconnect=True))
    print("websockets:", read(connect(url).recv))
    server.shutdown()
END
expect Clients "$(timeout 60 python "$folder/clients.py" 2>"$folder/clients.log")" "\
recv: ack, '', WebSocketConnectionClosedException without 4403
loop: ack, '', WebSocketConnectionClosedException without 4403
app: open ack error 4403 close 4403
reconnect: open ack open ack open ack
with on_reconnect: open ack reconnect ack reconnect ack
websockets: ack, ConnectionClosedError with 4403"
