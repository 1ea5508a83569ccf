#!/usr/bin/env bash
# Version: tinyproxy 1.11.1 (Debian 12) as a reverse proxy ('ReversePath').
#
# Behaviour: a server sets two cookies with a response, a session and a token against forgery, in
# two lines 'Set-Cookie'. The client receives the first line only. In the other direction, a client
# sends the types that it accepts in two lines 'Accept', and the server receives the first one. The
# body and all other headers arrive.
#
# Seen: "directly: cookies session=1 csrf=2, accepted application/graphql-response+json
# application/json; by tinyproxy: cookies session=1, accepted application/graphql-response+json".
#
# Why it surprises: two lines are the only way to set two cookies, and for lists they mean the same
# as one line with commas (RFC 9110, section 5.3); a proxy is expected to pass both on as they are.
# Nothing is logged and the status is 200: the login succeeds, and the mutation behind it is refused
# for a missing token. Which one is lost depends on the order in which the server sets them.
#
# Source: RFC 9110, 5.3; RFC 6265, 3; tinyproxy's src/hsearch.c (a table with one value for a name),
# issue 403 and pull request 435, which is not in this version.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program tinyproxy tinyproxy=1.11.1
cat >"$folder/upstream.py" <<'END'
import re

def respond(connection, head):
    accepted = b" ".join(re.findall(rb"(?i)\r\naccept: (\S+)", head))
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nSet-Cookie: session=1\r\nSet-Cookie: csrf=2\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (len(accepted), accepted))
END
serve_upstream
port=$(free_port)
cat >"$folder/tinyproxy.conf" <<END
Listen 127.0.0.1
Port $port
Allow 127.0.0.1
LogFile "$folder/log"
ReversePath "/" "http://127.0.0.1:$upstream/"
ReverseOnly Yes
END
tinyproxy -d -c "$folder/tinyproxy.conf" >/dev/null 2>&1 &
await_port "$port"
get() {
  python3 - "$1" <<'END'
import http.client, sys

connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=10)
connection.putrequest("GET", "/")
connection.putheader("Accept", "application/graphql-response+json")
connection.putheader("Accept", "application/json")
connection.endheaders()
response = connection.getresponse()
print("cookies", *response.headers.get_all("Set-Cookie"), end=", ")
print("accepted", response.read().decode())
END
}
expect "Directly" "$(get "$upstream")" \
  "cookies session=1 csrf=2, accepted application/graphql-response+json application/json"
expect "By tinyproxy" "$(get "$port")" \
  "cookies session=1, accepted application/graphql-response+json"
