#!/usr/bin/env bash
# Version: sgqlc 16.5; graphql-core 3.2.14 is the other one.
#
# Behaviour: an Int is what Python's int() makes of a value. The argument 5.7 is sent as 5, and a
# response with 5.7 in a field that is an Int is read as 5. A Float that is not a number is written
# as the name NaN, which is a value of an enum. A key that the input object does not have is
# dropped, while an unknown argument and an unknown value of an enum raise.
#
# Seen: "argument 5.7: hero(page: 5); response 5.7: 5; NaN: hero(mass: NaN); input: hero(by: {name:
# "Leia"}); argument: KeyError; enum: ValueError; graphql-core: Int cannot represent non-integer
# value: 5.7".
#
# Why it surprises: the specification refuses each of these on either side, so that a client that
# has types is expected to as well. A computed page or amount is off by one without an error, and a
# misspelled filter is no filter.
#
# Source: GraphQL specification, 3.5.1 (Int: result and input coercion), 3.5.2 and 3.10;
# sgqlc/types/__init__.py (Int, Float, ContainerType).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages sgqlc==16.5 graphql-core==3.2.14
seen=$(python <<'END'
from graphql import GraphQLError, GraphQLInt
from sgqlc.operation import Operation
from sgqlc.types import Arg, Enum, Field, Float, Input, Int, String, Type

class Side(Enum):
    __choices__ = ("LIGHT", "DARK")

class By(Input):
    name = Field(String)

class Query(Type):
    hero = Field(Int, args={"page": Arg(Int), "mass": Arg(Float), "by": Arg(By), "side": Arg(Side)})

def sent(**arguments):
    operation = Operation(Query)
    try:
        operation.hero(**arguments)
        return " ".join(str(operation).removeprefix("query {").removesuffix("}").split())
    except (KeyError, ValueError) as error:
        return type(error).__name__

operation = Operation(Query)
operation.hero()
print("argument 5.7:", sent(page=5.7), end="; ")
print("response 5.7:", (operation + {"data": {"hero": 5.7}}).hero, end="; ")
print("NaN:", sent(mass=float("nan")), end="; ")
print("input:", sent(by={"name": "Leia", "sied": "DARK"}), end="; ")
print("argument:", sent(pgae=5), end="; ")
print("enum:", sent(side="GRAY"), end="; ")
try:
    GraphQLInt.parse_value(5.7)
except GraphQLError as error:
    print("graphql-core:", error.message)
END
)
expect "Values" "$seen" \
  'argument 5.7: hero(page: 5); response 5.7: 5; NaN: hero(mass: NaN); input: hero(by: {name: "Leia"}); argument: KeyError; enum: ValueError; graphql-core: Int cannot represent non-integer value: 5.7'
