#!/usr/bin/env bash
# Version: mygenx-fastql 1.0.0 (a server library with an executor of its own); graphql-core 3.3.2 is
# the other one.
#
# Behaviour: a subscription has the root field 'total: Int!', and the second of its three events is
# None, or its resolver's generator gives an object whose 'name: String!' is None. By the
# specification the null goes up to 'data'. FastQL stops one level too early: its event has
# '"total": null', or '"hero": null' for 'hero: Hero!', beside an error. For a query the same field
# makes null of 'data', and an object below a field that can be null is right in both.
#
# Seen: "FastQL: total {"total": null}, hero {"hero": null}, maybe {"maybe": null}, query null;
# graphql-core: total null, hero null, maybe {"maybe": null}, query null".
#
# Why it surprises: the rule is there for queries in the same executor, and the error has the right
# path. Event and query have one schema, so that a generated client has one type for the field, in
# which there is no null: it fails at the event, or, where it trusts the type, writes a null into
# its cache that a query could never have brought.
#
# Source: GraphQL specification, 6.2.3.2 (each event is executed like a query) and 6.4.4 ("Handling
# Execution Errors"); fastql/execution/execute.py, _execute_subscription_event (a null that goes up
# becomes the value of the root field).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages mygenx-fastql==1.0.0 graphql-core==3.3.2
seen=$(python <<'END'
import asyncio
import inspect
import json
from collections.abc import AsyncIterator

import fastql
import graphql

@fastql.Type
class Hero:
    name: str

@fastql.Query
class Query:
    @fastql.Field
    def total(self) -> int:
        return None

@fastql.Subscription
class Subscription:
    @fastql.Field
    async def total(self) -> AsyncIterator[int]:
        for value in (1, None, 3):
            yield value

    @fastql.Field
    async def hero(self) -> AsyncIterator[Hero]:
        for name in ("Leia", None, "Han"):
            yield Hero(name=name)

    @fastql.Field
    async def maybe(self) -> AsyncIterator[Hero | None]:
        for name in ("Leia", None, "Han"):
            yield Hero(name=name)

DOCUMENTS = ("subscription { total }", "subscription { hero { name } }", "subscription { maybe { name } }")

async def fast():
    schema = fastql.Schema(query=Query, subscription=Subscription)
    for document in DOCUMENTS:
        yield [event.formatted() async for event in await fastql.subscribe(schema, document)][1]
    yield (await fastql.execute(schema, "{ total }")).formatted()

async def core():
    schema = graphql.build_schema("""
        type Query { total: Int! }
        type Subscription { total: Int! hero: Hero! maybe: Hero }
        type Hero { name: String! }
    """)

    async def source(*_):
        for value in (1, None, 3):
            yield {"total": value, "hero": {"name": value}, "maybe": {"name": value}}

    for field in schema.subscription_type.fields.values():
        field.subscribe = source
    for document in DOCUMENTS:
        events = graphql.subscribe(schema, graphql.parse(document))
        yield [event.formatted async for event in (await events if inspect.isawaitable(events) else events)][1]
    yield graphql.graphql_sync(schema, "{ total }").formatted

async def main():
    for name, results in (("FastQL", fast()), ("graphql-core", core())):
        seen = []
        for what in ("total", "hero", "maybe", "query"):
            result = await anext(results)
            assert len(result["errors"]) == 1
            seen.append(f"{what} {json.dumps(result['data'])}")
        print(f"{name}: {', '.join(seen)}", end="; ")

asyncio.run(main())
END
)
expect "Data of the second event" "${seen%; }" \
  'FastQL: total {"total": null}, hero {"hero": null}, maybe {"maybe": null}, query null; graphql-core: total null, hero null, maybe {"maybe": null}, query null'
