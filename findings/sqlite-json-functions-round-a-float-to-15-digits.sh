#!/usr/bin/env bash
# Version: SQLite 3.51.0, as in the wheel of apsw 3.51.0.0.
#
# Behaviour: a number of a response is 0.30000000000000004. Stored as text it is kept, and
# json_extract returns all of it. Whatever goes through the value of a column, json_set,
# json_object or json_group_array with a REAL, writes 0.3. So does copying a field to another
# record. json_patch, which takes JSON and not a value, keeps the digits.
#
# Seen: "read: 0.30000000000000004; set: 0.3; object: 0.3; copied with json_extract: 0.3; copied
# with '->': 0.30000000000000004; patch: 0.30000000000000004; REAL column: the same number".
#
# Why it surprises: a REAL is eight bytes, and a column keeps it exactly. The text of a float has 15
# digits, and 17 are needed for each to come back. A coordinate or a price that is written through a
# function differs from the one that the server sent, in the last bits: a comparison reports a
# change where there is none, and a watcher of the record is notified after each response.
#
# Source: SQLite's documentation, "Floating Point Numbers" and "JSON Functions And Operators";
# src/json.c (jsonAppendSqlValue prints a float with 15 digits).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages apsw==3.51.0.0
seen=$(python <<'END'
import json
import apsw

connection = apsw.Connection(":memory:")
number = 0.1 + 0.2
record = json.dumps({"mass": number})

def value(expression):
    (result,), = connection.execute(f"select {expression}", {"number": number, "record": record})
    return json.loads(result)["mass"] if isinstance(result, str) else result

connection.execute("create table numbers(number real)")
connection.execute("insert into numbers values (?)", (number,))
(stored,), = connection.execute("select number from numbers")
results = {
    "read": "json_extract(:record, '$.mass')",
    "set": "json_set('{}', '$.mass', :number)",
    "object": "json_object('mass', :number)",
    "copied with json_extract": "json_set('{}', '$.mass', json_extract(:record, '$.mass'))",
    "copied with '->'": "json_set('{}', '$.mass', :record -> '$.mass')",
    "patch": "json_patch('{}', :record)",
}
print("; ".join(f"{name}: {value(expression)!r}" for name, expression in results.items()), end="; ")
print("REAL column:", "the same number" if stored == number else "another number")
END
)
expect "A float" "$seen" \
  "read: 0.30000000000000004; set: 0.3; object: 0.3; copied with json_extract: 0.3; copied with '->': 0.30000000000000004; patch: 0.30000000000000004; REAL column: the same number"
