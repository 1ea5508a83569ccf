#!/usr/bin/env bash
# Version: Apache Traffic Server 9.2.5 (Debian 12, reports itself as 9.2.9), reverse proxy with its
# defaults.
#
# Behaviour: the server reads a GET and closes the connection without a response. Traffic Server
# sends it three more times, on new connections, and then gives the client a 502. A POST is sent
# once.
#
# Seen: "GET: 4 requests, 502; POST: 1 request, 502".
#
# Why it surprises: proxy.config.http.connect_attempts_max_retries reads as a number of attempts to
# connect, and each of them had connected. A server that dies of a request gets it again, and one
# whose GET has effects (a GraphQL server that runs mutations by GET, of which there are some)
# carries it out four times. Other proxies repeat a GET at most once, and only on a connection that
# was used before.
#
# Source: Traffic Server's documentation of connect_attempts_max_retries; RFC 9110, 9.2.2.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program traffic_server trafficserver=9.2.5
cat >"$folder/upstream.py" <<'END'
import os

def respond(connection, head):
    if head.startswith((b"GET", b"POST")):
        with open(os.path.join(os.path.dirname(__file__), "requests"), "ab") as log:
            log.write(head.split()[0] + b"\n")
END
serve_upstream
port=$(free_port)
mkdir -p "$folder"/ats/{etc,var/log,var/run,var/cache,share}
cat >"$folder/ats/runroot.yaml" <<END
prefix: $folder/ats
exec_prefix: /usr
bindir: /usr/bin
sbindir: /usr/bin
sysconfdir: $folder/ats/etc
datadir: $folder/ats/share
includedir: /usr/include
libdir: /usr/lib/trafficserver
libexecdir: /usr/lib/trafficserver/modules
localstatedir: $folder/ats/var
runtimedir: $folder/ats/var/run
logdir: $folder/ats/var/log
cachedir: $folder/ats/var/cache
END
cat >"$folder/ats/etc/records.config" <<END
CONFIG proxy.config.http.server_ports STRING $port
CONFIG proxy.config.admin.user_id STRING #-1
CONFIG proxy.config.log.logging_enabled INT 0
END
echo "$folder/ats/var/cache 32M" >"$folder/ats/etc/storage.config"
echo "map / http://127.0.0.1:$upstream/" >"$folder/ats/etc/remap.config"
cp /etc/trafficserver/ip_allow.yaml "$folder/ats/etc/"
traffic_server --run-root="$folder/ats/runroot.yaml" >/dev/null 2>&1 &
await_port "$port"
sleep 3 # It listens before it is ready.
send() {
  rm -f "$folder/requests"
  python3 - "$port" "$1" <<'END'
import http.client, sys

connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=30)
connection.request(sys.argv[2], "/graphql?query=%7Ba%7D", b"{}" if sys.argv[2] == "POST" else None)
print(connection.getresponse().status, end=" ")
END
  wc -l <"$folder/requests"
}
expect "GET: status, requests" "$(send GET)" "502 4"
expect "POST: status, requests" "$(send POST)" "502 1"
