#!/usr/bin/env bash
# Version: undine 0.5.0 (GraphQL for Django), Django 5.2.19, graphql-core 3.3.2.
#
# Behaviour: the server prefers the media type 'application/graphql-response+json'. A client that
# accepts it, or anything, gets it. A document with an unknown field is refused with status 200 in
# this type, and so are a body without a document, a syntax error, and a mutation by GET. Each of
# these responses has "data": null, and the status that would apply in the error's extensions. A
# field whose resolver fails has 500 there, beside data of other fields.
#
# Seen: "unknown field, no document, syntax error: 200, data null, says 400; mutation by GET: 200,
# data null, says 405; failed field: 200, data {"works":1,"fail":null}, says 500; type:
# application/graphql-response+json".
#
# Why it surprises: the type exists so that a status can be relied on: with it, a request that was
# not executed has a status of 4xx, and its body no 'data'. A client that sees this type and 200
# takes the response for an executed one, caches or counts it as a success, and may write that the
# root is null.
#
# Source: the draft "GraphQL over HTTP", 6.4.2; GraphQL specification, 7.1 (a request error has no
# 'data'); undine/http/responses.py (graphql_result_response).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages undine==0.5.0 Django==5.2.19 graphql-core==3.3.2
cat >"$folder/app.py" <<'END'
import json
import django
from django.conf import settings

settings.configure(
    INSTALLED_APPS=["django.contrib.contenttypes", "undine"], ROOT_URLCONF="app", ALLOWED_HOSTS=["*"],
    UNDINE={"SCHEMA": "app.schema"})
django.setup()
from django.test import Client
from django.urls import include, path
from undine import Entrypoint, GQLInfo, RootType, create_schema

class Query(RootType):
    @Entrypoint
    def works(self, info: GQLInfo) -> int:
        return 1

    @Entrypoint
    def fail(self, info: GQLInfo) -> int | None:
        raise ValueError("failed")

class Mutation(RootType):
    @Entrypoint
    def order(self, info: GQLInfo) -> int:
        return 1

schema = create_schema(query=Query, mutation=Mutation)
urlpatterns = [path("", include("undine.http.urls"))]
types = set()

def summary(response):
    types.add(response.headers["Content-Type"])
    body = response.json()
    data = json.dumps(body["data"], separators=(",", ":")) if "data" in body else "absent"
    return f"{response.status_code}, data {data}, says {body['errors'][0]['extensions']['status_code']}"

def post(accept="*/*", **body):
    return summary(Client().post(
        "/graphql/", json.dumps(body), content_type="application/json", headers={"Accept": accept}))

refused = {
    post(query="{ unknown }"), post(operationName="A"), post(query="{ works"),
    post("application/graphql-response+json, application/json;q=0.9", query="{ unknown }")}
get = summary(Client().get("/graphql/", {"query": "mutation { order }"}))
print(
    f"unknown field, no document, syntax error: {' or '.join(sorted(refused))}; mutation by GET: {get}; "
    f"failed field: {post(query='{ works fail }')}; type: {' or '.join(sorted(types))}")
END
seen=$(cd "$folder" && python -c 'import app' 2>/dev/null)
expect "Refused" "$seen" \
  'unknown field, no document, syntax error: 200, data null, says 400; mutation by GET: 200, data null, says 405; failed field: 200, data {"works":1,"fail":null}, says 500; type: application/graphql-response+json'
