#!/usr/bin/env bash
# Version: graphql-core 3.3.2; Strawberry 0.341.2 with Starlette 1.10.0 on uvicorn 0.54.0.
#
# Behaviour: graphql-core can execute without error propagation, which the draft on 'onError' asks
# for, but only for an operation with its own directive @experimental_disableErrorPropagation. The
# directive is not among those of a schema by default, so a server refuses it as unknown. The
# request parameter 'onError' is accepted by Strawberry and has no effect.
#
# Seen: "onError NULL: data null; directive: Unknown directive; directive in the schema: other field
# kept".
#
# Why it surprises: the executor has the ability and looks for nothing but the directive's name. A
# client that sends 'onError' gets 200 and a response like any other: nothing says that the
# parameter was not understood.
#
# Source: pull request 1236 of the GraphQL specification (onError); graphql/execution/executor.py,
# graphql/type/directives.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 \
  python-multipart==0.0.34
cat >"$folder/app.py" <<'END'
import strawberry
from strawberry.asgi import GraphQL

@strawberry.type
class Query:
    name: str = "Leia"

    @strawberry.field
    def height(self) -> int:
        raise ValueError("not measured")

app = GraphQL(strawberry.Schema(Query))
END
serve_app
seen=$(python - "$port" <<'END'
import json, sys, urllib.request
from graphql import GraphQLSchema, build_schema, graphql_sync, specified_directives
from graphql.type.directives import GraphQLDisableErrorPropagationDirective

def post(query, **members):
    body = json.dumps({"query": query, **members}).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{sys.argv[1]}/", body, {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))

directive = "query @experimental_disableErrorPropagation { name height }"
data = post("{ name height }", onError="NULL")["data"]
refusal = post(directive)["errors"][0]["message"]

class Root:
    name = "Leia"

    def height(self, info):
        raise ValueError("not measured")

built = build_schema("type Query { name: String! height: Int! }")
schema = GraphQLSchema(built.query_type, directives=[*specified_directives, GraphQLDisableErrorPropagationDirective])
kept = graphql_sync(schema, directive, Root()).data
print("onError NULL: data", data or "null", end="; ")
print("directive:", " ".join(refusal.split()[:2]), end="; ")
print("directive in the schema:", "other field kept" if kept == {"name": "Leia", "height": None} else kept)
END
)
expect "An error in a non-null field" "$seen" \
  "onError NULL: data null; directive: Unknown directive; directive in the schema: other field kept"
