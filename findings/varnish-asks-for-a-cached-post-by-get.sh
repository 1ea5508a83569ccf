#!/usr/bin/env bash
# Version: Varnish 7.1.1 and varnish-modules 0.20.0 (Debian 12; std.cache_req_body and
# bodyaccess.hash_req_body). The server is Strawberry 0.341.2 on graphql-core 3.3.2, Starlette
# 1.10.0 and uvicorn 0.54.0, the client curl.
#
# Behaviour: queries by POST are to be cached: vcl_recv keeps the body and returns 'hash', and the
# body is part of the hash. Varnish asks the server by GET then, with the body and the Content-Type
# of the POST. The server reads no body of a GET: it responds with 400 to a client that accepts
# JSON, and to one that accepts anything with the page of its explorer and status 200, which Varnish
# keeps. With 'set bereq.method = "POST"' each query has its own response, and a repeated one is not
# asked for again. For a body that is larger than its limit, std.cache_req_body returns false. If
# vcl_recv returns 'pass' or a response of its own then, the connection is closed without a response
# all the same, and the server is not asked.
#
# Seen: "JSON: 400, server: GET with a body; anything: 200 text/html, again: 200 text/html, server:
# GET with a body; method set: 200 1, again: 200 1, other: 200 2, server: POST with a body, POST
# with a body; too large, pass: exit 52; too large, synth: exit 52, server: -".
#
# Why it surprises: nothing in the VCL changes the method, and the server's log has requests that no
# client has sent. The function says by its result that the body is not kept, and the code that
# follows looks as if it decided what to do about it.
#
# Source: Varnish's documentation, vmod_std (cache_req_body), and its VCL variables (bereq.method);
# varnish-modules' documentation, bodyaccess; bin/varnishd/cache/cache_fetch.c and cache_req_body.c.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program varnishd "varnish=7.1.1 varnish-modules=0.20.0 curl"
python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0
cat >"$folder/app.py" <<'END'
import os

import strawberry
from strawberry.asgi import GraphQL

@strawberry.type
class Query:
    @strawberry.field
    def same(self, value: int) -> int:
        return value

graphql = GraphQL(strawberry.Schema(Query))

async def app(scope, receive, send):
    if scope["type"] == "http":
        sized = int(dict(scope["headers"]).get(b"content-length", 0)) > 0
        with open(os.environ["REQUESTS"], "a") as requests:
            requests.write(f"{scope['method']} {'with' if sized else 'without'} a body\n")
    await graphql(scope, receive, send)
END
export REQUESTS=$folder/requests
serve_app
cat >"$folder/default.vcl" <<END
vcl 4.1;
import bodyaccess;
import std;
backend default { .host = "127.0.0.1"; .port = "$port"; }
sub vcl_recv {
  if (req.method == "POST") {
    if (std.cache_req_body(1KB)) { return (hash); }
    if (req.url == "/pass") { return (pass); }
    return (synth(413));
  }
}
sub vcl_hash { if (req.method == "POST") { bodyaccess.hash_req_body(); } }
sub vcl_backend_fetch { if (bereq.url == "/post") { set bereq.method = "POST"; } }
END
varnish=$(free_port)
varnishd -F -j none -a "127.0.0.1:$varnish" -f "$folder/default.vcl" -n "$folder/varnish" -s malloc,32m >/dev/null 2>&1 &
await_port "$varnish"
# Sends the query of a value, and prints the status with the type or the value.
#   ask <path> <value> <accepted type> [<text behind the query>]
ask() {
  local code=0 status
  status=$(curl -s -o "$folder/body" -w '%{http_code} %{content_type}' -H "Accept: $3" \
    -H 'Content-Type: application/json' -d "{\"query\": \"{ same(value: $2) ${4:-} }\"}" \
    "http://127.0.0.1:$varnish/$1") || code=$?
  if ((code)); then
    echo "exit $code"
  elif grep -q '"same"' "$folder/body"; then
    echo "${status%% *} $(grep -o '[0-9]' "$folder/body")"
  else
    sed 's/ text.plain.*//; s/;.*//' <<<"$status"
  fi
}
# Prints what the server has been asked since the last time.
asked() { sed ':a; N; $!ba; s/\n/, /g' "$REQUESTS" | grep . || echo -; : >"$REQUESTS"; }
: >"$REQUESTS"
json=application/json
expect JSON "$(ask graphql 1 $json), server: $(asked)" "400, server: GET with a body"
expect anything "$(ask any 1 '*/*'), again: $(ask any 1 '*/*'), server: $(asked)" \
  "200 text/html, again: 200 text/html, server: GET with a body"
expect "method set" \
  "$(ask post 1 $json), again: $(ask post 1 $json), other: $(ask post 2 $json), server: $(asked)" \
  "200 1, again: 200 1, other: 200 2, server: POST with a body, POST with a body"
large=$(printf '%2000s')
expect "too large, pass" "$(ask pass 1 $json "$large")" "exit 52"
expect "too large, synth" "$(ask synth 1 $json "$large"), server: $(asked)" "exit 52, server: -"
