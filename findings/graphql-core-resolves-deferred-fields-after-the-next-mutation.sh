#!/usr/bin/env bash
# Version: graphql-core 3.3.2, experimental_execute_incrementally.
#
# Behaviour: a document has two mutations, 'a' and 'b', each of which adds an item to a cart, and a
# fragment of 'a' is deferred. The fields of this fragment are resolved when 'b' has been carried
# out, so that the cart of 'a' has one item by 'count', and two by the deferred 'total'. With
# 'enable_early_execution=True' it is the same. With '@defer(if: false)' both are one. Validation
# has no objection: only deferring the root fields of a mutation is refused.
#
# Seen: "if true: a.count 1, a.total 2, b.count 2; early: a.count 1, a.total 2, b.count 2; if false:
# a.count 1, a.total 1, b.count 2; deferred root: 1 error".
#
# Why it surprises: the fields of a mutation are executed one after another, which is the promise
# that a client builds on when it sends two. What is deferred is not part of that order. The client
# merges both parts into one object, which the server had at no time, and its cache keeps it.
#
# Source: GraphQL specification, 6.2.2 (mutation: serial execution) and the draft on incremental
# delivery; graphql-core's graphql/execution/incremental (deferred groups run after the initial
# result).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages graphql-core==3.3.2
seen=$(python <<'END'
import asyncio, inspect
from graphql import build_schema, parse, validate
from graphql.execution import experimental_execute_incrementally

schema = build_schema("""
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  type Query { cart: Cart }
  type Cart { count: Int, total: Int }
  type Mutation { add: Cart }
""")
document = parse("""
  mutation ($deferred: Boolean!) {
    a: add { count ... @defer(if: $deferred) { total } }
    b: add { count }
  }
""")

class Root:
    items = 0

    def add(self, info):
        self.items += 1
        return {"count": lambda info: self.items, "total": lambda info: self.items}

async def run(deferred, early=False):
    result = experimental_execute_incrementally(
        schema, document, Root(), variable_values={"deferred": deferred}, enable_early_execution=early)
    if inspect.isawaitable(result):
        result = await result
    if not deferred:
        data = result.data
    else:
        data = result.initial_result.data
        async for part in result.subsequent_results:
            for increment in part.incremental or ():
                data["a"].update(increment.data)
    return f"a.count {data['a']['count']}, a.total {data['a']['total']}, b.count {data['b']['count']}"

async def main():
    assert not validate(schema, document)
    root = validate(schema, parse("mutation { ... @defer { add { count } } }"))
    print(
        f"if true: {await run(True)}; early: {await run(True, early=True)}; if false: {await run(False)}; "
        f"deferred root: {len(root)} error")

asyncio.run(main())
END
)
expect "Two mutations" "$seen" \
  "if true: a.count 1, a.total 2, b.count 2; early: a.count 1, a.total 2, b.count 2; if false: a.count 1, a.total 1, b.count 2; deferred root: 1 error"
