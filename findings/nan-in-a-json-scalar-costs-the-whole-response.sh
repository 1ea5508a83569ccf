#!/usr/bin/env bash
# Version: Strawberry 0.341.2 and Ariadne 1.1.1 on graphql-core 3.3.2, with Starlette 1.10.0. The
# readers are httpx 0.28.1, which uses Python's own json, and orjson 3.13.0.
#
# Behaviour: the mean of no values is NaN. In a field of type Float it is null with an error, and
# the rest of the response arrives. Within a custom scalar, the type JSON, it is not checked before
# the response is written. Strawberry writes the name NaN, with status 200 and application/json:
# Python reads the response, and a parser of JSON, in the browser or on a phone, refuses the whole
# of it. Ariadne has status 500 without a body. A request with NaN in its variables, which a client
# in Python sends without a word, is accepted by both.
#
# Seen: "Strawberry: Float 200 read, error at mean; JSON 200 refused, Python reads {'mean': nan};
# variable nan; Ariadne: Float 200 read, error at mean; JSON 500 empty; variable nan".
#
# Why it surprises: an error of a field is to cost that field. The library refuses this very value
# elsewhere, so that the case seems to be covered. Tests and clients of the same language agree with
# the server about a document that is no JSON, and a cache or a proxy has a response with 200.
#
# Source: RFC 8259, section 6 (no NaN); Python's documentation, json (allow_nan); GraphQL
# specification, 3.5.2 (Float) and 6.4.4; strawberry/http/base.py, encode_json; Starlette's
# JSONResponse.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 ariadne==1.1.1 graphql-core==3.3.2 starlette==1.10.0 \
  httpx==0.28.1 orjson==3.13.0
cat >"$folder/means.py" <<'END'
import asyncio
import sys

import httpx
import orjson

NAN = float("nan")

def strawberry_app():
    import strawberry
    from strawberry.asgi import GraphQL
    from strawberry.scalars import JSON

    @strawberry.type
    class Query:
        @strawberry.field
        def mean(self) -> float | None:
            return NAN

        @strawberry.field
        def statistics(self) -> JSON | None:
            return {"mean": NAN}

        @strawberry.field
        def same(self, value: JSON) -> str:
            return str(value["mean"])

    return GraphQL(strawberry.Schema(Query))

def ariadne_app():
    from ariadne import QueryType, make_executable_schema
    from ariadne.asgi import GraphQL

    query = QueryType()
    query.set_field("mean", lambda *_: NAN)
    query.set_field("statistics", lambda *_: {"mean": NAN})
    query.set_field("same", lambda *_, value: str(value["mean"]))
    types = "scalar JSON type Query { mean: Float statistics: JSON same(value: JSON!): String }"
    return GraphQL(make_executable_schema(types, query))

def read(response):
    if not response.content:
        return "empty"
    try:
        errors = orjson.loads(response.content).get("errors", [])
        return f"read, error at {' '.join(*(error['path'] for error in errors))}"
    except orjson.JSONDecodeError:
        assert response.headers["content-type"] == "application/json"
        return f"refused, Python reads {response.json()['data']['statistics']}"

async def main(app):
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        seen = []
        for name, document in (("Float", "{ mean }"), ("JSON", "{ statistics }")):
            response = await client.post("/", json={"query": document})
            seen.append(f"{name} {response.status_code} {read(response)}")
        document = "query($value: JSON!) { same(value: $value) }"
        body = f'{{"query": "{document}", "variables": {{"value": {{"mean": NaN}}}}}}'
        headers = {"Content-Type": "application/json"}
        response = await client.post("/", content=body, headers=headers)
        seen.append(f"variable {orjson.loads(response.content)['data']['same']}")
    print("; ".join(seen))

asyncio.run(main({"Strawberry": strawberry_app, "Ariadne": ariadne_app}[sys.argv[1]]()))
END
seen() { python "$folder/means.py" "$1" 2>/dev/null; }
expect Strawberry "$(seen Strawberry)" \
  "Float 200 read, error at mean; JSON 200 refused, Python reads {'mean': nan}; variable nan"
expect Ariadne "$(seen Ariadne)" "Float 200 read, error at mean; JSON 500 empty; variable nan"
