#!/usr/bin/env bash
# Version: SQLite 3.51.0, as in the wheel of apsw 3.51.0.0 (Debian 12's 3.40.1 is alike).
#
# Behaviour: a table for objects has columns of the types ID and JSON, as the schema names them.
# SQLite takes any name for a type, and derives an affinity from letters in it: CHAR, TEXT and CLOB
# mean text, INT an integer, and what has none of its words means numbers. A text that reads as a
# number is stored as one. So the ids "007" and "7" are one key, and so are "1e3" and "1000", and
# two of 23 digits that differ in the last one. The JSON text 1.0 becomes 1. STRING is no word for
# text, either; TEXT keeps all. A quoted literal in a condition is converted in the same way.
#
# Seen: "ID: 007 as 7 (integer), 1e3 as 1000 (integer), 23 digits as 1.23456789012346e+22 (real),
# 5f as 5f (text); inserted 3 of 6; found by '7': yes; STRING: inserted 3 of 6; JSON: 1.0 as 1
# (integer); TEXT: inserted 6 of 6".
#
# Why it surprises: the ids are bound as texts, a UUID or "Hero:5" stays one, and the table takes
# them without an error. An id is opaque by the specification, and those of a test rarely have a
# leading zero or an 'e' between digits, as hexadecimal ones do. The object that comes second
# replaces another one, or is left out.
#
# Source: SQLite's documentation, "Datatypes In SQLite", 3.1 (determination of column affinity);
# GraphQL specification, 3.5.5 (an ID is serialized as a text).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages apsw==3.51.0.0
cat >"$folder/ids.py" <<'END'
import apsw

ids = ["007", "7", "1e3", "1000", "12345678901234567890123", "12345678901234567890124"]

def table(kind):
    connection = apsw.Connection(":memory:")
    connection.execute(f"CREATE TABLE object (id {kind} PRIMARY KEY, name TEXT)")
    return connection

def insert(connection, texts):
    for text in texts:
        connection.execute("INSERT OR IGNORE INTO object VALUES (?, 'a')", (text,))
    return connection.execute("SELECT count(*) FROM object").fetchone()[0]

def stored(kind, text):
    connection = table(kind)
    insert(connection, [text])
    return "%s as %s (%s)" % (text if len(text) < 9 else f"{len(text)} digits", *connection.execute(
        "SELECT CAST(id AS TEXT), typeof(id) FROM object").fetchone())

print(", ".join(stored("ID", text) for text in ("007", "1e3", ids[4], "5f")))
connection = table("ID")
insert(connection, ["007"])
found = connection.execute("SELECT count(*) FROM object WHERE id = '7'").fetchone()[0]
print("yes" if found else "no")
for kind in ("ID", "STRING", "TEXT"):
    print(f"{insert(table(kind), ids)} of {len(ids)}")
print(stored("JSON", "1.0"))
END
python "$folder/ids.py" >"$folder/seen"
expect_lines \
  "ID" "007 as 7 (integer), 1e3 as 1000 (integer), 23 digits as 1.23456789012346e+22 (real), 5f as 5f (text)" \
  "found by '7'" "yes" \
  "ID, inserted" "3 of 6" \
  "STRING, inserted" "3 of 6" \
  "TEXT, inserted" "6 of 6" \
  "JSON" "1.0 as 1 (integer)"
