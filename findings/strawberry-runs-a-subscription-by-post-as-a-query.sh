#!/usr/bin/env bash
# Version: Strawberry 0.341.2, Ariadne 1.1.1 and graphql-server 3.0.0 with Starlette 1.10.0;
# graphene-django 3.2.3 with Django 5.2.19 and graphene 3.4.3.
#
# Behaviour: a client sends 'subscription { score }' by POST, and accepts
# 'multipart/mixed;subscriptionSpec=1.0' and JSON. Strawberry and graphene-django, which have no
# such transport or have it turned off, respond with status 200 and '"score": null', without an
# error. The generator of the subscription is not called: they execute the operation as a query,
# whose root object has no such value. For a field that cannot be null the error is "Cannot return
# null for non-nullable field Subscription.total". graphql-server does the same, though it has the
# transport, unless 'Accept' has 'boundary=graphql' as well. Ariadne refuses with 400.
#
# Seen: "Strawberry: 200, score null, total Cannot return null, source called 0 times; Ariadne: 400;
# graphql-server: 200, score null, total Cannot return null, source called 0 times; graphene-django:
# 200, score null, total Cannot return null, source called 0 times; graphql-server, with a boundary:
# multipart/mixed".
#
# Why it surprises: the response is well-formed and looks like one event, after which a client waits
# or connects again. The error of the other field sends people to a resolver, which is right and was
# never called. That the transport is missing is said nowhere. A boundary is for the sender of a
# body to choose.
#
# Source: GraphQL specification, 6.2.3 (a subscription is executed for each event of its source
# stream); RFC 2046, 5.1.1; Strawberry's documentation, "Multipart subscriptions";
# graphql_server/http/base.py, _is_multipart_subscriptions.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cd "$folder"
cat >show.py <<'END'
import asyncio, json

import httpx

called = 0
HEADERS = {"Accept": "multipart/mixed;subscriptionSpec=1.0, application/json", "Content-Type": "application/json"}

async def source(*_):
    global called
    called += 1
    yield 1

def show(server, respond):
    status, body = respond({"query": "subscription { score }"})
    if status != 200:
        return f"{server}: {status}"
    assert body == {"data": {"score": None}}
    _, failed = respond({"query": "subscription { total }"})
    error, = failed["errors"]
    message = error["message"].removesuffix(" for non-nullable field Subscription.total.")
    return f"{server}: {status}, score null, total {message}, source called {called} times"

def asgi(app, read=lambda response: (response.status_code, response.json())):
    async def call(body):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            response = await client.post("/", content=json.dumps(body), headers=HEADERS)
            return read(response)
    return lambda body: asyncio.run(call(body))
END
python_packages strawberry-graphql==0.341.2 ariadne==1.1.1 graphql-core==3.3.2 starlette==1.10.0 \
  httpx==0.28.1 python-multipart==0.0.34
cat >servers.py <<'END'
from collections.abc import AsyncIterator

import ariadne.asgi
import strawberry.asgi
from ariadne import SubscriptionType, make_executable_schema
from show import asgi, show, source

@strawberry.type
class Query:
    a: int = 1

@strawberry.type
class Subscription:
    @strawberry.subscription
    async def score(self) -> AsyncIterator[int | None]:
        async for value in source():
            yield value

    @strawberry.subscription
    async def total(self) -> AsyncIterator[int]:
        async for value in source():
            yield value

subscription = SubscriptionType()
subscription.set_source("score", source)
schema = make_executable_schema(
    "type Query { a: Int } type Subscription { score: Int total: Int! }", subscription)
print(
    show("Strawberry", asgi(strawberry.asgi.GraphQL(strawberry.Schema(Query, subscription=Subscription)))),
    show("Ariadne", asgi(ariadne.asgi.GraphQL(schema))), sep="; ")
END
expect "Strawberry and Ariadne" "$(python servers.py 2>/dev/null)" \
  "Strawberry: 200, score null, total Cannot return null, source called 0 times; Ariadne: 400"
python_packages graphql-server==3.0.0 graphql-core==3.2.14 starlette==1.10.0 httpx==0.28.1 \
  python-multipart==0.0.34 graphene-django==3.2.3 graphene==3.4.3 Django==5.2.19
cat >servers.py <<'END'
import json

import django
from django.conf import settings

settings.configure(INSTALLED_APPS=["graphene_django"], ROOT_URLCONF="__main__", ALLOWED_HOSTS=["*"])
django.setup()
import graphene
from django.test import Client
from django.urls import path
from graphene_django.views import GraphQLView
from graphql import build_schema
from graphql_server.asgi import GraphQL
from show import HEADERS, asgi, show, source

class Query(graphene.ObjectType):
    a = graphene.Int()

class Subscription(graphene.ObjectType):
    score = graphene.Int()
    total = graphene.Int(required=True)
    subscribe_score = subscribe_total = source

urlpatterns = [path("", GraphQLView.as_view(schema=graphene.Schema(query=Query, subscription=Subscription)))]

def post(body):
    response = Client().post("/", json.dumps(body), "application/json", headers={"Accept": HEADERS["Accept"]})
    return response.status_code, response.json()

schema = build_schema("type Query { a: Int } type Subscription { score: Int total: Int! }")
for field in schema.subscription_type.fields.values():
    field.subscribe = source
print(show("graphql-server", asgi(GraphQL(schema))), show("graphene-django", post), sep="; ", end="; ")
HEADERS["Accept"] = "multipart/mixed;boundary=graphql;subscriptionSpec=1.0, application/json"
with_boundary = asgi(GraphQL(schema), lambda response: response.headers["Content-Type"].split(";")[0])
print("graphql-server, with a boundary:", with_boundary({"query": "subscription { score }"}))
END
expect "graphql-server and graphene-django" "$(python servers.py 2>/dev/null)" \
  "graphql-server: 200, score null, total Cannot return null, source called 0 times; graphene-django: 200, score null, total Cannot return null, source called 0 times; graphql-server, with a boundary: multipart/mixed"
