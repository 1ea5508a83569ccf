#!/usr/bin/env bash
# Version: Strawberry 0.341.2 (multipart_uploads_enabled) and Ariadne 1.1.1 on Starlette 1.10.0,
# python-multipart 0.0.34, graphql-core 3.3.2; graphene-file-upload 1.3.0 with Django 5.2.19,
# graphene-django 3.2.3 and graphql-core 3.2.14.
#
# Behaviour: an upload has one file, and its map names two variables for it. All three servers put
# one object in both places. The resolver reads the first one whole, and the second one is empty,
# without an error. The same file sent twice, as two parts, is read twice.
#
# Seen: "Strawberry, one part: 5 and 0 bytes, two parts: 5 and 5 bytes; Ariadne, one part: 5 and 0
# bytes, two parts: 5 and 5 bytes; graphene-file-upload, one part: 5 and 0 bytes, two parts: 5 and 5
# bytes".
#
# Why it surprises: the map has a list of paths for each file so that a file is sent once wherever
# it is used, and clients that find one file object in two places of the variables make such maps by
# themselves. In graphql-upload of Node each use opens a stream of its own. Here, a picture that is
# chosen for two purposes is stored empty for one of them, and a test with two files does not show
# it.
#
# Source: GraphQL multipart request specification, "map" (an array of paths for each file);
# graphql-upload's documentation, createReadStream;
# strawberry/file_uploads/utils.py, ariadne/file_uploads.py and graphene_file_upload/utils.py
# (one object is assigned to each path).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/seen.py" <<'END'
import json

DOCUMENT = "mutation($a: Upload!, $b: Upload!) { sizes(a: $a, b: $b) }"
OPERATIONS = json.dumps({"query": DOCUMENT, "variables": {"a": None, "b": None}})
ONE = {"0": ["variables.a", "variables.b"]}
TWO = {"0": ["variables.a"], "1": ["variables.b"]}

def show(name, send):
    seen = [f"{parts}: {send(json.dumps(files), list(files))}" for parts, files in (("one part", ONE), ("two parts", TWO))]
    print(name, *seen, sep=", ")
END
python_packages strawberry-graphql==0.341.2 ariadne==1.1.1 graphql-core==3.3.2 starlette==1.10.0 \
  python-multipart==0.0.34 httpx==0.28.1
cat >"$folder/asgi.py" <<'END'
import asyncio
import ariadne, ariadne.asgi, httpx, strawberry
from seen import OPERATIONS, show
from strawberry.asgi import GraphQL
from strawberry.file_uploads import Upload

async def sizes_of(a, b):
    return f"{len(await a.read())} and {len(await b.read())} bytes"

@strawberry.type
class Query:
    works: bool = True

@strawberry.type
class Mutation:
    @strawberry.mutation
    async def sizes(self, a: Upload, b: Upload) -> str:
        return await sizes_of(a, b)

mutation = ariadne.MutationType()

@mutation.field("sizes")
async def resolve_sizes(root, info, a, b):
    return await sizes_of(a, b)

ariadne_schema = ariadne.make_executable_schema(
    "scalar Upload type Query { works: Boolean } type Mutation { sizes(a: Upload!, b: Upload!): String! }",
    mutation, ariadne.upload_scalar)

def upload(app):
    async def send(files, names):
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app)) as client:
            response = await client.post(
                "http://server/", data={"operations": OPERATIONS, "map": files},
                files={name: ("hero.txt", b"Leia\n") for name in names})
            return response.json()["data"]["sizes"]
    return lambda *arguments: asyncio.run(send(*arguments))

show("Strawberry", upload(GraphQL(strawberry.Schema(Query, Mutation), multipart_uploads_enabled=True)))
show("Ariadne", upload(ariadne.asgi.GraphQL(ariadne_schema)))
END
seen=$(python "$folder/asgi.py" 2>/dev/null)
python_packages graphene-file-upload==1.3.0 graphene-django==3.2.3 Django==5.2.19 graphene==3.4.3 \
  graphql-core==3.2.14
cat >"$folder/django_upload.py" <<'END'
import django
from django.conf import settings

settings.configure(INSTALLED_APPS=["graphene_django"], ROOT_URLCONF="__main__", ALLOWED_HOSTS=["*"])
django.setup()
import graphene
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import path
from graphene_file_upload.django import FileUploadGraphQLView
from graphene_file_upload.scalars import Upload
from seen import OPERATIONS, show

class Query(graphene.ObjectType):
    works = graphene.Boolean()

class Mutation(graphene.ObjectType):
    sizes = graphene.String(a=Upload(required=True), b=Upload(required=True))

    def resolve_sizes(root, info, a, b):
        return f"{len(a.read())} and {len(b.read())} bytes"

schema = graphene.Schema(query=Query, mutation=Mutation)
urlpatterns = [path("graphql", FileUploadGraphQLView.as_view(schema=schema))]

def send(files, names):
    parts = {name: SimpleUploadedFile("hero.txt", b"Leia\n") for name in names}
    response = Client().post("/graphql", {"operations": OPERATIONS, "map": files, **parts})
    return response.json()["data"]["sizes"]

show("graphene-file-upload", send)
END
seen+=$'\n'$(python "$folder/django_upload.py" 2>/dev/null)
expect "Bytes of both variables" "${seen//$'\n'/; }" \
  "Strawberry, one part: 5 and 0 bytes, two parts: 5 and 5 bytes; Ariadne, one part: 5 and 0 bytes, two parts: 5 and 5 bytes; graphene-file-upload, one part: 5 and 0 bytes, two parts: 5 and 5 bytes"
