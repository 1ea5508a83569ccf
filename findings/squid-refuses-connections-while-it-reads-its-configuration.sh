#!/usr/bin/env bash
# Version: Squid 5.7 (Debian 12).
#
# Behaviour: on 'squid -k reconfigure' (SIGHUP) the listening sockets are closed and opened again.
# A client that connects in between gets "connection refused", although the process never stops.
# Connections that are open live on.
#
# Seen: "refused at least once, and open connections live on".
#
# Why it surprises: nginx, HAProxy, Apache, Caddy and lighttpd keep their sockets open during a
# reload, and Squid's manual sells reconfiguration as the alternative to a restart. Deployments
# that reload it lose calls that nothing had to lose.
#
# Source: squid's main.cc, serverConnectionsClose() in mainReconfigureStart().
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program squid squid=5.7
cat >"$folder/upstream.py" <<'END'
def respond(connection, head):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
END
serve_upstream
port=$(free_port)
chmod 777 "$folder"
cat >"$folder/squid.conf" <<END
http_port 127.0.0.1:$port accel defaultsite=localhost
cache_peer 127.0.0.1 parent $upstream 0 no-query originserver
http_access allow all
cache deny all
pid_filename $folder/squid.pid
cache_log $folder/cache.log
access_log none
pinger_enable off
netdb_filename none
shutdown_lifetime 0 seconds
visible_hostname localhost
END
squid -N -n "finding$port" -f "$folder/squid.conf" 2>/dev/null &
squid=$!
await_port "$port"
seen=$(python3 - "$port" "$squid" <<'END'
import os, signal, socket, sys, time

port, squid = int(sys.argv[1]), int(sys.argv[2])

def get(connection):
    connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return connection.recv(1000).split()[1]

refused = 0
with socket.create_connection(("127.0.0.1", port), timeout=20) as kept:
    assert get(kept) == b"200"
    for _ in range(5):
        os.kill(squid, signal.SIGHUP)
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
            except ConnectionRefusedError:
                refused += 1
            time.sleep(0.001)
    lives = get(kept) == b"200"
print("refused" if refused else "never refused", "and open connections live on" if lives else "and open connections end")
END
)
expect "During five reconfigurations" "$seen" "refused and open connections live on"
