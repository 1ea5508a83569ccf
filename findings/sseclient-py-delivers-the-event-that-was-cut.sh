#!/usr/bin/env bash
# Version: sseclient-py 1.9.0; httpx-sse 0.4.3 with httpx 0.28.1 is the other one.
#
# Behaviour: a stream of two events ends within the second one, because the server has died and a
# proxy has ended the response in the orderly way. sseclient-py delivers what has arrived of the
# second event as an event, whether it is cut before the blank line or within the JSON. httpx-sse
# drops it.
#
# Seen: "sseclient-py: before the blank line 1 2, within the JSON 1 JSONDecodeError; httpx-sse:
# before the blank line 1, within the JSON 1".
#
# Why it surprises: an event is one only with its blank line, and that is how a reader of events
# knows a whole one from a part, whatever the transport says. The client reports that the server
# sends JSON that is not valid, where the truth is a lost connection, or shows an event that the
# server sends once more after a reconnection.
#
# Source: HTML standard, 9.2.6 ("Once the end of the file is reached, any pending data must be
# discarded"); sseclient/__init__.py, _read.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages httpx-sse==0.4.3 httpx==0.28.1 sseclient-py==1.9.0
seen=$(python <<'END'
import json
import httpx
from httpx_sse import EventSource
from sseclient import SSEClient

def by_httpx_sse(body):
    response = httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content=body)
    return EventSource(response).iter_sse()

def by_sseclient(body):
    return SSEClient([body]).events()

def counts(events):
    for event in events:
        try:
            yield str(json.loads(event.data)["data"]["count"])
        except ValueError as error:
            yield type(error).__name__

whole = "".join(f'event: next\ndata: {{"data":{{"count":{count}}}}}\n\n' for count in (1, 2)).encode()
for name, read in (("sseclient-py", by_sseclient), ("httpx-sse", by_httpx_sse)):
    assert list(counts(read(whole))) == ["1", "2"]
    print(f"{name}: before the blank line", *counts(read(whole[:-1])), end=", ")
    print("within the JSON", *counts(read(whole[:-6])), end="; ")
END
)
expect "A stream that is cut" "$seen" \
  "sseclient-py: before the blank line 1 2, within the JSON 1 JSONDecodeError; httpx-sse: before the blank line 1, within the JSON 1; "
