#!/usr/bin/env bash
# Version: strawberry-graphql-django 0.93.0 with Django 5.2.19, Strawberry 0.341.2 and graphql-core
# 3.3.2.
#
# Behaviour: a mutation made with 'mutations.delete(filters=HeroFilter)' deletes the heroes that the
# filter selects. In 'delete(filters: {name: {exact: $name}})' a null is not a value to compare
# with: the condition is left out, and all heroes are deleted. It is the same when the variable is
# absent, with 'inList: null', and in 'mutations.update'. An empty list selects nothing.
#
# Seen: "name Leia: 1 of 3 deleted; name null: 3 of 3 deleted; name absent: 3 of 3 deleted; inList
# null: 3 of 3 deleted; inList empty: 0 of 3 deleted; update, name null: 3 of 3 updated".
#
# Why it surprises: null looks like "the heroes without a name", or like a filter that selects none.
# Typed clients send null for an optional variable without a value, so that a missing name empties
# the table, and the response is the list of what is gone. In a query the same rule only shows more
# rows. The schema's description has "Filter will be skipped on null value".
#
# Source: strawberry-django's documentation, "Filtering" and "Mutations" (filters of update and
# delete); strawberry_django/filters.py, process_filters, and fields/filter_types.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql-django==0.93.0 Django==5.2.19 strawberry-graphql==0.341.2 \
  graphql-core==3.3.2
seen=$(python 2>/dev/null <<'END'
import django
from django.conf import settings

settings.configure(
    INSTALLED_APPS=["django.contrib.contenttypes", "strawberry_django"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}})
django.setup()
import strawberry
import strawberry_django
from django.db import connection, models
from strawberry_django import mutations

class Hero(models.Model):
    name = models.CharField(max_length=5)

    class Meta:
        app_label = "heroes"

with connection.schema_editor() as editor:
    editor.create_model(Hero)

@strawberry_django.filter_type(Hero, lookups=True)
class HeroFilter:
    name: strawberry.auto

@strawberry_django.type(Hero)
class HeroType:
    name: strawberry.auto

@strawberry_django.partial(Hero)
class HeroChanges:
    name: strawberry.auto

@strawberry.type
class Query:
    a: int = 1

@strawberry.type
class Mutation:
    delete: list[HeroType] = mutations.delete(filters=HeroFilter)
    update: list[HeroType] = mutations.update(HeroChanges, filters=HeroFilter)

schema = strawberry.Schema(Query, Mutation)

def rows(call, declared, **variables):
    Hero.objects.all().delete()
    for hero in ("Leia", "Luke", "Han"):
        Hero.objects.create(name=hero)
    result = schema.execute_sync(f"mutation({declared}) {{ {call} {{ name }} }}", variable_values=variables)
    assert not result.errors, result.errors
    changed, = result.data.values()
    assert Hero.objects.exclude(name="Rey").count() == 3 - len(changed)
    return f"{len(changed)} of 3 {call[:6]}d"

name = "$name: String"
names = "$names: [String!]"
by_name = "delete(filters: {name: {exact: $name}})"
by_names = "delete(filters: {name: {inList: $names}})"
update = 'update(data: {name: "Rey"}, filters: {name: {exact: $name}})'
print(
    f"name Leia: {rows(by_name, name, name='Leia')}", f"name null: {rows(by_name, name, name=None)}",
    f"name absent: {rows(by_name, name)}", f"inList null: {rows(by_names, names, names=None)}",
    f"inList empty: {rows(by_names, names, names=[])}",
    f"update, name null: {rows(update, name, name=None)}", sep="; ")
END
)
expect "Three heroes" "$seen" \
  "name Leia: 1 of 3 deleted; name null: 3 of 3 deleted; name absent: 3 of 3 deleted; inList null: 3 of 3 deleted; inList empty: 0 of 3 deleted; update, name null: 3 of 3 updated"
