#!/usr/bin/env bash
# Version: ModSecurity 2.9.7 with Apache 2.4.71 (Debian 12), the module's recommended configuration
# ('modsecurity.conf-recommended') with 'SecRuleEngine On' and no other rules.
#
# Behaviour: an upload by GraphQL's multipart requests has a text file. If a line of the file begins
# with two dashes, as a comment in SQL, the head of a patch, a certificate and the front matter of
# Markdown do, Apache responds with 403 and a page of HTML. The same file without such a line, or
# with a space before the dashes, passes. Without the rule 200004 all pass.
#
# Seen: "text: 200; SQL with a comment: 403 text/html; certificate: 403 text/html; space before the
# dashes: 200; without the rule: 200".
#
# Why it surprises: the boundary of the request is another one, and a file may have any lines that
# are not this boundary (RFC 2046, section 5.1.1). The refusal depends on what a user has written,
# so that tests pass with a picture, and 403 says that the user has no right to upload, which an
# application shows or answers by asking for a new login.
#
# Source: RFC 2046, 5.1.1; ModSecurity's Reference Manual, MULTIPART_UNMATCHED_BOUNDARY; the rule
# 200004 in Debian's /etc/modsecurity/modsecurity.conf-recommended.
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
#   upload <text of the file>
upload() {
  python3 - "$port" "$1" <<'END'
import http.client, sys

boundary = "boundary-of-this-request"
operations = '{"query":"mutation ($file: Upload!) { add(file: $file) }","variables":{"file":null}}'
body = "".join(
    f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
    for name, value in [("operations", operations), ("map", '{"0":["variables.file"]}')])
body += (
    f'--{boundary}\r\nContent-Disposition: form-data; name="0"; filename="file"\r\n'
    f"Content-Type: text/plain\r\n\r\n{sys.argv[2]}\r\n--{boundary}--\r\n")
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=20)
connection.request("POST", "/graphql", body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
response = connection.getresponse()
kind = response.headers.get_content_type()
print(response.status, *([] if kind == "application/json" else [kind]))
END
}
sql=$'select 1;\n-- and so on\n'
start ""
expect "Text" "$(upload $'select 1;\nand so on\n')" "200"
expect "SQL with a comment" "$(upload "$sql")" "403 text/html"
expect "Certificate" "$(upload $'-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n')" "403 text/html"
expect "Space before the dashes" "$(upload $'select 1;\n -- and so on\n')" "200"
start "SecRuleRemoveById 200004"
expect "Without the rule" "$(upload "$sql")" "200"
