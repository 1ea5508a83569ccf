"""The heroes of the tests, served by graphql-core alone. It delivers deferred data in the format of
2022, which routers send and the other servers do not.

    python core_heroes.py [port]
"""

from __future__ import annotations

import asyncio
import inspect
import json
import sys

from graphql import build_schema, parse, validate
from graphql.execution import (
    ExperimentalIncrementalExecutionResults,
    experimental_execute_incrementally,
)
from starlette.applications import Starlette
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

from serving import serve

schema = build_schema("""
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  directive @stream(if: Boolean! = true, label: String, initialCount: Int = 0) on FIELD
  type Hero { id: ID! name: String! friends: [Hero!] }
  type Query { hero(name: String): Hero }
""")


class Hero:
    def __init__(self, id, name):
        self.id, self.name = id, name

    async def friends(self, info):
        await asyncio.sleep(0)
        return [Hero("2", "Luke"), Hero("3", "Leia")]


class Root:
    def hero(self, info, name=None):
        return Hero("1", name or "R2-D2")


def part(result) -> str:
    text = json.dumps(result.formatted)
    return f"\r\n--graphql\r\ncontent-type: application/json\r\n\r\n{text}"


async def respond(request):
    body = await request.json()
    document = parse(body["query"])
    errors = validate(schema, document)
    if errors:
        return JSONResponse({"errors": [error.formatted for error in errors]}, 400)
    result = experimental_execute_incrementally(
        schema, document, Root(), variable_values=body.get("variables"))
    if inspect.isawaitable(result):
        result = await result
    if not isinstance(result, ExperimentalIncrementalExecutionResults):
        return JSONResponse(result.formatted)

    async def parts():
        yield part(result.initial_result)
        async for subsequent in result.subsequent_results:
            yield part(subsequent)
        yield "\r\n--graphql--\r\n"

    return StreamingResponse(
        parts(), headers={"content-type": 'multipart/mixed;boundary="graphql";deferSpec=20220824'})


if __name__ == "__main__":
    serve(
        Starlette(routes=[Route("/graphql", respond, methods=["POST"])]),
        int(sys.argv[1]) if len(sys.argv) > 1 else 0,
    )
