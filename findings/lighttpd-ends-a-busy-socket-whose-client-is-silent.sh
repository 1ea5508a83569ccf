#!/usr/bin/env bash
# Version: lighttpd 1.4.69 (Debian 12), mod_proxy with 'proxy.header = ("upgrade" => "enable")'.
#
# Behaviour: a WebSocket on which the server sends five times a second is cut after
# 'server.max-read-idle' (60 s by default, 2 s here), because the client has sent nothing. A frame
# of the client now and then keeps it.
#
# Seen: "silent client: cut; client that pings: open".
#
# Why it surprises: nginx, Apache and HAProxy count traffic in either direction. Keep-alives of
# GraphQL servers go from the server to the client, and clients send pings only in silence, so that
# a busy subscription is cut every minute and a quiet one is not.
#
# Source: lighttpd's documentation of server.max-read-idle.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program lighttpd lighttpd=1.4.69
cat >"$folder/upstream.py" <<'END'
import base64, hashlib, re, threading, time

def drain(connection):
    try:
        while connection.recv(1000):
            pass
    except OSError:
        pass

def respond(connection, head):
    key = re.search(rb"(?i)sec-websocket-key: (\S+)", head)
    if not key:
        return
    accept = base64.b64encode(hashlib.sha1(key.group(1) + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
    connection.sendall(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
    threading.Thread(target=drain, args=(connection,), daemon=True).start()
    while True:
        connection.sendall(b"\x81\x02{}")
        time.sleep(0.2)
END
serve_upstream
port=$(free_port)
cat >"$folder/lighttpd.conf" <<END
server.document-root = "$folder"
server.errorlog = "$folder/error.log"
server.bind = "127.0.0.1"
server.port = $port
server.modules += ( "mod_proxy" )
server.max-read-idle = 2
proxy.server = ( "" => (( "host" => "127.0.0.1", "port" => $upstream )) )
proxy.header = ( "upgrade" => "enable" )
END
lighttpd -D -f "$folder/lighttpd.conf" &
await_port "$port"
socket() {
  python3 - "$port" "$1" <<'END'
import socket, sys, time

with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5) as connection:
    connection.sendall(
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    end = time.monotonic() + 6
    pinged = time.monotonic()
    while time.monotonic() < end:
        if not connection.recv(1000):
            print("cut")
            break
        if sys.argv[2] == "pings" and time.monotonic() - pinged > 0.5:
            pinged = time.monotonic()
            connection.sendall(b"\x89\x80\0\0\0\0")
    else:
        print("open")
END
}
expect "A silent client of a busy server" "$(socket silent)" "cut"
expect "A client that sends pings" "$(socket pings)" "open"
