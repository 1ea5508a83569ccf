#!/usr/bin/env bash
# Version: orjson 3.13.0. Python's json, msgspec 0.23.0, simplejson 4.3.0, ujson 6.1.0,
# python-rapidjson 1.25 and pydantic-core 2.50.5 are the other ones.
#
# Behaviour: a custom scalar, BigInt, has the balance of an account as a JSON integer, in wei.
# orjson reads an integer that exceeds 64 bits as a float, without an error, so that two balances
# that differ are equal. It is the value that decides: 2^64 - 1 is an int and 2^64 a float, and
# likewise below -2^63. In a variable of the next request orjson writes the balance as 1e+21. The
# exact integer it refuses to write, with a TypeError. The six others read both balances exactly.
#
# Seen: "orjson: float, float, equal; sent back: {"account":1e+21}; exact: TypeError; 2^64 - 1 int,
# 2^64 float, -2^63 int, -2^63 - 1 float; json: int, int, differ", and the same for the other five.
#
# Why it surprises: Python's integers have no limit, and orjson takes the place of json in many
# clients. Its writer refuses what exceeds 64 bits, and one expects as much of the reader. Tests
# with small accounts see an int, and a cache finds no change where a large balance has changed.
#
# Source: RFC 8259, section 6; orjson's README, "int" ("orjson serializes and deserializes 64-bit
# integers by default", and nothing about reading larger ones).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages orjson==3.13.0 msgspec==0.23.0 simplejson==4.3.0 ujson==6.1.0 \
  python-rapidjson==1.25 pydantic-core==2.50.5
seen=$(python <<'END'
import json

import msgspec
import orjson
import pydantic_core
import rapidjson
import simplejson
import ujson

BALANCE = 10**21 + 1
body = json.dumps({"data": {"a": BALANCE, "b": BALANCE + 1}}).encode()

def read(loads):
    a, b = loads(body)["data"].values()
    return f"{type(a).__name__}, {type(b).__name__}, {'equal' if a == b else 'differ'}"

def write(value):
    try:
        return orjson.dumps({"account": value}).decode()
    except TypeError as error:
        return "TypeError" if isinstance(error, orjson.JSONEncodeError) else "another error"

others = {"json": json.loads, "msgspec": msgspec.json.decode, "simplejson": simplejson.loads,
          "ujson": ujson.loads, "rapidjson": rapidjson.loads, "pydantic-core": pydantic_core.from_json}
kinds = [f"{name} {type(orjson.loads(str(value))).__name__}" for name, value in (
    ("2^64 - 1", 2**64 - 1), ("2^64", 2**64), ("-2^63", -2**63), ("-2^63 - 1", -2**63 - 1))]
print("; ".join([f"orjson: {read(orjson.loads)}",
                 f"sent back: {write(orjson.loads(body)['data']['a'])}", f"exact: {write(BALANCE)}",
                 ", ".join(kinds), *(f"{name}: {read(loads)}" for name, loads in others.items())]))
END
)
expect Balances "$seen" \
  'orjson: float, float, equal; sent back: {"account":1e+21}; exact: TypeError; 2^64 - 1 int, 2^64 float, -2^63 int, -2^63 - 1 float; json: int, int, differ; msgspec: int, int, differ; simplejson: int, int, differ; ujson: int, int, differ; rapidjson: int, int, differ; pydantic-core: int, int, differ'
