#!/usr/bin/env bash
# Version: HAProxy 2.6.12 (Debian 12); nginx 1.22.1 (Debian 12) is the other one.
#
# Behaviour: HAProxy is to retry what failed ('retry-on all-retryable-errors', with its default of
# three retries). A mutation by POST, which the server carries out without a response, with 503, or
# too late for 'timeout server', is sent four times. The client gets 502, 503 or, after four times
# the timeout, 504. A server that fails once carries the mutation out twice, and the client gets
# 200. nginx, told to try the next server for errors, timeouts and 503 ('proxy_next_upstream'),
# sends a POST once. With 'http-request disable-l7-retry if METH_POST' HAProxy does so too.
#
# Seen: "all: empty 4 (502), 503 4 (503), late 4 (504), once 2 (200); without POST: empty 1 (502),
# 503 1 (503), late 1 (504), once 1 (503); nginx: empty 1 (502), 503 1 (503), late 1 (504), once 1
# (503)".
#
# Why it surprises: the manual warns of requests that must not be sent twice, and 'retryable' reads
# as if it looked at that. It means errors, and not requests. For a REST interface the condition
# would be the exception; for GraphQL each query is a POST as well, so that a proxy can retry either
# nothing or mutations too. A client that sends a mutation once sees neither, as the response is
# that of the last try.
#
# Source: HAProxy's manual, 'retry-on' and 'http-request disable-l7-retry'; nginx' documentation of
# proxy_next_upstream, non_idempotent; RFC 9110, 9.2.2.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program haproxy haproxy=2.6.12
debian_program nginx nginx=1.22.1
debian_program curl curl
# Counts a mutation when it has been read, and then fails in one of four ways.
cat >"$folder/upstream.py" <<END
import os, time

def respond(connection, head):
    head, _, body = head.partition(b"\\r\\n\\r\\n")
    while not body.endswith(b"}"):
        body += connection.recv(65536)
    kind = head.split(b" ")[1].decode().strip("/")
    with open("$folder/count", "a") as file:
        file.write("x")
    if kind == "late":
        time.sleep(2)
    if kind != "empty":
        status = "503 Service Unavailable" if kind == "503" or kind == "once" and os.path.getsize("$folder/count") == 1 else "200 OK"
        connection.sendall(f"HTTP/1.1 {status}\\r\\nContent-Length: 2\\r\\nConnection: close\\r\\n\\r\\n{{}}".encode())
END
serve_upstream
# Sends a mutation of each kind, and prints how often the server has read it, and the status.
mutate() {
  local kind status
  for kind in empty 503 late once; do
    rm -f "$folder/count"
    status=$(curl -s -o "$folder/body" -w '%{http_code}' -H 'Content-Type: application/json' \
      -d '{"query":"mutation{book}"}' "http://127.0.0.1:$port/$kind")
    echo "$kind $(wc --bytes <"$folder/count") ($status)"
  done | paste --serial --delimiters=, | sed 's/,/, /g'
}
# Starts HAProxy with one more line, and sets `port`.
start() {
  port=$(free_port)
  serve_haproxy "$port" <<END
listen proxy
  timeout server 1s
  retry-on all-retryable-errors
  bind 127.0.0.1:$port
  $1
  server one 127.0.0.1:$upstream
  server two 127.0.0.1:$upstream
END
}
start ""
expect "all" "$(mutate)" "empty 4 (502), 503 4 (503), late 4 (504), once 2 (200)"
start "http-request disable-l7-retry if METH_POST"
expect "without POST" "$(mutate)" "empty 1 (502), 503 1 (503), late 1 (504), once 1 (503)"
port=$(free_port)
serve_nginx "$port" <<END
upstream servers { server 127.0.0.1:$upstream max_fails=0; server localhost:$upstream max_fails=0; }
server {
  listen 127.0.0.1:$port;
  location / {
    proxy_pass http://servers;
    proxy_read_timeout 1s;
    proxy_next_upstream error timeout invalid_header http_503;
  }
}
END
expect "nginx" "$(mutate)" "empty 1 (502), 503 1 (503), late 1 (504), once 1 (503)"
