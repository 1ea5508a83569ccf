#!/usr/bin/env bash
# Version: ariadne-codegen 0.19.0 with pydantic 2.14.4 and websockets 17.4; the servers are
# Strawberry 0.341.2 on graphql-core 3.3.2 and Ariadne 1.1.1 on graphql-core 3.2.14, with Starlette
# 1.10.0 and uvicorn 0.54.0.
#
# Behaviour: a subscription has three events, and the resolver of a field fails for the second one.
# Where the field can be null, the generated client delivers the second event with null, without its
# error. Where it cannot be null, Strawberry sends '"data": null' and the errors, and the client
# leaves the event out: it delivers two. Ariadne sends the errors without 'data', and the client,
# which is of the same makers, ends the subscription with "Invalid message format". A query with
# either field raises, with the error's message, or with Ariadne's status 400.
#
# Seen: "Strawberry: score, Int: 1 None 3; total, Int!: 1 3; query of score: no score for 2; query
# of total: no score for 2; Ariadne: score, Int: 1 None 3; total, Int!: 1 Invalid message format.;
# query of score: no score for 2; query of total: HTTP status code: 400".
#
# Why it surprises: the client raises for the errors of a query, so that a caller has no reason to
# look for those of an event, and it has no place for them. A counter that is one event behind, and
# a null that the server has explained, look like what the server meant. The protocol's message
# 'error', for which the client does raise, is for documents that are not executed.
#
# Source: graphql-transport-ws' text, "Next" (an execution result) and "Error"; GraphQL
# specification, 7.1; ariadne_codegen/client_generators/dependencies/async_base_client.py,
# execute_ws, _handle_ws_message, get_data; ariadne/asgi/handlers/graphql_transport_ws.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# The two libraries need different versions of graphql-core.
python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 \
  websockets==17.4
mv "$folder/venv" "$folder/strawberry"
python_packages ariadne-codegen==0.19.0 ariadne==1.1.1 graphql-core==3.2.14 starlette==1.10.0 \
  uvicorn==0.54.0 websockets==17.4 pydantic==2.14.4 httpx==0.28.1
cd "$folder"
cat >game.py <<'END'
def score(round):
    if round == 2:
        raise ValueError("no score for 2")
    return round

async def rounds():
    for round in (1, 2, 3):
        yield round
END
cat >schema.graphql <<'END'
type Game { score: Int total: Int! }
type Query { game: Game! }
type Subscription { game: Game! }
END
cat >operations.graphql <<'END'
subscription Scores { game { score } }
subscription Totals { game { total } }
query Score { game { score } }
query Total { game { total } }
END
cat >pyproject.toml <<'END'
[tool.ariadne-codegen]
schema_path = "schema.graphql"
queries_path = "operations.graphql"
END
ariadne-codegen >/dev/null
cat >client.py <<'END'
import asyncio
import sys

from graphql_client import Client
from graphql_client.exceptions import GraphQLClientError

async def values(events, field):
    seen = []
    try:
        async for event in events:
            seen.append(str(getattr(event.game, field)))
    except GraphQLClientError as error:
        seen.append(str(error))
    return " ".join(seen)

async def error_of(query):
    try:
        await query
    except GraphQLClientError as error:
        return error

async def main():
    address = f"127.0.0.1:{sys.argv[1]}"
    client = Client(url=f"http://{address}", ws_url=f"ws://{address}")
    print(
        f"score, Int: {await values(client.scores(), 'score')};"
        f" total, Int!: {await values(client.totals(), 'total')};"
        f" query of score: {await error_of(client.score())};"
        f" query of total: {await error_of(client.total())}")

asyncio.run(main())
END

cat >app.py <<'END'
from collections.abc import AsyncGenerator

import strawberry
from game import rounds, score
from strawberry.asgi import GraphQL

@strawberry.type
class Game:
    round: strawberry.Private[int]

    @strawberry.field
    def score(self) -> int | None:
        return score(self.round)

    @strawberry.field
    def total(self) -> int:
        return score(self.round)

@strawberry.type
class Query:
    @strawberry.field
    def game(self) -> Game:
        return Game(round=2)

@strawberry.type
class Subscription:
    @strawberry.subscription
    async def game(self) -> AsyncGenerator[Game, None]:
        async for round in rounds():
            yield Game(round=round)

app = GraphQL(strawberry.Schema(Query, subscription=Subscription))
END
PATH=$folder/strawberry/bin:$PATH serve_app
expect Strawberry "$(python client.py "$port" 2>client.log)" \
  "score, Int: 1 None 3; total, Int!: 1 3; query of score: no score for 2; query of total: no score for 2"

cat >app.py <<'END'
from ariadne import ObjectType, QueryType, SubscriptionType, make_executable_schema
from ariadne.asgi import GraphQL
from ariadne.asgi.handlers import GraphQLTransportWSHandler
from game import rounds, score

game, query, subscription = ObjectType("Game"), QueryType(), SubscriptionType()
game.set_field("score", lambda round, _: score(round))
game.set_field("total", lambda round, _: score(round))
query.set_field("game", lambda *_: 2)
subscription.set_field("game", lambda round, _: round)
subscription.set_source("game", lambda *_: rounds())
schema = make_executable_schema(open("schema.graphql").read(), game, query, subscription)
app = GraphQL(schema, websocket_handler=GraphQLTransportWSHandler())
END
serve_app
expect Ariadne "$(python client.py "$port" 2>client.log)" \
  "score, Int: 1 None 3; total, Int!: 1 Invalid message format.; query of score: no score for 2; query of total: HTTP status code: 400"
