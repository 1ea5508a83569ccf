"""Serves a shop's products on a free port of the loopback interface, over GraphQL.

    python server.py

Prints its URL when it is ready. `/requests` responds with the number of GraphQL requests so far.
Stops on SIGINT and SIGTERM, and when its standard input ends.
"""

from __future__ import annotations

import pathlib
import sys

import strawberry
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from strawberry.asgi import GraphQL

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Servers"))

from announcing import serve  # noqa: E402


@strawberry.type
class Product:
    id: strawberry.ID
    name: str


PRODUCTS = {number: Product(id=strawberry.ID(number), name=name) for number, name in [("1", "Tea"), ("2", "Coffee")]}


@strawberry.type
class Query:
    @strawberry.field
    def products(self) -> list[Product]:
        return list(PRODUCTS.values())


@strawberry.type
class Mutation:
    @strawberry.mutation
    def rename(self, id: strawberry.ID, name: str) -> Product:
        PRODUCTS[str(id)].name = name
        return PRODUCTS[str(id)]


count = 0


async def count_requests(request, call_next):
    global count
    if request.url.path == "/graphql":
        count += 1
    return await call_next(request)


async def requests(request):
    return PlainTextResponse(str(count))


graphql = GraphQL(strawberry.Schema(query=Query, mutation=Mutation))
serve(
    Starlette(
        routes=[Route("/graphql", graphql), Route("/requests", requests)],
        middleware=[Middleware(BaseHTTPMiddleware, dispatch=count_requests)],
    )
)
