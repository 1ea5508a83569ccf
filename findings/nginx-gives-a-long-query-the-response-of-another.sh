#!/usr/bin/env bash
# Version: nginx 1.22.1 (Debian 12), 'proxy_cache_methods POST' with '$request_body' in
# 'proxy_cache_key'.
#
# Behaviour: responses to queries by POST are cached under the URL and the body, so that each query
# has an entry of its own. A body that does not fit into 'client_body_buffer_size', 8 or 16 kB by
# default, is written to a file, and '$request_body' is then empty: all long queries have one key.
# The second one gets the response of the first. With buffers that hold the body, and the key
# (proxy_buffer_size), each has its own.
#
# Seen: "short: 5 MISS, 6 MISS; long: 5 MISS, 5 HIT; long, larger buffer: 5 MISS, 6 MISS". A client
# asks for hero 5, then for hero 6.
#
# Why it surprises: the key is written in the configuration and is right, for each query that one
# tries by hand. A document grows with each fragment, until one day two screens show the same data,
# or one has the fields of another, without an error in any log.
#
# Source: nginx's documentation, $request_body (available when the body was read to a memory buffer)
# and client_body_buffer_size.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program nginx nginx-light=1.22.1
cat >"$folder/upstream.py" <<'END'
import json

def respond(connection, head):
    head, body = head.split(b"\r\n\r\n", 1)
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    while len(body) < int(fields[b"content-length"]):
        body += connection.recv(65536)
    data = json.dumps({"data": {"hero": {"id": json.loads(body)["variables"]["id"]}}}).encode()
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
END
serve_upstream
serve_cache() {
  port=$(free_port)
  serve_nginx "$port" <<END
proxy_cache_path $folder/$port keys_zone=queries:1m;
server {
  listen 127.0.0.1:$port;
  $1
  location / {
    proxy_pass http://127.0.0.1:$upstream; proxy_cache queries; proxy_cache_methods POST;
    proxy_cache_valid 200 1m; proxy_cache_key "\$uri|\$request_body";
    add_header X-Cache \$upstream_cache_status;
  }
}
END
}
heroes() {
  python3 - "$port" "$1" <<'END'
import json, sys, urllib.request

document = "query($id: ID!) { hero(id: $id) { id " + "name " * int(sys.argv[2]) + "} }"
seen = []
for key in ("5", "6"):
    body = json.dumps({"query": document, "variables": {"id": key}}).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{sys.argv[1]}/graphql", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as response:
        seen.append(f"{json.load(response)['data']['hero']['id']} {response.headers['X-Cache']}")
print(", ".join(seen))
END
}
serve_cache ""
expect "Short" "$(heroes 1)" "5 MISS, 6 MISS"
expect "Long" "$(heroes 4000)" "5 MISS, 5 HIT"
kill "$server"
serve_cache "client_body_buffer_size 1m; proxy_buffer_size 64k; proxy_buffers 8 64k;"
expect "Long, larger buffer" "$(heroes 4000)" "5 MISS, 6 MISS"
