#!/usr/bin/env bash
# Version: graphene-django-extras 1.0.1 with graphene-django 3.2.3, Django 5.2.19, django-filter
# 26.2 and graphql-core 3.2.14, on SQLite.
#
# Behaviour: a list of three heroes has the arguments 'limit', 'offset' and 'ordering'
# (LimitOffsetGraphqlPagination). 'heroes(ordering: "name")' has the order of the table, and
# 'heroes(offset: 1)' has all three: both arguments count only beside a limit. With a default limit
# of 2 they count, until a client sends 'limit: null', which takes away limit, order and offset.
# With pages of two (PageGraphqlPagination) page 1 is Luke and Han, and page -1, the last one, is
# Han and Leia.
#
# Seen: "ordering: Luke Han Leia; with a limit: Han Leia Luke; offset 1: Luke Han Leia; with a
# limit: Han Leia; default limit: Luke Han; limit null: Luke Han Leia, ordering Luke Han Leia,
# offset 1 Luke Han Leia; pages 1 and 2: Luke Han, Leia; page -1: Han Leia".
#
# Why it surprises: each argument is in the schema by itself, with a description that says what it
# does, and none is an error. A short table is in order by accident, so that a list looks sorted
# until something is renamed. Typed clients send null for a limit that they do not have. And who
# reads backwards by pages has other pages than who reads forwards, so that a hero is in two of
# them.
#
# Source: graphene_django_extras/paginations/pagination.py, LimitOffsetGraphqlPagination.
# paginate_queryset (it returns before the order and the offset where the limit is None) and
# PageGraphqlPagination.paginate_queryset (a negative page counts from the end of the rows).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages graphene-django-extras==1.0.1 graphene-django==3.2.3 django==5.2.19 django-filter==26.2 graphql-core==3.2.14
seen=$(python <<'END'
import django
from django.conf import settings

settings.configure(
    INSTALLED_APPS=["django.contrib.contenttypes", "graphene_django"], DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}})
django.setup()

import graphene
from django.db import connection, models
from graphene_django_extras import (
    DjangoFilterPaginateListField, DjangoObjectType, LimitOffsetGraphqlPagination, PageGraphqlPagination)

class Hero(models.Model):
    name = models.CharField(max_length=10)

    class Meta:
        app_label = "heroes"

with connection.schema_editor() as editor:
    editor.create_model(Hero)
for name in ("Luke", "Han", "Leia"):
    Hero.objects.create(name=name)

class HeroType(DjangoObjectType):
    class Meta:
        model = Hero
        filter_fields = ["id"]

class Query(graphene.ObjectType):
    heroes = DjangoFilterPaginateListField(HeroType, pagination=LimitOffsetGraphqlPagination())
    limited = DjangoFilterPaginateListField(HeroType, pagination=LimitOffsetGraphqlPagination(default_limit=2))
    pages = DjangoFilterPaginateListField(HeroType, pagination=PageGraphqlPagination(page_size=2))

schema = graphene.Schema(Query)

def ask(field):
    result = schema.execute(f"{{ list: {field} {{ name }} }}")
    assert not result.errors, result.errors
    return " ".join(hero["name"] for hero in result.data["list"])

print("; ".join([
    f"""ordering: {ask('heroes(ordering: "name")')}""", f"""with a limit: {ask('heroes(ordering: "name", limit: 9)')}""",
    f"offset 1: {ask('heroes(offset: 1)')}", f"with a limit: {ask('heroes(offset: 1, limit: 9)')}",
    f"default limit: {ask('limited')}",
    f"""limit null: {ask('limited(limit: null)')}, ordering {ask('limited(limit: null, ordering: "name")')},"""
    f" offset 1 {ask('limited(limit: null, offset: 1)')}",
    f"pages 1 and 2: {ask('pages(page: 1)')}, {ask('pages(page: 2)')}", f"page -1: {ask('pages(page: -1)')}",
]))
END
)
expect "Heroes" "$seen" \
  "ordering: Luke Han Leia; with a limit: Han Leia Luke; offset 1: Luke Han Leia; with a limit: Han Leia; default limit: Luke Han; limit null: Luke Han Leia, ordering Luke Han Leia, offset 1 Luke Han Leia; pages 1 and 2: Luke Han, Leia; page -1: Han Leia"
