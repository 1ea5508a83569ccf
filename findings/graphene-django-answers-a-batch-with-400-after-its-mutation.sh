#!/usr/bin/env bash
# Version: graphene-django 3.2.3 with batch=True, Django 5.2.
#
# Behaviour: a batch of a mutation that succeeds and a query that is not valid is answered with
# status 400. The mutation has been carried out, and its data is in the body beside the error. A
# batch of one must be an array as well; an object is refused.
#
# Seen: "400, first member has data, counter 1; object: 400".
#
# Why it surprises: 400 says that nothing was done, and clients throw the body away or send the
# request again. The status is that of the worst member.
#
# Source: graphene_django/views.py, GraphQLView.dispatch (max of the statuses) and parse_body.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages graphene-django==3.2.3 graphql-core==3.2.14 'django==5.2.*'
seen=$(python - <<'END'
import json
import django
from django.conf import settings

settings.configure(ROOT_URLCONF=__name__, SECRET_KEY="x", ALLOWED_HOSTS=["*"], INSTALLED_APPS=["graphene_django"])
django.setup()
import graphene
from django.test import Client
from django.urls import path
from graphene_django.views import GraphQLView

count = 0

class Query(graphene.ObjectType):
    a = graphene.Int()

class Increment(graphene.Mutation):
    value = graphene.Int()

    def mutate(root, info):
        global count
        count += 1
        return Increment(value=count)

class Mutation(graphene.ObjectType):
    increment = Increment.Field()

schema = graphene.Schema(query=Query, mutation=Mutation)
urlpatterns = [path("graphql", GraphQLView.as_view(schema=schema, batch=True))]

def post(body):
    return Client().post("/graphql", json.dumps(body), content_type="application/json")

response = post([{"id": 1, "query": "mutation { increment { value } }"}, {"id": 2, "query": "{ nope }"}])
members = response.json()
print(response.status_code, members[0]["data"]["increment"], "counter", count, end="; ")
print("object:", post({"query": "{ a }"}).status_code)
END
)
expect "Batch" "$seen" "400 {'value': 1} counter 1; object: 400"
