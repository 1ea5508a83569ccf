#!/usr/bin/env bash
# Version: Apache 2.4.71 (Debian 12), mod_proxy_http.
#
# Behaviour: 'LimitRequestBody 1000' has no effect on a path that is proxied: a POST of 10,000
# bytes reaches the server. mod_rewrite with a condition on the length refuses it.
#
# Seen: "LimitRequestBody: 200; RewriteRule: 413".
#
# Why it surprises: the directive stands in the same <Location> or <VirtualHost> as ProxyPass, is
# accepted without a warning, and works for everything that Apache serves itself. One sentence at
# the end of its documentation says that proxy requests are exempt.
#
# Source: Apache's documentation of LimitRequestBody, "Note: not applicable to proxy requests".
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program apache2 apache2
cat >"$folder/upstream.py" <<'END'
import re

def respond(connection, head):
    head, body = head.split(b"\r\n\r\n", 1)
    length = re.search(rb"(?i)content-length: (\d+)", head)
    left = int(length.group(1)) - len(body) if length else 0
    while left > 0:
        left -= len(connection.recv(65536))
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
END
serve_upstream
post() {
  local port modules=/usr/lib/apache2/modules
  port=$(free_port)
  {
    for name in mpm_event authz_core proxy proxy_http rewrite; do
      echo "LoadModule ${name}_module $modules/mod_$name.so"
    done
    cat <<END
ServerRoot $folder
DefaultRuntimeDir $folder
PidFile $folder/apache$port.pid
ErrorLog $folder/error.log
ServerName localhost
User www-data
Group www-data
Listen 127.0.0.1:$port
$1
ProxyPass / http://127.0.0.1:$upstream/
END
  } >"$folder/apache.conf"
  apache2 -f "$folder/apache.conf" -DFOREGROUND &
  await_port "$port"
  python3 - "$port" <<'END'
import http.client, sys

connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
connection.request("POST", "/", bytes(10_000))
print(connection.getresponse().status)
END
  kill $!
}
expect "LimitRequestBody" "$(post 'LimitRequestBody 1000')" "200"
expect "RewriteRule" "$(post 'RewriteEngine On
RewriteCond expr "%{HTTP:Content-Length} -gt 1000"
RewriteRule ^ - [R=413]')" "413"
