#!/usr/bin/env bash
# Version: nginx 1.22.1 (Debian 12), with 'proxy_http_version 1.1' and buffering on, as by default.
#
# Behaviour: when the server sends the head of a chunked response and nothing else for two seconds,
# the client receives no byte for two seconds. Once the first byte of the body is there, every
# further event passes at once. With 'proxy_buffering off' the head passes at once, too.
#
# Seen: "buffered: head with the first event; unbuffered: head before it".
#
# Why it surprises: a client cannot tell an accepted subscription that is quiet from a server that
# does not respond, and gives up at its limit for the head. It looks like a slow server, and events
# do stream, so that nobody suspects the buffering.
#
# Source: ngx_http_upstream.c sends the header with the first flush of the buffered body; the
# documentation of proxy_buffering speaks of the body alone.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program nginx nginx-light=1.22.1
cat >"$folder/upstream.py" <<'END'
import time

def respond(connection, head):
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
    time.sleep(2)
    connection.sendall(b"d\r\ndata: one\r\n\r\n\r\n")
    time.sleep(60)
END
serve_upstream
through() {
  local port
  port=$(free_port)
  serve_nginx "$port" <<END
server {
  listen 127.0.0.1:$port;
  location / { proxy_pass http://127.0.0.1:$upstream; proxy_http_version 1.1; proxy_buffering $1; }
}
END
  python3 - "$port" <<'END'
import socket, sys

with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as connection:
    connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    connection.settimeout(1)
    try:
        received = connection.recv(4096)
        print("head before it" if b"data: one" not in received else "all at once")
    except TimeoutError:
        connection.settimeout(5)
        received = connection.recv(4096)
        if b"data: one" not in received:
            received += connection.recv(4096)
        print("head with the first event" if b"data: one" in received else "something else")
END
  kill "$server"
}
expect "Buffered" "$(through on)" "head with the first event"
expect "Unbuffered" "$(through off)" "head before it"
