#!/usr/bin/env bash
# Version: undine 0.5.0 (GraphQL for Django), Django 5.2.19, Hypercorn 0.18.0; nginx 1.22.1 and
# curl 7.88.1 (Debian 12).
#
# Behaviour: a client asks for the events of a subscription with server-sent events. Over HTTP/2
# the server sends them. Over HTTP/1.1, which nginx speaks to each server behind it, it responds
# with 426 (Upgrade Required) and 'Upgrade: HTTP/2.0'. nginx passes this header on, also to a
# client that has reached it with HTTP/2, where the header makes a response malformed: curl sees
# no status and ends with PROTOCOL_ERROR (92). With 'proxy_hide_header Upgrade' the same client is
# told by 426 to use HTTP/2, which it does. Apollo's protocol of parts is served over both
# versions.
#
# Seen: "Hypercorn, HTTP/2: 200 text/event-stream; HTTP/1.1: 426 text/plain; nginx, HTTP/1.1: 426
# text/plain; nginx, HTTP/2: exit 92; without the header: 426 text/plain; parts over nginx: 200
# multipart/mixed".
#
# Why it surprises: a refusal by the server looks like a broken HTTP/2 connection, which clients
# and people seek in nginx or the network, and which a client may retry for ever. The limit is
# meant for browsers, with their six connections of HTTP/1.1 for a host; the server looks at the
# version of its own connection, which is the proxy's. Everything works without the proxy.
#
# Source: RFC 9113, 8.2.2 (connection-specific header fields); RFC 9110, 15.5.22;
# undine/http/views.py (_handle_event_stream) and its setting
# USE_SSE_DISTINCT_CONNECTIONS_FOR_HTTP_1; nginx's documentation, proxy_http_version.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program nginx nginx=1.22.1
debian_program curl curl=7.88.1
python_packages undine==0.5.0 Django==5.2.19 graphql-core==3.3.2 hypercorn==0.18.0
cat >"$folder/app.py" <<'END'
from collections.abc import AsyncIterator
import django
from django.conf import settings

settings.configure(
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "undine"],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware"],
    SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies", SECRET_KEY="a key for this run",
    ROOT_URLCONF="app", ALLOWED_HOSTS=["*"], UNDINE={"SCHEMA": "app.schema", "ASYNC": True})
django.setup()
from django.core.handlers.asgi import ASGIHandler
from django.urls import include, path
from undine import Entrypoint, GQLInfo, RootType, create_schema

class Query(RootType):
    @Entrypoint
    def works(self, info: GQLInfo) -> int:
        return 1

class Subscription(RootType):
    @Entrypoint
    async def count(self, info: GQLInfo) -> AsyncIterator[int]:
        yield 1

schema = create_schema(query=Query, subscription=Subscription)
urlpatterns = [path("", include("undine.http.urls"))]
app = ASGIHandler()
END
serve_app_with hypercorn
proxy=$(free_port)
cat >"$folder/nginx.conf" <<END
daemon off;
pid $folder/nginx.pid;
error_log /dev/null;
events {}
http {
    access_log off;
    client_body_temp_path $folder/body;
    proxy_temp_path $folder/proxy;
    fastcgi_temp_path $folder/fastcgi;
    uwsgi_temp_path $folder/uwsgi;
    scgi_temp_path $folder/scgi;
    server {
        listen 127.0.0.1:$proxy http2;
        location / {
            proxy_pass http://127.0.0.1:$port;
            proxy_http_version 1.1;
        }
        location /hidden/ {
            proxy_pass http://127.0.0.1:$port/;
            proxy_http_version 1.1;
            proxy_hide_header Upgrade;
        }
    }
}
END
nginx -c "$folder/nginx.conf" 2>/dev/null &
await_port "$proxy"
plain=$(free_port)
sed "s/:$proxy http2/:$plain/; s/nginx.pid/plain.pid/" "$folder/nginx.conf" >"$folder/plain.conf"
nginx -c "$folder/plain.conf" 2>/dev/null &
await_port "$plain"
#   subscribe <version> <port> <path> <type>
subscribe() {
  local seen code=0
  seen=$(curl --silent "$1" --max-time 20 --output "$folder/response" --write-out '%{http_code} %{content_type}' \
    --header 'Content-Type: application/json' --header "Accept: $4" \
    --data '{"query":"subscription { count }"}' "http://127.0.0.1:$2$3") || code=$?
  [[ $code = 0 ]] || seen="exit $code"
  [[ $seen != 200* ]] || grep --quiet '"count":1' "$folder/response" || seen+=" without the event"
  echo "${seen%%;*}"
}
h2=--http2-prior-knowledge events=text/event-stream
expect "Hypercorn, HTTP/2" "$(subscribe $h2 "$port" /graphql/ $events)" "200 text/event-stream"
expect "Hypercorn, HTTP/1.1" "$(subscribe --http1.1 "$port" /graphql/ $events)" "426 text/plain"
expect "nginx, HTTP/1.1" "$(subscribe --http1.1 "$plain" /graphql/ $events)" "426 text/plain"
expect "nginx, HTTP/2" "$(subscribe $h2 "$proxy" /graphql/ $events)" "exit 92"
expect "nginx, HTTP/2, without the header" "$(subscribe $h2 "$proxy" /hidden/graphql/ $events)" \
  "426 text/plain"
expect "Parts over nginx" \
  "$(subscribe $h2 "$proxy" /graphql/ 'multipart/mixed; subscriptionSpec=1.0')" "200 multipart/mixed"
