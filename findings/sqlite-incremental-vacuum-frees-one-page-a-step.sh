#!/usr/bin/env bash
# Version: SQLite 3.51.0, as in the wheel of apsw 3.51.0.0, and Python's module sqlite3 with its own
# SQLite.
#
# Behaviour: a database with 'auto_vacuum = INCREMENTAL' has 2000 free pages, and 'PRAGMA
# incremental_vacuum(500)' is to free 500 of them. Each step of the statement frees one page and
# reports a row that has no columns, so that the statement has to be stepped 500 times. A caller
# that executes it as other statements, with one step, frees one page, without an error. Python's
# 'execute' takes one step, its 'executescript' all.
#
# Seen: "one step: 1 page; all steps: 500 pages, rows without columns; sqlite3, execute: 1 page,
# fetchall: nothing more; executescript: 500 pages".
#
# Why it surprises: pragmas that set something act in their first step, and sqlite3_exec, with which
# one tries it in the shell, steps to the end. A cache that frees some pages after each eviction
# then frees one, so that its file grows for ever, while the pragma reports success. Fetching the
# rows with Python's module does not help, for it takes a statement without columns as finished.
#
# Source: SQLite's documentation, "PRAGMA incremental_vacuum", and src/pragma.c (a loop with a row
# for each page); Python's documentation, sqlite3.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages apsw==3.51.0.0
seen=$(python - "$folder" <<'END'
import sqlite3, sys
import apsw

folder = sys.argv[1]
rows = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) select zeroblob(4000) from n"

def prepare(connection):
    for statement in (
        "pragma auto_vacuum = incremental", "create table records(record)",
        f"insert into records {rows}", "delete from records"):
        connection.execute(statement)

def freed(connection, work):
    def free():
        return connection.execute("pragma freelist_count").fetchone()[0]
    before = free()
    result = work("pragma incremental_vacuum(500)")
    pages = before - free()
    return f"{pages} page{'s' if pages > 1 else ''}", result

connection = apsw.Connection(f"{folder}/apsw.db")
prepare(connection)

def one_step(statement):
    cursor = connection.cursor()
    cursor.execute(statement)
    cursor.close(True)

one, _ = freed(connection, one_step)
every, steps = freed(connection, lambda statement: connection.execute(statement).fetchall())
columns = "without columns" if set(steps) == {()} else "with columns"

connection = sqlite3.connect(f"{folder}/python.db", isolation_level=None)
prepare(connection)
executed, fetched = freed(connection, lambda statement: connection.execute(statement).fetchall())
script, _ = freed(connection, connection.executescript)
print(
    f"one step: {one}; all steps: {every}, rows {columns}; sqlite3, execute: {executed}, "
    f"fetchall: {fetched or 'nothing more'}; executescript: {script}")
END
)
expect "Freed" "$seen" \
  "one step: 1 page; all steps: 500 pages, rows without columns; sqlite3, execute: 1 page, fetchall: nothing more; executescript: 500 pages"
