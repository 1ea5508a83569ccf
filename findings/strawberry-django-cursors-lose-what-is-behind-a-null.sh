#!/usr/bin/env bash
# Version: strawberry-graphql-django 0.93.0 (DjangoCursorConnection) with Django 5.2.19 and its
# SQLite, Strawberry 0.341.2 and graphql-core 3.3.2.
#
# Behaviour: five heroes are ordered by a height that two of them do not have. SQLite puts nulls
# first, as MySQL does, and the first page has those two, with 'hasNextPage: true'. The page after
# its cursor is empty, without a next one: the three with a height are never given, while
# 'totalCount' is 5. Pages from the end give the three, say that nothing precedes them, and never
# give the two. In the descending order, where SQLite has nulls last, and with 'nulls_first=True'
# in the resolver, all five arrive in both directions. So they do with cursors that are positions
# (DjangoListConnection).
#
# Seen, of the heroes a and d without a height, c, e and b: "ascending: ad - of 5, from the end eb c
# of 5; descending: be ca d of 5, from the end ad ec b of 5; nulls_first=True: ad ce b of 5, from
# the end eb dc a of 5; positions: ad ce b of 5, from the end eb dc a of 5".
#
# Why it surprises: cursors of values are there to lose nothing when rows change, and here nothing
# changes. The condition is made for nulls that come last unless the order says otherwise, but the
# order that says nothing is the database's, as the first page shows. PostgreSQL has nulls last in
# the ascending order, so that a test there passes. A client that loads pages until 'hasNextPage' is
# false has a complete list by all signs but the count.
#
# Source: strawberry_django/relay/cursor_connection.py, OrderingDescriptor.get_comparator; SQLite's
# documentation, "SELECT", ORDER BY; Django's documentation, Expression.asc, nulls_first.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql-django==0.93.0 Django==5.2.19 strawberry-graphql==0.341.2 \
  graphql-core==3.3.2
cat >"$folder/heroes.py" <<'END'
import sys
import django
from django.conf import settings

database = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}
settings.configure(INSTALLED_APPS=["strawberry_django"], DATABASES={"default": database})
django.setup()
import strawberry
import strawberry_django
from django.db import connection, models
from django.db.models import F
from strawberry import relay
from strawberry_django.relay import DjangoCursorConnection, DjangoListConnection

class Hero(models.Model):
    name = models.CharField(max_length=1)
    height = models.IntegerField(null=True)

    class Meta:
        app_label = "heroes"

with connection.schema_editor() as editor:
    editor.create_model(Hero)
for name, height in (("a", None), ("b", 3), ("c", 1), ("d", None), ("e", 2)):
    Hero.objects.create(name=name, height=height)

@strawberry_django.type(Hero)
class HeroType(relay.Node):
    name: strawberry.auto

@strawberry.type
class Query:
    @strawberry_django.connection(DjangoCursorConnection[HeroType])
    def ascending(self) -> list[HeroType]:
        return Hero.objects.order_by("height")

    @strawberry_django.connection(DjangoCursorConnection[HeroType])
    def descending(self) -> list[HeroType]:
        return Hero.objects.order_by("-height")

    @strawberry_django.connection(DjangoCursorConnection[HeroType])
    def nulls_first(self) -> list[HeroType]:
        return Hero.objects.order_by(F("height").asc(nulls_first=True))

    @strawberry_django.connection(DjangoListConnection[HeroType])
    def positions(self) -> list[HeroType]:
        return Hero.objects.order_by("height", "pk")

schema = strawberry.Schema(Query)

def pages(field, size, cursor, more, next_cursor):
    document = (
        f"query($cursor: String) {{ {field}({size}: 2, {cursor}: $cursor) {{"
        f" totalCount edges {{ node {{ name }} }} pageInfo {{ {more} {next_cursor} }} }} }}")
    seen, place, has_more = [], None, True
    while has_more and len(seen) < 5:
        result = schema.execute_sync(document, variable_values={"cursor": place})
        assert not result.errors
        page = result.data[field]
        seen.append("".join(edge["node"]["name"] for edge in page["edges"]) or "-")
        place, has_more = page["pageInfo"][next_cursor], page["pageInfo"][more]
    return f"{' '.join(seen)} of {page['totalCount']}"

forwards = pages(sys.argv[1], "first", "after", "hasNextPage", "endCursor")
backwards = pages(sys.argv[1], "last", "before", "hasPreviousPage", "startCursor")
print(f"{forwards}, from the end {backwards}")
END
seen() { python "$folder/heroes.py" "$1" 2>/dev/null; }
expect ascending "$(seen ascending)" "ad - of 5, from the end eb c of 5"
expect descending "$(seen descending)" "be ca d of 5, from the end ad ec b of 5"
expect "nulls_first=True" "$(seen nullsFirst)" "ad ce b of 5, from the end eb dc a of 5"
expect positions "$(seen positions)" "ad ce b of 5, from the end eb dc a of 5"
