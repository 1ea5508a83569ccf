#!/usr/bin/env bash
# Version: Caddy 2.6.2 (Debian 12), reverse_proxy; nginx 1.22.1, HAProxy 2.6.12 and Apache 2.4.71
# (Debian 12) are the other ones. Server and client are of websockets 17.4.
#
# Behaviour: a client has a subscription by WebSocket and another one by server-sent events through
# Caddy. 'caddy reload' brings a configuration that differs in one field of responses of another
# site. Each client of a WebSocket receives 1001 (going away), although the server has closed
# nothing. The events go on. A reload without a difference closes nothing. nginx (SIGHUP), HAProxy
# (SIGUSR2 to its master) and Apache (graceful) keep their sockets.
#
# Seen: "Caddy: socket 1001, events go on; no difference: socket open, events go on; nginx: socket
# open; HAProxy: socket open; Apache: socket open".
#
# Why it surprises: a reload is documented as one without downtime, and requests are finished. The
# server has neither stopped nor been asked. To the client 1001 comes from the server, some take it
# for the end of the subscription, and all others connect again at the same moment. On a machine
# with many sites each change of one of them, or of a route that is added by the API, ends the
# subscriptions of all.
#
# Source: Caddy's documentation of reverse_proxy, "Streaming", which tells that sockets are closed
# when the configuration is reloaded; RFC 6455, 7.4.1.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program caddy caddy=2.6.2
debian_program nginx nginx=1.22.1
debian_program haproxy haproxy=2.6.12
debian_program apache2 apache2-bin=2.4.71
python_packages websockets==17.4
events=$(free_port)
sockets=$(free_port)
cat >"$folder/server.py" <<'END'
import asyncio, sys
import websockets

sockets, events = sys.argv[1:]

async def serve(connection):
    async for message in connection:
        await connection.send(message)

async def send(reader, writer):
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
    try:
        while True:
            writer.write(b"9\r\ndata: 1\n\n\r\n")
            await writer.drain()
            await asyncio.sleep(0.2)
    except OSError:
        pass

async def main():
    async with websockets.serve(serve, "127.0.0.1", int(sockets)):
        async with await asyncio.start_server(send, "127.0.0.1", int(events)) as server:
            await server.serve_forever()

asyncio.run(main())
END
python "$folder/server.py" "$sockets" "$events" 2>/dev/null &
await_port "$sockets"
# Opens a socket and, with a port for it, a stream of events. Runs a command, and prints what has
# become of them after two seconds.
#   reload <port of sockets> <port of events or 0> <command> ...
reload() {
  python - "$@" <<'END'
import asyncio, subprocess, sys
import websockets

sockets, events, *command = sys.argv[1:]

async def main():
    async with websockets.connect(f"ws://127.0.0.1:{sockets}/", ping_interval=None, proxy=None) as connection:
        await connection.send("a")
        assert await connection.recv() == "a"
        if events != "0":
            reader, writer = await asyncio.open_connection("127.0.0.1", int(events), limit=1 << 20)
            writer.write(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b"200 OK" in await reader.readline()
        await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True)
        await asyncio.sleep(2)
        try:
            await connection.send("b")
            assert await connection.recv() == "b"
            seen = "socket open"
        except websockets.ConnectionClosed as error:
            seen = f"socket {error.rcvd.code}"
        if events != "0":
            await reader.read(1 << 20)
            more = await asyncio.wait_for(reader.read(65536), 5)
            seen += f", events {'go on' if b'data: 1' in more else 'end'}"
        print(seen)

asyncio.run(main())
END
}

port=$(free_port)
admin=$(free_port)
event_port=$(free_port)
export HOME=$folder
for value in old new; do
  cat >"$folder/$value.caddyfile" <<END
{
  admin 127.0.0.1:$admin
}
http://:$port {
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:$sockets
}
http://:$event_port {
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:$events
}
http://another.test:$port {
  bind 127.0.0.1
  header X-Version $value
}
END
done
caddy run --adapter caddyfile --config "$folder/old.caddyfile" >"$folder/caddy.log" 2>&1 &
await_port "$port"
apply() { reload "$port" "$event_port" caddy reload --adapter caddyfile --config "$folder/$1.caddyfile" --address "127.0.0.1:$admin"; }
expect "Caddy" "$(apply new)" "socket 1001, events go on"
expect "no difference" "$(apply new)" "socket open, events go on"

port=$(free_port)
serve_nginx "$port" <<END
server {
  listen 127.0.0.1:$port;
  location / {
    proxy_pass http://127.0.0.1:$sockets;
    proxy_http_version 1.1;
    proxy_set_header Upgrade \$http_upgrade;
    proxy_set_header Connection upgrade;
  }
}
END
expect "nginx" "$(reload "$port" 0 kill -HUP "$server")" "socket open"

port=$(free_port)
serve_haproxy "$port" -W <<END
listen proxy
  bind 127.0.0.1:$port
  server one 127.0.0.1:$sockets
END
expect "HAProxy" "$(reload "$port" 0 kill -USR2 "$server")" "socket open"

port=$(free_port)
serve_apache "$port" <<END
ProxyPass / http://127.0.0.1:$sockets/ upgrade=websocket
END
expect "Apache" "$(reload "$port" 0 apache2 -f "$folder/apache.$port.conf" -k graceful)" "socket open"
