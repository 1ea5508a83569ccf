#!/usr/bin/env bash
# Version: cacheql 0.0.1a3 and sentry-sdk 2.75.0, both as extensions of Strawberry 0.341.2 on
# graphql-core 3.3.2.
#
# Behaviour: the same mutation is sent twice in each of three documents: in front of the fragment
# that it uses, behind it, and behind a comment. cacheql asks with which word the document begins,
# and takes what does not begin with 'mutation' for a query. It keeps the response, and answers the
# second request with it without running the mutation. Sentry's integration asks the same, and
# reports a query. Its name for the operation is the right one.
#
# Seen: "mutation first: 2 films, Sentry: mutation Add; fragment first: 1 film, Sentry: query Add;
# comment first: 1 film, Sentry: query Add".
#
# Why it surprises: the order of definitions means nothing, and a template with its fragments at the
# top is common. The client is told that its film is added, with the id of the film before. Failed
# mutations are run again, since errors are not kept, so that a retry does what it should and a
# repeated success does not.
#
# Source: GraphQL specification, 2.2 (a document is a list of definitions), 2.1.4 (comments);
# cacheql/adapters/strawberry/extension.py, _check_cache; sentry_sdk/integrations/strawberry.py,
# on_operation.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages cacheql==0.0.1a3 sentry-sdk==2.75.0 strawberry-graphql==0.341.2 graphql-core==3.3.2
seen=$(python <<'END'
import asyncio

import sentry_sdk
import strawberry
from cacheql import CacheConfig, CacheService, DefaultKeyBuilder, InMemoryCacheBackend, JsonSerializer
from cacheql.adapters.strawberry import CacheExtension
from sentry_sdk.integrations.strawberry import StrawberryIntegration

sent, films = [], []
# The transactions are looked at instead of being sent.
sentry_sdk.init(
    dsn="http://key@127.0.0.1:9/1", send_client_reports=False, default_integrations=False,
    traces_sample_rate=1.0, integrations=[StrawberryIntegration(async_execution=True)],
    before_send_transaction=lambda event, hint: sent.append(event))

@strawberry.type
class Film:
    id: int
    title: str

@strawberry.type
class Query:
    a: int = 1

@strawberry.type
class Mutation:
    @strawberry.mutation
    def add(self, title: str) -> Film:
        films.append(title)
        return Film(id=len(films), title=title)

def new_schema():
    service = CacheService(
        backend=InMemoryCacheBackend(), key_builder=DefaultKeyBuilder(), serializer=JsonSerializer(),
        config=CacheConfig())
    return strawberry.Schema(Query, Mutation, extensions=[CacheExtension(service)])

MUTATION = 'mutation Add { add(title: "Jedi") { ...Shown } } '
FRAGMENT = "fragment Shown on Film { id title } "

async def show(name, document):
    schema = new_schema()
    films.clear()
    sent.clear()
    for _ in range(2):
        with sentry_sdk.isolation_scope(), sentry_sdk.start_transaction(name="POST", op="http.server"):
            result = await schema.execute(document, operation_name="Add", context_value={})
            assert not result.errors and result.data["add"]["id"] == len(films)
    names = {span["description"] for event in sent for span in event["spans"]
             if span["op"] in ("graphql.query", "graphql.mutation")}
    assert len(sent) == 2
    return f"{name} first: {len(films)} film{'s' * (len(films) > 1)}, Sentry: {' '.join(names)}"

async def main():
    print("; ".join([
        await show("mutation", MUTATION + FRAGMENT),
        await show("fragment", FRAGMENT + MUTATION),
        await show("comment", "# Adds a film.\n" + MUTATION + FRAGMENT)]))

asyncio.run(main())
END
)
expect "Two requests" "$seen" \
  "mutation first: 2 films, Sentry: mutation Add; fragment first: 1 film, Sentry: query Add; comment first: 1 film, Sentry: query Add"
