#!/usr/bin/env bash
# Version: ModSecurity 2.9.7 with Apache 2.4.71 (Debian 12), the module's recommended configuration
# ('modsecurity.conf-recommended') with 'SecRuleEngine On' and no other rules.
#
# Behaviour: a mutation has a list of numbers as its variable. With 999 of them it is executed. With
# 1000, in a body of 4 kB, Apache responds with 400 and a page of HTML, and the log says "Failed to
# parse request body". One text of 100 kB passes. With 'SecArgumentsLimit 20000' the longer list
# passes, too.
#
# Seen: "999 numbers: 200; 1000 numbers: 400 text/html; 100 kB of text: 200; larger limit: 200".
#
# Why it surprises: the limit is for the fields of a form, of which no form has a thousand. In JSON,
# each value at any depth is counted as one, so that the query and 1000 numbers are 1001. The body
# is small and is JSON without a fault, and both 400 and the words of the log send one to look for
# one. The directive is not in the configuration: 1000 is its default.
#
# Source: ModSecurity's Reference Manual, SecArgumentsLimit; the rules 200001 and 200002 in Debian's
# /etc/modsecurity/modsecurity.conf-recommended.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program apache2 "apache2-bin=2.4.71 libapache2-mod-security2=2.9.7"
cat >"$folder/upstream.py" <<'END'
import re

def respond(connection, head):
    head, body = head.split(b"\r\n\r\n", 1)
    length = int(re.search(rb"(?i)content-length: (\d+)", head).group(1))
    while len(body) < length:
        body += connection.recv(65536)
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n"
        b"Content-Length: 2\r\n\r\n{}")
END
serve_upstream
# Starts Apache with more directives, and sets `port`.
start() {
  port=$(free_port)
  serve_apache "$port" unique_id security2 <<END
$(sed '/^SecUnicodeMapFile/d' /etc/modsecurity/modsecurity.conf-recommended)
SecRuleEngine On
SecAuditEngine Off
ProxyPass / http://127.0.0.1:$upstream/
$1
END
}
#   send numbers|text <length>
send() {
  python3 - "$port" "$@" <<'END'
import http.client, json, sys

port, kind, length = sys.argv[1:]
value = list(range(int(length))) if kind == "numbers" else "a" * int(length)
body = json.dumps({"query": "mutation ($v: V!) { remove(v: $v) }", "variables": {"v": value}})
connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=20)
connection.request("POST", "/graphql", body, {"Content-Type": "application/json"})
response = connection.getresponse()
kind = response.headers.get_content_type()
print(response.status, *([] if kind == "application/json" else [kind]))
END
}
start ""
expect "999 numbers" "$(send numbers 999)" "200"
expect "1000 numbers" "$(send numbers 1000)" "400 text/html"
expect "100 kB of text" "$(send text 100000)" "200"
grep --quiet "Failed to parse request body" "$folder/apache.$port.errors"
start "SecArgumentsLimit 20000"
expect "1000 numbers, larger limit" "$(send numbers 1000)" "200"
