#!/usr/bin/env bash
# Version: Varnish 7.1.1 and HAProxy 2.6.12 (Debian 12), each as a cache with the smallest
# configuration.
#
# Behaviour: a client uses automatic persisted queries: it sends a GET with the hash and, if the
# server does not know it (PersistedQueryNotFound), a POST with hash and text. Varnish keeps the
# response to the GET for two minutes: it has status 200, and nothing about caching. The POST
# succeeds and changes nothing in the cache, so that each further GET is told that the query is
# missing, and each call costs a GET and a POST. HAProxy does the same if the response has an entity
# tag. With 'Cache-Control: no-store' on the error, the second GET finds the query.
#
# Seen: "server: sent found found; Varnish: sent sent sent; HAProxy: sent found found; HAProxy,
# entity tag: sent sent sent; Varnish, no-store: sent found found".
#
# Why it surprises: persisted queries use GET so that a cache can keep the responses. Here it makes
# each call slower, just after a deployment, when all hashes are new. No test sees it, since the
# fallback works. A GraphQL error has status 200, which lets a cache take it for any other response,
# and some frameworks add an entity tag to each.
#
# Source: Apollo Server's documentation, "Automatic persisted queries"; RFC 9111, 4.2.2 (heuristic
# freshness); Varnish's documentation, default_ttl; HAProxy's src/cache.c (a response needs an
# expiry or a validator).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program varnishd varnish=7.1.1
debian_program haproxy haproxy=2.6.12
cat >"$folder/upstream.py" <<'END'
import json
from urllib.parse import parse_qs, urlsplit

texts = {}

def respond(connection, head):
    head, body = head.split(b"\r\n\r\n", 1)
    method, target, _ = head.split(b"\r\n")[0].decode().split(" ")
    if method == "GET":
        request = {"extensions": json.loads(parse_qs(urlsplit(target).query)["extensions"][0])}
    else:
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        while len(body) < int(fields[b"content-length"]):
            body += connection.recv(65536)
        request = json.loads(body)
    key = request["extensions"]["persistedQuery"]["sha256Hash"]
    if "query" in request:
        texts[key] = request["query"]
    found = key in texts
    error = {"message": "PersistedQueryNotFound", "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND"}}
    data = json.dumps({"data": {"a": 1}} if found else {"errors": [error]}).encode()
    field = b""
    if target.startswith("/no-store") and not found:
        field = b"Cache-Control: no-store\r\n"
    if target.startswith("/etag"):
        field = b'ETag: "%d"\r\n' % found
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n%s"
        b"Content-Length: %d\r\n\r\n%s" % (field, len(data), data))
END
serve_upstream
varnish=$(free_port)
serve_varnish "$varnish" "$upstream" </dev/null
haproxy=$(free_port)
serve_haproxy "$haproxy" <<END
cache queries
  total-max-size 4
  max-age 60
listen proxy
  bind 127.0.0.1:$haproxy
  http-request cache-use queries
  http-response cache-store queries
  server upstream 127.0.0.1:$upstream
END
calls() {
  python3 - "$@" <<'END'
import hashlib, json, sys, urllib.parse, urllib.request

port, path, document = sys.argv[1:]
url = f"http://127.0.0.1:{port}/{path}"
key = hashlib.sha256(document.encode()).hexdigest()
extensions = {"persistedQuery": {"version": 1, "sha256Hash": key}}
seen = []
for _ in range(3):
    short = urllib.request.urlopen(url + "?" + urllib.parse.urlencode({"extensions": json.dumps(extensions)}))
    found = "data" in json.load(short)
    if not found:
        body = json.dumps({"query": document, "extensions": extensions}).encode()
        whole = urllib.request.Request(url, body, {"Content-Type": "application/json"})
        assert "data" in json.load(urllib.request.urlopen(whole))
    seen.append("found" if found else "sent")
print(*seen)
END
}
expect "Server" "$(calls "$upstream" graphql "{ a }")" "sent found found"
expect "Varnish" "$(calls "$varnish" graphql "{ b: a }")" "sent sent sent"
expect "HAProxy" "$(calls "$haproxy" graphql "{ c: a }")" "sent found found"
expect "HAProxy, entity tag" "$(calls "$haproxy" etag "{ d: a }")" "sent sent sent"
expect "Varnish, no-store" "$(calls "$varnish" no-store "{ e: a }")" "sent found found"
