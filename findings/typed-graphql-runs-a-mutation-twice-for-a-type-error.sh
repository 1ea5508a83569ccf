#!/usr/bin/env bash
# Version: typed-graphql 0.55 with graphql-core 3.2.14.
#
# Behaviour: a mutation books a seat, and its resolver then fails. If it is a method with the
# library's '@resolver' and raises an AttributeError or a TypeError, as a None where an object was
# expected makes them, it is run a second time: two seats are booked, and the response has the error
# of the second run. If it is a method of the name 'resolve_book' and raises an AttributeError, the
# response is null without an error, and the seat is booked. A ValueError is an error of the field
# after one run in both, and so is each of them with '@staticresolver'.
#
# Seen: "resolver: AttributeError booked 2, 1 error; TypeError booked 2, 1 error; ValueError booked
# 1, 1 error; resolve_: AttributeError booked 1, 0 errors; TypeError booked 1, 1 error; ValueError
# booked 1, 1 error; staticresolver: AttributeError booked 1, 1 error; TypeError booked 1, 1 error;
# ValueError booked 1, 1 error".
#
# Why it surprises: three ways to write a resolver differ in nothing but their form. The two errors
# are what a missing row looks like in Python, and the library takes them for a sign that there is
# no such resolver, and seeks another one, which is the same. A null without an error says to a
# client that the server has nothing to report, and it keeps it. A query that is run twice shows
# only as load.
#
# Source: GraphQL specification, 6.4.4 (an error that a resolver raises is an execution error);
# typed_graphql/core.py, TypedGraphqlMiddlewareManager.get_field_resolver (the call is within the
# 'try' of the lookup).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages typed-graphql==0.55 graphql-core==3.2.14
seen=$(python <<'END'
import asyncio
from typing import Optional

from graphql import GraphQLSchema
from typed_graphql import execute_async, graphql_type
from typed_graphql.core import resolver, staticresolver

booked = []

class Query:
    @staticresolver
    def ping(data, info) -> str:
        return "pong"

def book(kind: str) -> str:
    booked.append(kind)
    if kind == "AttributeError":
        return None.name
    if kind == "TypeError":
        return len(None)
    raise ValueError("sold out")

class Plain:
    @resolver
    def book(self, info, kind: str) -> Optional[str]:
        return book(kind)

class Named:
    def resolve_book(self, info, kind: str) -> Optional[str]:
        return book(kind)

class Static:
    @staticresolver
    def book(data, info, kind: str) -> Optional[str]:
        return book(kind)

async def main():
    for name, mutation in (("resolver", Plain), ("resolve_", Named), ("staticresolver", Static)):
        schema, ends = GraphQLSchema(graphql_type(Query), graphql_type(mutation)), []
        for kind in ("AttributeError", "TypeError", "ValueError"):
            booked.clear()
            result = await execute_async(schema, f'mutation {{ book(kind: "{kind}") }}', mutation())
            assert result.data == {"book": None}
            errors = len(result.errors or [])
            ends.append(f"{kind} booked {len(booked)}, {errors} error{'' if errors == 1 else 's'}")
        print(f"{name}: {'; '.join(ends)}", end="; ")

asyncio.run(main())
END
)
expect "A mutation that fails" "${seen%; }" \
  "resolver: AttributeError booked 2, 1 error; TypeError booked 2, 1 error; ValueError booked 1, 1 error; resolve_: AttributeError booked 1, 0 errors; TypeError booked 1, 1 error; ValueError booked 1, 1 error; staticresolver: AttributeError booked 1, 1 error; TypeError booked 1, 1 error; ValueError booked 1, 1 error"
