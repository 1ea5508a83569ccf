#!/usr/bin/env bash
# Version: Apache 2.4.71 (Debian 12), mod_deflate and mod_proxy_http.
#
# Behaviour: the proxy compresses the response to a GET query, and appends '-gzip' to its entity
# tag. The client sends this tag back in If-None-Match. Apache passes it on as it is, so that the
# server compares a tag that it never made, and sends the whole response. With 'DeflateAlterETag
# NoChange' the response is 304.
#
# Seen: "identity: "v1", then 304; gzip: "v1-gzip", then 200; gzip, NoChange: "v1", then 304".
#
# Why it surprises: each half is right: a compressed body is another representation and needs
# another tag. But the one who renames it does not take the name back, and no client without
# compression, as a test often is, sees it. Each poll of a query costs a whole response, with a
# status that says it has changed.
#
# Source: RFC 9110, 8.8.3.3 and 13.1.2; Apache's documentation, mod_deflate, DeflateAlterETag.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program apache2 apache2-bin=2.4.71
cat >"$folder/upstream.py" <<'END'
body = b'{"data":{"heroes":[' + b"5," * 500 + b"5]}}"

def respond(connection, head):
    known = b'if-none-match: "v1"\r\n' in head.lower()
    status = b"304 Not Modified" if known else b"200 OK"
    connection.sendall(b'HTTP/1.1 %s\r\nConnection: close\r\nETag: "v1"\r\n' % status)
    if known:
        connection.sendall(b"\r\n")
    else:
        connection.sendall(b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
END
serve_upstream
# Starts Apache with one more directive, and sets `port`.
start() {
  port=$(free_port)
  serve_apache "$port" filter deflate <<END
AddOutputFilterByType DEFLATE application/json
ProxyPass / http://127.0.0.1:$upstream/
$1
END
}
# Sends a query, and again with the tag of the response.
poll() {
  python3 - "$port" "$1" <<'END'
import http.client, sys

def get(headers):
    connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
    connection.request("GET", "/?query=%7Bheroes%7D", headers={"Accept-Encoding": sys.argv[2], **headers})
    response = connection.getresponse()
    response.read()
    return response

tag = get({}).headers["ETag"]
print(f"{tag}, then {get({'If-None-Match': tag}).status}")
END
}
start ""
expect "identity" "$(poll identity)" '"v1", then 304'
expect "gzip" "$(poll gzip)" '"v1-gzip", then 200'
start "DeflateAlterETag NoChange"
expect "gzip, NoChange" "$(poll gzip)" '"v1", then 304'
