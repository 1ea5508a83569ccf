#!/usr/bin/env bash
# Version: Varnish 7.1.1 (Debian 12) with its built-in configuration.
#
# Behaviour: a client subscribes by GET and server-sent events, and the response has no
# Cache-Control. A second client subscribes a second later: Varnish does not ask the server, and
# sends it the events of the first subscription, from the first one on. A third one, after the
# subscription has ended, gets all of them at once and then the end. If the first client leaves
# after an event, Varnish reads the subscription to its end all the same. With 'Cache-Control:
# no-cache' in the response each client has a subscription of its own.
#
# Seen: "without: first 1.1 1.2 1.3, second 1.1 1.2 1.3, third 1.1 1.2 1.3, left 2.1, after it 2.1
# 2.2 2.3; no-cache: first 1.1 1.2 1.3, second 2.1 2.2 2.3, third 3.1 3.2 3.3, left 4.1, after it
# 5.1 5.2 5.3" (subscription and event).
#
# Why it surprises: a response without a word about caching is kept for two minutes, and Varnish
# does not need its end to hand it out, nor does a type of events make a difference. Everything
# looks alive: the second client of a running subscription receives events as they happen, only
# behind those that are past, which it applies to data that is newer. And a client that connects
# again after the end of a stream, as EventSource does by itself, gets the same events again.
#
# Source: Varnish's documentation, "Built-in VCL" (vcl_backend_response), 'default_ttl' and
# beresp.do_stream.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program varnishd varnish=7.1.1
cat >"$folder/upstream.py" <<'END'
import collections, time

counts = collections.Counter()

def respond(connection, head):
    path = head.split(b" ")[1]
    number = 0
    if path != b"/probe":
        kind = path.split(b"?")[0]
        counts[kind] += 1
        number = counts[kind]
    field = b"Cache-Control: no-cache\r\n" if path.startswith(b"/no-cache") else b""
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" + field + b"Transfer-Encoding: chunked\r\n\r\n")
    for event in (1, 2, 3):
        data = b"data: %d.%d\n\n" % (number, event)
        connection.sendall(b"%x\r\n%s\r\n" % (len(data), data))
        time.sleep(0.7)
    connection.sendall(b"0\r\n\r\n")
END
serve_upstream
port=$(free_port)
serve_varnish "$port" "$upstream" </dev/null
cat >"$folder/clients.py" <<'END'
import http.client, sys, threading, time

seen = {}

def subscribe(name, path, events=3):
    connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=10)
    connection.request("GET", path, headers={"Accept": "text/event-stream"})
    response = connection.getresponse()
    seen[name] = []
    while len(seen[name]) < events and (line := response.readline()):
        if line.startswith(b"data: "):
            seen[name].append(line[6:].decode().strip())
    response.close()
    connection.close()

path = "/" + sys.argv[2]
first = threading.Thread(target=subscribe, args=("first", path))
first.start()
time.sleep(1)
second = threading.Thread(target=subscribe, args=("second", path))
second.start()
first.join()
second.join()
subscribe("third", path)
subscribe("left", path + "?left", events=1)
time.sleep(3)
subscribe("after it", path + "?left")
print(", ".join(f"{name} {' '.join(events)}" for name, events in seen.items()))
END
expect "without" "$(python3 "$folder/clients.py" "$port" without)" \
  "first 1.1 1.2 1.3, second 1.1 1.2 1.3, third 1.1 1.2 1.3, left 2.1, after it 2.1 2.2 2.3"
expect "no-cache" "$(python3 "$folder/clients.py" "$port" no-cache)" \
  "first 1.1 1.2 1.3, second 2.1 2.2 2.3, third 3.1 3.2 3.3, left 4.1, after it 5.1 5.2 5.3"
