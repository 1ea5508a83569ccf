"""The heroes of the tests, served by graphene-django.

    python django_heroes.py PORT
"""

from __future__ import annotations

import sys

import django
import graphene
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import path
from wsgiref.simple_server import WSGIRequestHandler, make_server

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__, SECRET_KEY="not a secret",
    INSTALLED_APPS=["graphene_django"],
)
django.setup()

from graphene_django.views import GraphQLView  # noqa: E402


class Hero(graphene.ObjectType):
    id = graphene.ID(required=True)
    name = graphene.String(required=True)


class Query(graphene.ObjectType):
    hero = graphene.Field(Hero, name=graphene.String())

    def resolve_hero(root, info, name=None):
        return Hero(id="1", name=name or "R2-D2")


class Rename(graphene.Mutation):
    class Arguments:
        id = graphene.ID(required=True)
        name = graphene.String(required=True)

    Output = Hero

    def mutate(root, info, id, name):
        return Hero(id=id, name=name)


class Mutation(graphene.ObjectType):
    rename = Rename.Field()


schema = graphene.Schema(query=Query, mutation=Mutation)
urlpatterns = [path("graphql", GraphQLView.as_view(schema=schema))]


class QuietHandler(WSGIRequestHandler):
    def log_message(self, *_):
        pass


if __name__ == "__main__":
    port = int(sys.argv[1])
    server = make_server("127.0.0.1", port, get_wsgi_application(), handler_class=QuietHandler)
    print(f"http://127.0.0.1:{port}/graphql", flush=True)
    server.serve_forever()
