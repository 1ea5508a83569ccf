#!/usr/bin/env bash
# Version: Privoxy 3.0.34 (Debian 12) with the actions and filters of Debian's configuration.
#
# Behaviour: a client behind Privoxy asks for the events of a subscription, which the server sends
# half a second apart. The client receives nothing, not even the head, until the response is
# complete, and then all events at once, without chunks. Data in parts ('multipart/mixed') arrives
# as the server sends it, and so do the events when no filter is configured.
#
# Seen: "events: head behind the last event; parts: head before the first part; events, no filters:
# head before the first event".
#
# Why it surprises: the filters are for pages, and none of them finds anything in an event. But they
# apply to every type that begins with 'text/', and a filter needs the whole of a response, up to 4
# MB ('buffer-limit'). A subscription has no end, so that the client sees a server that does not
# respond. 'X-Accel-Buffering: no' of the server, which nginx obeys, means nothing here, and the
# proxy is at the user's side, where nobody who runs the server sees it.
#
# Source: Privoxy's user manual, action 'filter' and option 'buffer-limit'; Debian's
# match-all.action; Privoxy's filters.c (get_filter_function) and parsers.c (server_content_type).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program privoxy privoxy=3.0.34
cat >"$folder/upstream.py" <<'END'
import time

def respond(connection, head):
    kind = b"multipart/mixed; boundary=-" if b"/parts" in head else b"text/event-stream"
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nX-Accel-Buffering: no\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n" % kind)
    for number in range(4):
        time.sleep(0.5)
        connection.sendall(b"9\r\ndata: %d\n\n\r\n" % number)
    connection.sendall(b"0\r\n\r\n")
END
serve_upstream
# Starts Privoxy with lines of its configuration, and sets `port`.
start() {
  port=$(free_port)
  mkdir "$folder/$port"
  printf '%s\n' "confdir /etc/privoxy" "logdir $folder/$port" "listen-address 127.0.0.1:$port" \
    "$@" >"$folder/$port/config"
  privoxy --no-daemon "$folder/$port/config" >/dev/null 2>&1 &
  await_port "$port"
}
#   head_of <path> <what>
head_of() {
  python3 - "$port" "$upstream" "$1" "$2" <<'END'
import socket, sys, time

port, upstream, path, what = sys.argv[1:]
with socket.create_connection(("127.0.0.1", int(port)), timeout=20) as connection:
    connection.sendall(
        f"GET http://127.0.0.1:{upstream}{path} HTTP/1.1\r\nHost: 127.0.0.1:{upstream}\r\n\r\n".encode())
    text = connection.recv(65536)
    time.sleep(0.1)
    connection.setblocking(False)
    try:
        text += connection.recv(65536)
    except BlockingIOError:
        pass
if b"data: 3" in text:
    print(f"head behind the last {what}")
elif b"data" not in text:
    print(f"head before the first {what}")
else:
    print(f"head with the first {what}")
END
}
start "actionsfile match-all.action" "actionsfile default.action" "filterfile default.filter"
expect "Events" "$(head_of /events event)" "head behind the last event"
expect "Parts" "$(head_of /parts part)" "head before the first part"
start
expect "Events, no filters" "$(head_of /events event)" "head before the first event"
