#!/usr/bin/env bash
# Version: sse-starlette 3.7.0 with Starlette 1.10.0, graphql-core 3.3.2 and httpx 0.28.1.
#
# Behaviour: a server sends the results of a subscription with EventSourceResponse, each as the dict
# that graphql-core calls its formatted result. sse-starlette takes a dict for the parts of an
# event, and 'data' is one of these. So this key is gone, and what was below it is written as Python
# and not as JSON, in single quotes and with None for null. A result with 'errors' raises a
# TypeError, and the stream ends. A list, or a dict as the 'data' of an event, is written as Python,
# too. With 'json.dumps' around the result all is well.
#
# Seen: "dict: {'hero': {'name': 'Luke', 'height': None}}; dict, error: TypeError; event and data:
# {'data': {'hero': ...}}; list: [{'data': {'hero': ...}}]; JSON: {"data": {"hero": {"name": "Luke",
# "height": null}}}".
#
# Why it surprises: Starlette's JSONResponse and the frameworks above it make JSON of a dict, and
# the only key of a result happens to have the name of a part of an event. The response is accepted
# by each reader of events, looks nearly right, and lasts until a field has its first error.
#
# Source: sse_starlette/event.py, ensure_bytes (ServerSentEvent(**data)) and ServerSentEvent.encode
# (str(self.data)); GraphQL specification, 7.1 (data, errors).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages sse-starlette==3.7.0 starlette==1.10.0 graphql-core==3.3.2 httpx==0.28.1
cat >"$folder/results.py" <<'END'
import asyncio
import json

import httpx
from graphql import build_schema, parse, subscribe
from sse_starlette import EventSourceResponse

schema = build_schema("""
  type Query { version: Int }
  type Hero { name: String height: Float }
  type Subscription { hero: Hero }
""")
HERO = {"name": "Luke", "height": None}

async def results(resolved):
    async def source(*_):
        yield {"hero": resolved}

    schema.subscription_type.fields["hero"].subscribe = source
    async for result in subscribe(schema, parse("subscription { hero { name height } }")):
        yield result.formatted

async def received(resolved, form):
    ended = ""

    async def app(scope, receive, send):
        nonlocal ended
        events = (form(result) async for result in results(resolved))
        try:
            await EventSourceResponse(events)(scope, receive, send)
        except TypeError as error:
            ended = type(error).__name__
            await send({"type": "http.response.body", "body": b""})

    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        text = (await client.post("/")).text
    lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data")]
    return " ".join(lines) or ended or "no data"

async def main():
    cases = {
        "dict": (HERO, lambda result: result),
        "dict, error": ({"name": ["Luke"]}, lambda result: result),
        "event and data": (HERO, lambda result: {"event": "next", "data": result}),
        "list": (HERO, lambda result: [result]),
        "JSON": (HERO, json.dumps)}
    print("; ".join([f"{name}: {await received(*case)}" for name, case in cases.items()]))

asyncio.run(main())
END
expect Events "$(python "$folder/results.py")" \
  "dict: {'hero': {'name': 'Luke', 'height': None}}; dict, error: TypeError; event and data: {'data': {'hero': {'name': 'Luke', 'height': None}}}; list: [{'data': {'hero': {'name': 'Luke', 'height': None}}}]; JSON: {\"data\": {\"hero\": {\"name\": \"Luke\", \"height\": null}}}"
