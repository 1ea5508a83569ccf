#!/usr/bin/env bash
# Version: Squid 5.7 (Debian 12) as an accelerator, without any limit of sizes configured.
#
# Behaviour: an upload of 20 MB that the client sends faster than the server reads loses its
# connection after some megabytes. The same upload passes when the client sends as slowly as the
# server reads, and when 'client_request_buffer_max_size' (512 KB by default) is larger than the
# upload.
#
# Seen: "default: lost; larger buffer: 200".
#
# Why it surprises: 'request_body_max_size' is unlimited by default, and the option's name and text
# speak of the memory that a request may take; one expects back-pressure, not a broken connection.
# It depends on the speed of the two networks, so it fails in the office and works from home.
#
# Source: squid.conf.documented, client_request_buffer_max_size.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program squid squid=5.7
cat >"$folder/upstream.py" <<'END'
import re, time

def respond(connection, head):
    head, body = head.split(b"\r\n\r\n", 1)
    length = re.search(rb"(?i)content-length: (\d+)", head)
    left = int(length.group(1)) - len(body) if length else 0
    while left > 0:
        chunk = connection.recv(65536)
        if not chunk:
            return
        left -= len(chunk)
        time.sleep(0.01)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
END
serve_upstream
upload() {
  local port
  port=$(free_port)
  chmod 777 "$folder"
  cat >"$folder/squid.conf" <<END
http_port 127.0.0.1:$port accel defaultsite=localhost
cache_peer 127.0.0.1 parent $upstream 0 no-query originserver
http_access allow all
cache deny all
pid_filename $folder/squid$port.pid
cache_log $folder/cache.log
access_log none
pinger_enable off
netdb_filename none
shutdown_lifetime 0 seconds
visible_hostname localhost
$1
END
  squid -N -n "finding$port" -f "$folder/squid.conf" 2>/dev/null &
  await_port "$port"
  python3 - "$port" <<'END'
import socket, sys

body = bytes(20_000_000)
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=60) as connection:
    try:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        print((connection.recv(1000) or b"- lost").split()[1].decode())
    except ConnectionError:
        print("lost")
END
  kill $!
}
expect "Default" "$(upload '')" "lost"
expect "Larger buffer" "$(upload 'client_request_buffer_max_size 32 MB')" "200"
