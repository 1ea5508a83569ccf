#!/usr/bin/env bash
# Version: Django 5.2.19 by ASGI (uvicorn 0.54.0) and by WSGI (gunicorn 27.0.1), with Strawberry
# 0.341.2 on graphql-core 3.3.2; the client is gql 4.4.0 with aiohttp 3.14.5, the proxy nginx 1.22.1
# (Debian 12).
#
# Behaviour: gql uploads a file whole, with a Content-Length, or streams it in chunks, which have
# none. Django takes a form without a length for an empty one, and the server responds with 400 to
# what has neither operations nor files. By ASGI a JSON body in chunks is read, and by WSGI that is
# empty, too. Behind nginx, which by default collects a request and sends its length, the same
# upload succeeds. With 'proxy_request_buffering off' it fails again.
#
# Seen: "file 3000, streamed 400, JSON in chunks ok" by ASGI, "file 3000, streamed 400, JSON in
# chunks 400" by WSGI, "file 3000, streamed 3000, JSON in chunks ok" behind nginx, and as by ASGI
# without its buffer.
#
# Why it surprises: each of the servers below Django decodes the chunks, and hands over the whole
# body. The upload works in production, where a proxy is, and fails on the developer's machine, or
# the other way round once somebody lets nginx stream large uploads. The response speaks of a query
# that is missing, and not of a length.
#
# Source: RFC 9112, 6.3 (a body's length by chunks); Django's http/multipartparser.py (a
# content length of 0, which an absent one is, is no form) and core/handlers/wsgi.py
# (LimitedStream); nginx's documentation, proxy_request_buffering.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program nginx nginx=1.22.1
python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 Django==5.2.19 uvicorn==0.54.0 \
  gunicorn==27.0.1 gql==4.4.0 aiohttp==3.14.5 aiofiles==25.1.0 tenacity==9.2.1
cat >"$folder/app.py" <<'END'
import django
import strawberry
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.wsgi import WSGIHandler
from django.urls import path
from strawberry.django.views import AsyncGraphQLView, GraphQLView
from strawberry.file_uploads import Upload

settings.configure(ROOT_URLCONF="app", ALLOWED_HOSTS=["*"], SECRET_KEY="a key for this run", MIDDLEWARE=[])
django.setup()

@strawberry.type
class Query:
    @strawberry.field
    def hero(self) -> str:
        return "Leia"

@strawberry.type
class Mutation:
    @strawberry.mutation
    def store(self, file: Upload) -> int:
        return len(file.read())

schema = strawberry.Schema(Query, Mutation)
urlpatterns = [
    path("asgi", AsyncGraphQLView.as_view(schema=schema, multipart_uploads_enabled=True)),
    path("wsgi", GraphQLView.as_view(schema=schema, multipart_uploads_enabled=True))]
app = ASGIHandler()
wsgi = WSGIHandler()
END
serve_app
asgi=$port
wsgi=$(free_port)
python -m gunicorn --chdir "$folder" --bind "127.0.0.1:$wsgi" --log-level critical app:wsgi 2>"$folder/wsgi.log" &
await_port "$wsgi"
proxy=$(free_port) streaming=$(free_port)
serve_nginx "$proxy" <<END
server {
  listen 127.0.0.1:$proxy;
  location / { proxy_pass http://127.0.0.1:$asgi; }
}
server {
  listen 127.0.0.1:$streaming;
  location / {
    proxy_pass http://127.0.0.1:$asgi;
    proxy_http_version 1.1;
    proxy_request_buffering off;
  }
}
END
await_port "$streaming"
cd "$folder"
head --bytes 3000 /dev/zero >file
cat >client.py <<'END'
import asyncio, sys
import aiohttp
from gql import Client, FileVar, gql
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.exceptions import TransportServerError

url = sys.argv[1]

async def upload(streaming):
    document = gql("mutation($file: Upload!) { store(file: $file) }")
    document.variable_values = {"file": FileVar("file", filename="file", streaming=streaming)}
    try:
        async with Client(transport=AIOHTTPTransport(url)) as session:
            return str((await session.execute(document, upload_files=True))["store"])
    except TransportServerError as error:
        return str(error.code)

async def chunked_json():
    async def body():
        yield b'{"query": "{ hero }"}'
    async with aiohttp.ClientSession() as session:
        async with session.post(url, data=body(), headers={"Content-Type": "application/json"}) as response:
            return "ok" if "Leia" in await response.text() else response.status

async def main():
    print(f"file {await upload(False)}, streamed {await upload(True)}, JSON in chunks {await chunked_json()}")

asyncio.run(main())
END
upload() { python client.py "http://127.0.0.1:$1"; }
expect "ASGI" "$(upload "$asgi/asgi")" "file 3000, streamed 400, JSON in chunks ok"
expect "WSGI" "$(upload "$wsgi/wsgi")" "file 3000, streamed 400, JSON in chunks 400"
expect "nginx" "$(upload "$proxy/asgi")" "file 3000, streamed 3000, JSON in chunks ok"
expect "nginx without its buffer" "$(upload "$streaming/asgi")" \
  "file 3000, streamed 400, JSON in chunks ok"
