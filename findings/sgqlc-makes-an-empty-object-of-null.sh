#!/usr/bin/env bash
# Version: sgqlc 16.5.
#
# Behaviour: an object of the response that is null becomes an instance of its class without any
# field. It is false, but it is not None, in a list as well, so that a list of null and a hero has
# two heroes. Written as JSON again, it is an empty object. A field of it raises AttributeError only
# when it is read.
#
# Seen: "null is None: False; heroes that are not None: 2 of 2; as JSON: {"hero": {}, "heroes": [{},
# {"name": "Leia"}]}".
#
# Why it surprises: null is the response of a server for "no such hero", and 'is not None' is how
# Python asks. The generated class says what the server has not sent, the next line fails far from
# the cause, and a cache that keeps the JSON knows a hero without fields in place of none.
#
# Source: GraphQL specification, 3.12 and 7.1.1 (null is a value); sgqlc/types/__init__.py
# (ContainerType).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages sgqlc==16.5 graphql-core==3.2.14
seen=$(python <<'END'
import json
from sgqlc.operation import Operation
from sgqlc.types import Field, String, Type, list_of

class Hero(Type):
    name = Field(String)

class Query(Type):
    hero = Field(Hero)
    heroes = Field(list_of(Hero))

operation = Operation(Query)
operation.hero().name()
operation.heroes().name()
result = operation + {"data": {"hero": None, "heroes": [None, {"name": "Leia"}]}}
present = [hero for hero in result.heroes if hero is not None]
print(
    f"null is None: {result.hero is None}; heroes that are not None: {len(present)} of {len(result.heroes)}; "
    f"as JSON: {json.dumps(result.__to_json_value__())}")
END
)
expect "An object that is null" "$seen" \
  'null is None: False; heroes that are not None: 2 of 2; as JSON: {"hero": {}, "heroes": [{}, {"name": "Leia"}]}'
