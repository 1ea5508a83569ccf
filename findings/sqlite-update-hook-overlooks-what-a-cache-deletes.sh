#!/usr/bin/env bash
# Version: SQLite 3.51.0, as in the wheel of apsw 3.51.0.0.
#
# Behaviour: the update hook is called for inserted, updated and deleted rows, but not for all. Of
# REPLACE it reports the new row and not the one that is removed. 'DELETE FROM t' without a
# condition reports none of its rows, and with 'WHERE 1' each. A table that is WITHOUT ROWID reports
# nothing, whatever happens to it. An update that is rolled back has been reported.
#
# Seen: "REPLACE: insert; upsert: update; DELETE: nothing; DELETE WHERE 1: delete delete; without
# rowid: nothing; rolled back: update".
#
# Why it surprises: a cache has text keys, REPLACE and a statement that clears, so that it meets all
# of these. Watchers that rely on the hook show what has been cleared, and adding a condition that
# is always true, or 'ON CONFLICT' in place of REPLACE, repairs them.
#
# Source: SQLite's documentation, sqlite3_update_hook and "Clustered Indexes and the WITHOUT ROWID
# Optimization".
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages apsw==3.51.0.0
seen=$(python <<'END'
import apsw

connection = apsw.Connection(":memory:")
names = {
    apsw.SQLITE_INSERT: "insert", apsw.SQLITE_UPDATE: "update", apsw.SQLITE_DELETE: "delete"}
calls = []
connection.set_update_hook(lambda kind, database, table, row: calls.append(names[kind]))

def run(statements):
    calls.clear()
    list(connection.execute(statements))
    return " ".join(calls) or "nothing"

run("create table records (key text primary key, value)")
run("create table plain (key text primary key, value) without rowid")
fill = "replace into records values ('Hero:5', 1), ('Hero:6', 1)"
run(fill)
results = {
    "REPLACE": run("replace into records values ('Hero:5', 2)"),
    "upsert": run("insert into records values ('Hero:5', 3) on conflict do update set value = 3"),
    "DELETE": run("delete from records")}
assert list(connection.execute("select count(*) from records")) == [(0,)]
run(fill)
results["DELETE WHERE 1"] = run("delete from records where 1")
results["without rowid"] = run("insert into plain values ('Hero:5', 1); update plain set value = 2; delete from plain where 1")
run(fill)
results["rolled back"] = run("begin; update records set value = 9 where key = 'Hero:5'; rollback")
print("; ".join(f"{name}: {seen}" for name, seen in results.items()))
END
)
expect "What the hook reports" "$seen" \
  "REPLACE: insert; upsert: update; DELETE: nothing; DELETE WHERE 1: delete delete; without rowid: nothing; rolled back: update"
