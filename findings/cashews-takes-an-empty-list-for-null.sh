#!/usr/bin/env bash
# Version: cashews 7.6.0 with Strawberry 0.341.2 on graphql-core 3.3.2.
#
# Behaviour: a function that loads heroes by their ids is cached by '@cache(ttl=...)', and a
# resolver passes it the argument 'ids', where null means all heroes and an empty list none. After
# the query for all, the one for none gets all of them; in the other order, the one for all gets
# none. The key is made of the arguments as texts: null, an empty list and an empty text have the
# same one.
#
# Seen: "null 3 heroes, then [] 3; [] 0 heroes, then null 0".
#
# Why it surprises: the decorator is given no key, and promises one that is made of all arguments.
# Python tells the three values apart, and so does GraphQL, where they are the three usual forms of
# a filter. Which response is kept depends on who asks first.
#
# Source: GraphQL specification, 2.9.5 "Null Value" and 2.9.7 "List Value"; cashews's README,
# "Template Keys"; cashews/formatter.py, _format_field and _decode_array.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages cashews==7.6.0 strawberry-graphql==0.341.2 graphql-core==3.3.2
cat >"$folder/heroes.py" <<'END'
import asyncio, json
import strawberry
from cashews import cache

cache.setup("mem://")
HEROES = ("1", "2", "3")

@cache(ttl="1h")
async def load(ids):
    return [id for id in HEROES if ids is None or id in ids]

@strawberry.type
class Query:
    @strawberry.field
    async def heroes(self, ids: list[strawberry.ID] | None) -> list[strawberry.ID]:
        return await load(ids)

schema = strawberry.Schema(Query)

async def count(ids):
    result = await schema.execute("query ($ids: [ID!]) { heroes(ids: $ids) }", {"ids": ids})
    assert not result.errors, result.errors
    return len(result.data["heroes"])

async def main():
    seen = []
    for first, second in ((None, []), ([], None)):
        await cache.clear()
        seen.append(f"{json.dumps(first)} {await count(first)} heroes, then {json.dumps(second)} {await count(second)}")
    print("; ".join(seen))

asyncio.run(main())
END
expect "seen" "$(python "$folder/heroes.py")" \
  "null 3 heroes, then [] 3; [] 0 heroes, then null 0"
