#!/usr/bin/env bash
# Version: nginx 1.22.1, HAProxy 2.6.12, Apache 2.4.71, Varnish 7.1.1, Squid 5.7, lighttpd 1.4.69,
# Caddy 2.6.2 and h2o 2.2.5 (all of Debian 12), each in front of one server.
#
# Behaviour: a client opens a subscription by server-sent events, reads the first event and closes
# its connection. No further event comes for a while. nginx, Squid and Caddy close the connection to
# the server at once. HAProxy, Apache, Varnish, lighttpd and h2o keep it: the server goes on with a
# subscription that nobody reads, until it sends an event, or a keep-alive, or a timeout of the
# proxy ends it. HAProxy closes it with 'option abortonclose'. Caddy keeps it with 'flush_interval
# -1', which is the usual advice for events.
#
# Seen: "nginx: ended; squid: ended; caddy: ended; haproxy-abortonclose: ended; haproxy, apache,
# varnish, lighttpd, caddy-flush-interval, h2o: goes on" ("for ever" would follow if an event did
# not end it either).
#
# Why it surprises: closing the stream is the only way in which a client of server-sent events can
# end a subscription: there is no message for it. Tested without a proxy, or with another one, it
# works at once. Here each subscription that is left stays with the server, with its listener of the
# message broker and its place among the connections that the proxy may open, and the rare ones
# stay the longest. Keep-alives of the server, which seem to serve the client, are what frees it.
#
# Source: this run; HAProxy's manual, 'option abortonclose'; Caddy's documentation of reverse_proxy,
# flush_interval; Apache's mod_proxy_http, which reads from the server and looks at the client only
# to write.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program nginx nginx=1.22.1
debian_program haproxy haproxy=2.6.12
debian_program apache2 apache2-bin=2.4.71
debian_program varnishd varnish=7.1.1
debian_program squid squid=5.7
debian_program lighttpd lighttpd=1.4.69
debian_program caddy caddy=2.6.2
debian_program h2o h2o=2.2.5
# Sends an event, and writes whether the connection ends within five seconds. If it does not, sends
# further ones, and writes whether it ends then.
cat >"$folder/upstream.py" <<END
import os, select, time

event = b"f\\r\\ndata: {\"n\":1}\\n\\n\\r\\n"

def respond(connection, head):
    connection.sendall(
        b"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\nCache-Control: no-cache\\r\\n"
        b"Transfer-Encoding: chunked\\r\\n\\r\\n" + event)
    seen = "ended" if select.select([connection], [], [], 5)[0] else "goes on"
    if seen != "ended":
        for _ in range(30):
            try:
                connection.sendall(event)
            except OSError:
                break
            if select.select([connection], [], [], 0.2)[0]:
                break
        else:
            seen += " for ever"
    name = head.split(b" ")[1].decode()
    with open("$folder/seen" + name + ".new", "w") as file:
        file.write(seen)
    os.rename("$folder/seen" + name + ".new", "$folder/seen" + name)
END
serve_upstream
# Starts a proxy unless it runs, and opens a subscription by it, which is left after the first
# event.
#   leave <name> [<command> ...]
leave() {
  local name=$1
  shift
  if (($#)); then
    "$@" >"$folder/$name.log" 2>&1 &
    await_port "$port"
  fi
  python3 - "$port" "$name" <<'END'
import socket, sys, time

for _ in range(50):
    with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5) as connection:
        connection.sendall(b"GET /%s HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n" % sys.argv[2].encode())
        data = b""
        while b'{"n":1}' not in data:
            more = connection.recv(65536)
            if not more:
                break
            data += more
        if b'{"n":1}' in data:
            break
    time.sleep(0.2)
else:
    sys.exit(f"{sys.argv[2]}: {data[:200]}")
END
}
mkdir "$folder/seen"

port=$(free_port)
serve_nginx "$port" <<END
server {
  listen 127.0.0.1:$port;
  location / { proxy_pass http://127.0.0.1:$upstream; proxy_http_version 1.1; proxy_buffering off; }
}
END
leave nginx

for name in haproxy haproxy-abortonclose; do
  [ $name = haproxy ] && option="" || option="option abortonclose"
  port=$(free_port)
  serve_haproxy "$port" <<END
listen proxy
  $option
  bind 127.0.0.1:$port
  server one 127.0.0.1:$upstream
END
  leave $name
done

port=$(free_port)
serve_apache "$port" <<END
ProxyPass / http://127.0.0.1:$upstream/ flushpackets=on
END
leave apache

port=$(free_port)
serve_varnish "$port" "$upstream" <<END
sub vcl_recv { return (pass); }
END
leave varnish

port=$(free_port)
mkdir "$folder/squid"
chmod 777 "$folder/squid"
cat >"$folder/squid.conf" <<END
http_port 127.0.0.1:$port accel defaultsite=localhost
cache_peer 127.0.0.1 parent $upstream 0 no-query originserver
http_access allow all
cache deny all
access_log none
cache_log $folder/squid/log
pid_filename $folder/squid/pid
coredump_dir $folder/squid
pinger_enable off
shutdown_lifetime 0 seconds
END
leave squid squid -N -f "$folder/squid.conf"

port=$(free_port)
cat >"$folder/lighttpd.conf" <<END
server.document-root = "$folder"
server.bind = "127.0.0.1"
server.port = $port
server.modules = ("mod_proxy")
server.stream-response-body = 2
proxy.server = ("" => (("host" => "127.0.0.1", "port" => $upstream)))
END
leave lighttpd lighttpd -D -f "$folder/lighttpd.conf"

for name in caddy caddy-flush-interval; do
  [ $name = caddy ] && option="" || option="flush_interval -1"
  port=$(free_port)
  cat >"$folder/$name.caddyfile" <<END
{
  admin off
}
http://:$port {
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:$upstream {
    $option
  }
}
END
  HOME=$folder leave $name caddy run --adapter caddyfile --config "$folder/$name.caddyfile"
done

port=$(free_port)
cat >"$folder/h2o.conf" <<END
user: nobody
listen: {host: 127.0.0.1, port: $port}
hosts: {default: {paths: {/: {proxy.reverse.url: "http://127.0.0.1:$upstream/"}}}}
END
leave h2o h2o -c "$folder/h2o.conf"

# Prints what has become of a subscription.
became() {
  local tries
  for ((tries = 0; tries < 200; tries++)); do
    [ -e "$folder/seen/$1" ] && { cat "$folder/seen/$1"; return; }
    sleep 0.1
  done
  echo nothing
}
for name in nginx squid caddy haproxy-abortonclose; do
  expect $name "$(became $name)" "ended"
done
for name in haproxy apache varnish lighttpd caddy-flush-interval h2o; do
  expect $name "$(became $name)" "goes on"
done
