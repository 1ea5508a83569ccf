#!/usr/bin/env bash
# Version: gql 4.4.0 (the Python client) with aiohttp 3.14.5; the servers are Strawberry 0.341.2 and
# Ariadne 1.1.1 on Starlette 1.10.0, with python-multipart 0.0.34, uvicorn 0.54.0 and graphql-core
# 3.3.2.
#
# Behaviour: gql uploads a file with 'FileVar("logo.png")', or a piece at a time with
# 'FileVar("logo.png", streaming=True)'. The former sends the name of the file with its part of the
# form, and the latter sends none, so that the part is a text field for a parser of forms. The
# resolver of Strawberry, whose parameter is an Upload, receives a string, which Starlette has made
# of the bytes; a file of more than 1 MB is refused with 400, as a text of this size is. Ariadne
# refuses either. With 'filename="logo.png"' all is well.
#
# Seen: Strawberry: "3 kB: UploadFile, 2 MB: UploadFile; streamed, 3 kB: str, 2 MB: 400; streamed
# with a name, 3 kB: UploadFile, 2 MB: UploadFile"; Ariadne: the same but "streamed, 3 kB: 400".
#
# Why it surprises: streaming is meant for large files and is to change nothing but the memory that
# is used. With the path of the file, gql knows the name, and the request is a success with a small
# file: what is stored then has passed through a decoder, or fails at the first method that a string
# does not have. The multipart request specification speaks of files, and a form tells them from
# texts by the name alone.
#
# Source: RFC 7578, 4.2 (filename); the GraphQL multipart request specification; gql's documentation
# of file uploads and its transport/file_upload.py, open_file; Starlette's formparsers.py,
# on_headers_finished.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 ariadne==1.1.1 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 \
  python-multipart==0.0.34 gql==4.4.0 aiohttp==3.14.5 aiofiles==25.1.0 tenacity==9.2.1
cat >"$folder/app.py" <<'END'
import strawberry
from ariadne import MutationType, make_executable_schema, upload_scalar
from ariadne.asgi import GraphQL as Ariadne
from starlette.applications import Starlette
from starlette.routing import Mount
from strawberry.asgi import GraphQL
from strawberry.file_uploads import Upload

@strawberry.type
class Query:
    @strawberry.field
    def hero(self) -> str:
        return "Leia"

@strawberry.type
class Mutation:
    @strawberry.mutation
    def store(self, file: Upload) -> str:
        return type(file).__name__

mutation = MutationType()
mutation.set_field("store", lambda *_, file: type(file).__name__)
ariadne = make_executable_schema(
    "scalar Upload type Query { hero: String } type Mutation { store(file: Upload!): String }",
    mutation, upload_scalar)
app = Starlette(routes=[
    Mount("/strawberry", GraphQL(strawberry.Schema(Query, Mutation), multipart_uploads_enabled=True)),
    Mount("/ariadne", Ariadne(ariadne))])
END
serve_app
cd "$folder"
head --bytes 3000 /dev/zero >small
head --bytes 2000000 /dev/zero >large
cat >client.py <<'END'
import asyncio, sys
from gql import Client, FileVar, gql
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.exceptions import TransportServerError

async def upload(name, options):
    document = gql("mutation($file: Upload!) { store(file: $file) }")
    document.variable_values = {"file": FileVar(name, **options)}
    try:
        async with Client(transport=AIOHTTPTransport(sys.argv[1])) as session:
            return (await session.execute(document, upload_files=True))["store"]
    except TransportServerError as error:
        return error.code

async def main():
    print("; ".join([
        f"{start}3 kB: {await upload('small', options)}, 2 MB: {await upload('large', options)}"
        for start, options in (
            ("", {}), ("streamed, ", {"streaming": True}),
            ("streamed with a name, ", {"streaming": True, "filename": "logo.png"}))]))

asyncio.run(main())
END
expect "Strawberry" "$(python client.py "http://127.0.0.1:$port/strawberry/")" \
  "3 kB: UploadFile, 2 MB: UploadFile; streamed, 3 kB: str, 2 MB: 400; streamed with a name, 3 kB: UploadFile, 2 MB: UploadFile"
expect "Ariadne" "$(python client.py "http://127.0.0.1:$port/ariadne/")" \
  "3 kB: UploadFile, 2 MB: UploadFile; streamed, 3 kB: 400, 2 MB: 400; streamed with a name, 3 kB: UploadFile, 2 MB: UploadFile"
