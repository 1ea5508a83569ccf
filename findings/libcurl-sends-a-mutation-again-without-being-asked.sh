#!/usr/bin/env bash
# Version: curl and libcurl 7.88.1 (Debian 12); libcurl 8.12.1, as it is in PycURL 7.45.6 of Python;
# httpx 0.28.1.
#
# Behaviour: a client sends a query, and then a mutation on the same connection. The server carries
# it out and closes the connection in place of a response. libcurl connects again and sends the POST
# once more, with '--retry 0', and reports success: two mutations, one of which the caller knows
# nothing about. On a connection that is new for the mutation, it fails with "Empty reply from
# server" (52). httpx fails in both cases, and the mutation is sent once.
#
# Seen: "curl, kept connection: exit 0, mutation sent 2 times; new: exit 52, 1 time; PycURL, kept
# connection: exit 0, 2 times; httpx, kept connection: RemoteProtocolError, 1 time".
#
# Why it surprises: options that retry are off, and RFC 9110 lets a client repeat a request that is
# not idempotent by itself only if it knows that it has not been applied. libcurl takes a kept
# connection that ends without a byte for one that had been closed before. A server that stops, or
# a worker that dies, within a mutation looks the same.
#
# Source: RFC 9110, 9.2.2; RFC 9112, 9.3.1; curl's lib/transfer.c, Curl_retry_request (the method is
# not looked at); curl's documentation, --retry.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program curl curl=7.88.1
python_packages pycurl==7.45.6 httpx==0.28.1
cat >"$folder/upstream.py" <<'END'
import os

def respond(connection, head):
    unread = head
    while True:
        while b"\r\n\r\n" not in unread:
            more = connection.recv(65536)
            if not more:
                return
            unread += more
        head, _, unread = unread.partition(b"\r\n\r\n")
        lines = [line.partition(b":") for line in head.lower().split(b"\r\n")]
        length = next(int(value) for name, _, value in lines if name == b"content-length")
        while len(unread) < length:
            unread += connection.recv(65536)
        body, unread = unread[:length], unread[length:]
        with open(os.environ["BODIES"], "ab") as bodies:
            bodies.write(body + b"\n")
        with open(os.environ["BODIES"], "rb") as bodies:
            is_first = bodies.read().count(b"mutation") == 1
        if body == b"mutation" and is_first:
            return
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
END
export BODIES=$folder/bodies
serve_upstream
url=http://127.0.0.1:$upstream/
sent() {
  local result
  : >"$BODIES"
  result=$("$@" 2>/dev/null) || true
  echo "$result, mutation sent $(grep --count mutation "$BODIES") times"
}
by_curl() { curl --silent --retry 0 --output /dev/null "$@" || code=$?; echo "exit ${code:-0}"; }
kept() { by_curl --data query "$url" --next --silent --retry 0 --output /dev/null --data mutation "$url"; }
new() { by_curl --data mutation "$url"; }
by_pycurl() {
  python - "$url" <<'END'
import sys
import pycurl

if "libcurl/8.12.1" not in pycurl.version:
    raise SystemExit(print(pycurl.version))
handle = pycurl.Curl()
code = 0
for body in ("query", "mutation"):
    handle.setopt(pycurl.URL, sys.argv[1])
    handle.setopt(pycurl.POSTFIELDS, body)
    handle.setopt(pycurl.WRITEFUNCTION, len)
    try:
        handle.perform()
    except pycurl.error as error:
        code = error.args[0]
print(f"exit {code}")
END
}
by_httpx() {
  python - "$url" <<'END'
import sys
import httpx

with httpx.Client() as client:
    client.post(sys.argv[1], content="query")
    try:
        print(client.post(sys.argv[1], content="mutation").status_code)
    except httpx.HTTPError as error:
        print(type(error).__name__)
END
}
expect "curl, kept connection" "$(sent kept)" "exit 0, mutation sent 2 times"
expect "curl, new connection" "$(sent new)" "exit 52, mutation sent 1 times"
expect "PycURL, kept connection" "$(sent by_pycurl)" "exit 0, mutation sent 2 times"
expect "httpx, kept connection" "$(sent by_httpx)" "RemoteProtocolError, mutation sent 1 times"
