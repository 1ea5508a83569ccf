#!/usr/bin/env bash
# Version: Django 5.2.19 with its GZipMiddleware, by ASGI (uvicorn 0.54.0); Strawberry 0.341.2 on
# graphql-core 3.3.2. The clients are curl 7.88.1 and Ruby 3.1 (Debian 12), httpx 0.28.1, requests
# 2.34.2 with urllib3 2.8.0, and aiohttp 3.14.5.
#
# Behaviour: a query with @defer is answered in parts, '---', the hero, the deferred field, and
# '--'. The middleware compresses each piece of a response that is made asynchronously as a gzip
# member of its own. Four members one behind the other are a valid gzip stream. httpx and Ruby's
# Net::HTTP read the first one, and report a complete response of three bytes, the first delimiter.
# curl writes these bytes and fails ("failed writing body", 23). requests and aiohttp read all.
# Without Accept-Encoding, all of them do.
#
# Seen: "members: 4; first: ---; requests: all; aiohttp: all; httpx: first, no error; uncompressed,
# httpx: all"; Ruby: "---"; curl: "---, exit 23".
#
# Why it surprises: of a response that is whole, or that is streamed by WSGI, the same middleware
# makes one member, which every client reads. Where a client goes on to the next member, the parts
# even arrive one by one. For httpx and Ruby the response is a success without a part: what was not
# deferred is lost as well, because the first member is the delimiter alone.
#
# Source: RFC 1952, 2.2 (a gzip file is a series of members); Django's middleware/gzip.py,
# gzip_wrapper (compress_string for each chunk), and the documentation of GZipMiddleware; httpx's
# _decoders.py, GZipDecoder; Ruby's net/http/response.rb, Inflater; curl's lib/content_encoding.c.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program curl curl=7.88.1
debian_program ruby "ruby"
python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 Django==5.2.19 uvicorn==0.54.0 \
  httpx==0.28.1 requests==2.34.2 urllib3==2.8.0 aiohttp==3.14.5
cat >"$folder/app.py" <<'END'
import django
import strawberry
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.urls import path
from strawberry.django.views import AsyncGraphQLView
from strawberry.schema.config import StrawberryConfig

settings.configure(
    ROOT_URLCONF="app", ALLOWED_HOSTS=["*"], SECRET_KEY="a key for this run",
    MIDDLEWARE=["django.middleware.gzip.GZipMiddleware"])
django.setup()

@strawberry.type
class Hero:
    name: str = "Leia"

    @strawberry.field
    async def slow(self) -> str:
        return "Luke"

@strawberry.type
class Query:
    @strawberry.field
    def hero(self) -> Hero:
        return Hero()

schema = strawberry.Schema(Query, config=StrawberryConfig(enable_experimental_incremental_execution=True))
urlpatterns = [path("graphql", AsyncGraphQLView.as_view(schema=schema))]
app = ASGIHandler()
END
serve_app
cd "$folder"
echo '{"query": "{ hero { name ... @defer { slow } } }"}' >body
cat >client.py <<'END'
import asyncio, sys, zlib
import aiohttp, httpx, requests

url = f"http://127.0.0.1:{sys.argv[1]}/graphql"
body = open("body").read()
headers = {"Content-Type": "application/json", "Accept": "multipart/mixed", "Accept-Encoding": "gzip"}

async def with_aiohttp(decompresses=True):
    async with aiohttp.ClientSession(auto_decompress=decompresses) as session:
        async with session.post(url, data=body, headers=headers) as response:
            assert response.status == 200
            return await response.read()

def end(received):
    if received == members[0]:
        return "first, no error"
    return "all" if b"Leia" in received and b"Luke" in received and received.endswith(b"--\r\n") else "other"

rest, members = asyncio.run(with_aiohttp(decompresses=False)), []
while rest:
    member = zlib.decompressobj(31)
    members.append(member.decompress(rest))
    rest = member.unused_data
print("; ".join([
    f"members: {len(members)}", f"first: {members[0].decode()}",
    f"requests: {end(requests.post(url, body, headers=headers).content)}",
    f"aiohttp: {end(asyncio.run(with_aiohttp()))}",
    f"httpx: {end(httpx.post(url, content=body, headers=headers).content)}",
    "uncompressed, httpx: "
    f"{end(httpx.post(url, content=body, headers=headers | {'Accept-Encoding': 'identity'}).content)}"]))
END
expect "Clients of Python" "$(python client.py "$port")" \
  "members: 4; first: ---; requests: all; aiohttp: all; httpx: first, no error; uncompressed, httpx: all"
seen=$(ruby -rnet/http -e '
  headers = { "Content-Type" => "application/json", "Accept" => "multipart/mixed" }
  puts Net::HTTP.post(URI("http://127.0.0.1:#{ARGV[0]}/graphql"), File.read("body"), headers).body' "$port")
expect "Ruby's Net::HTTP" "$seen" "---"
code=0
curl --silent --compressed --output received --data @body --header 'Content-Type: application/json' \
  --header 'Accept: multipart/mixed' "http://127.0.0.1:$port/graphql" || code=$?
expect "curl" "$(cat received), exit $code" "---, exit 23"
