#!/usr/bin/env bash
# Version: graphene-django 3.2.3 with 'ATOMIC_MUTATIONS' or 'ATOMIC_REQUESTS', Django 5.2.19.
#
# Behaviour: a mutation adds a hero in 'a', then 'b' writes another one and fails. With
# 'ATOMIC_MUTATIONS' both rows stay when the resolver of 'b' raises an exception, the row of the
# failed field included. They are rolled back when a form of 'b' is not valid. With
# 'ATOMIC_REQUESTS' they are rolled back in both cases. Whether they are or not, the response has
# the new hero with its id in 'a'.
#
# Seen: "ATOMIC_MUTATIONS: exception, hero 1 in data, 2 rows; form, hero 1 in data, 0 rows;
# ATOMIC_REQUESTS: exception, hero 1 in data, 0 rows; form, hero 1 in data, 0 rows".
#
# Why it surprises: Django's 'atomic' rolls back at an exception, but the executor turns each
# exception into an error of its field, so that none reaches the block. Only forms set the flag that
# is looked at. And where all is undone, partial data is no longer true: a client that keeps 'a' has
# an object that no later query finds.
#
# Source: graphene_django/views.py (execute_graphql_request, get_response) and forms/mutation.py
# (the flag of the request); GraphQL specification, 6.4.4 (handling execution errors).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages graphene-django==3.2.3 Django==5.2.19 graphene==3.4.3 graphql-core==3.2.14
cat >"$folder/heroes.py" <<'END'
import json, sys
import django
from django.conf import settings

database = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:", sys.argv[1]: True}
settings.configure(
    INSTALLED_APPS=["graphene_django"], DATABASES={"default": database}, ROOT_URLCONF="__main__",
    ALLOWED_HOSTS=["*"])
django.setup()
import graphene
from django import forms
from django.db import connection, models
from django.test import Client
from django.urls import path
from graphene_django import DjangoObjectType
from graphene_django.forms.mutation import DjangoModelFormMutation
from graphene_django.views import GraphQLView

class Hero(models.Model):
    name = models.CharField(max_length=5)

    class Meta:
        app_label = "heroes"

with connection.schema_editor() as editor:
    editor.create_model(Hero)

class HeroType(DjangoObjectType):
    class Meta:
        model = Hero
        fields = ("id", "name")

class HeroForm(forms.ModelForm):
    class Meta:
        model = Hero
        fields = ("name",)

class AddByForm(DjangoModelFormMutation):
    class Meta:
        form_class = HeroForm

class AddAndFail(graphene.Mutation):
    id = graphene.ID()

    def mutate(root, info):
        Hero.objects.create(name="Han")
        raise ValueError("failed")

class Mutation(graphene.ObjectType):
    add = AddByForm.Field()
    fail = AddAndFail.Field()

class Query(graphene.ObjectType):
    a = graphene.Int()

view = GraphQLView.as_view(schema=graphene.Schema(query=Query, mutation=Mutation))
urlpatterns = [path("graphql", view)]

def history(second):
    query = 'mutation { a: add(input: {name: "Leia"}) { hero { id } } b: ' + second + " }"
    body = json.dumps({"query": query})
    response = Client().post("/graphql", body, content_type="application/json").json()
    failed = response["data"]["b"] is None or response["data"]["b"]["errors"]
    if not failed:
        raise SystemExit("nothing failed")
    seen = f"hero {response['data']['a']['hero']['id']} in data, {Hero.objects.count()} rows"
    with connection.schema_editor() as editor:
        editor.delete_model(Hero)
        editor.create_model(Hero)
    return seen

form = history('add(input: {name: "Chewbacca"}) { errors { messages } }')
print(f"exception, {history('fail { id }')}; form, {form}")
END
seen() { python "$folder/heroes.py" "$1" 2>/dev/null; }
expect ATOMIC_MUTATIONS "$(seen ATOMIC_MUTATIONS)" \
  "exception, hero 1 in data, 2 rows; form, hero 1 in data, 0 rows"
expect ATOMIC_REQUESTS "$(seen ATOMIC_REQUESTS)" \
  "exception, hero 1 in data, 0 rows; form, hero 1 in data, 0 rows"
