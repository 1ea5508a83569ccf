#!/usr/bin/env bash
# Version: httpx-sse 0.4.3 with httpx 0.28.1; sseclient-py 1.9.0.
#
# Behaviour: a stream has one event with an 'id', then two comments (': keep-alive') as heartbeats.
# httpx-sse delivers three events: from the first 'id' on, each blank line after a comment is an
# event of type 'message' with empty data. Without the 'id' it delivers one. A block that holds only
# 'retry: 3000' is an event as well. sseclient-py delivers one event in each case.
#
# Seen: "httpx-sse: id 1+2 empty, no id 1+0 empty, retry 1+1 empty; sseclient-py: 1+0, 1+0, 1+0".
#
# Why it surprises: parsers of GraphQL events decode the data of each as JSON, and empty text is not
# JSON. The client works with one server and fails with another at the first heartbeat, and the only
# difference is an 'id' in an event before it.
#
# Source: HTML standard, 9.2.6 ("If the data buffer is an empty string, set the data buffer and the
# event type buffer to the empty string and return"); httpx_sse/_decoders.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages httpx-sse==0.4.3 httpx==0.28.1 sseclient-py==1.9.0
seen=$(python <<'END'
import httpx
from httpx_sse import EventSource
from sseclient import SSEClient

def by_httpx_sse(body):
    response = httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content=body)
    return EventSource(response).iter_sse()

def by_sseclient(body):
    return SSEClient([body]).events()

event = b'event: next\ndata: {"data":{"a":1}}\n\n'
heartbeats = b": keep-alive\n\n" * 2
bodies = {"id": b"id: 7\n" + event + heartbeats, "no id": event + heartbeats, "retry": b"retry: 3000\n\n" + event}
for name, read in (("httpx-sse", by_httpx_sse), ("sseclient-py", by_sseclient)):
    counts = []
    for case, body in bodies.items():
        events = list(read(body))
        full = sum(1 for event in events if event.data)
        counts.append(f"{case} {full}+{len(events) - full} empty")
    print(f"{name}: {', '.join(counts)}", end="; ")
END
)
expect "Events" "$seen" \
  "httpx-sse: id 1+2 empty, no id 1+0 empty, retry 1+1 empty; sseclient-py: id 1+0 empty, no id 1+0 empty, retry 1+0 empty; "
