#!/usr/bin/env bash
# Version: Caddy 2.6.2 (Debian 12), reverse_proxy with 'encode gzip'.
#
# Behaviour: a response of 5 kB as 'application/json' is compressed. The same response as
# 'application/graphql-response+json', which GraphQL over HTTP asks for, is not, and neither is
# 'multipart/mixed'. Events ('text/event-stream') are compressed.
#
# Seen: "application/json: gzip; text/event-stream: gzip; application/graphql-response+json:
# identity; multipart/mixed: identity".
#
# Why it surprises: JSON and events are compressed, so compression seems to be set up. A client that
# begins to accept the standard media type, or a server that begins to send it, moves several times
# the bytes, and no log shows a difference. The cure is a 'match' of one's own.
#
# Source: Caddy's documentation of 'encode' (the default 'match' is a list of types by name);
# GraphQL over HTTP, "Media Types".
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program caddy caddy=2.6.2
debian_program curl curl
cat >"$folder/upstream.py" <<'END'
def respond(connection, head):
    body = b'{"data":{"text":"' + b"x" * 5000 + b'"}}'
    kind = head.split()[1][1:]
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
        % (kind, len(body), body))
END
serve_upstream
port=$(free_port)
cat >"$folder/Caddyfile" <<END
{
	admin off
	auto_https off
}
http://127.0.0.1:$port {
	encode gzip
	reverse_proxy 127.0.0.1:$upstream
}
END
export XDG_DATA_HOME=$folder XDG_CONFIG_HOME=$folder
caddy run --config "$folder/Caddyfile" --adapter caddyfile 2>"$folder/log" &
await_port "$port"
encoding() {
  curl --silent --output /dev/null --write-out '%{http_code} %header{content-encoding}' \
    --header 'Accept-Encoding: gzip' "http://127.0.0.1:$port/$1"
}
expect "application/json" "$(encoding application/json)" "200 gzip"
expect "text/event-stream" "$(encoding text/event-stream)" "200 gzip"
expect "application/graphql-response+json" "$(encoding application/graphql-response+json)" "200 "
expect "multipart/mixed" "$(encoding multipart/mixed)" "200 "
