#!/usr/bin/env bash
# Version: sgqlc 16.5.
#
# Behaviour: its scalar DateTime takes the digits behind the point as a count of microseconds,
# however many they are: half a second (".5") becomes 5 microseconds, ".123" 123 microseconds. Nine
# digits, as servers in Go and Java write them, fail the whole response. Six digits are right.
#
# Seen: ".5Z: 5 us; .123Z: 123 us; .123456Z: 123456 us; .123456789Z: ValueError".
#
# Why it surprises: servers in Python write six digits or none, so tests pass. Times of a server in
# JavaScript (three digits) are read without an error and wrong by almost a second, and two of them
# may change their order.
#
# Source: RFC 3339, 5.6 (time-secfrac is a fraction); sgqlc/types/datetime.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages sgqlc==16.5 graphql-core==3.2.14
seen=$(python <<'END'
from sgqlc.operation import Operation
from sgqlc.types import Field, Type
from sgqlc.types.datetime import DateTime

class Query(Type):
    saved = Field(DateTime)

operation = Operation(Query)
operation.saved()
results = []
for fraction in (".5Z", ".123Z", ".123456Z", ".123456789Z"):
    try:
        saved = (operation + {"data": {"saved": f"2026-01-01T00:00:00{fraction}"}}).saved
        results.append(f"{fraction}: {saved.microsecond} us")
    except ValueError as error:
        results.append(f"{fraction}: {type(error).__name__}")
print("; ".join(results))
END
)
expect "Fractions of a second" "$seen" ".5Z: 5 us; .123Z: 123 us; .123456Z: 123456 us; .123456789Z: ValueError"
