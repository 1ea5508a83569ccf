#!/usr/bin/env bash
# Version: SQLite 3.46.1, as in the wheel of apsw 3.46.1.0, with a database in WAL mode.
#
# Behaviour: 'PRAGMA data_version' tells a connection whether others have committed. It changes when
# another connection truncates the log by a checkpoint, or sets 'user_version', although no row has
# changed. It does not change when another connection writes a row again that has the same contents:
# nothing is committed then, and the log gets no frame.
#
# Seen: "other row: changed, log grows; equal row: same, log stays; passive checkpoint: same;
# truncating checkpoint: changed; user_version: changed".
#
# Why it surprises: a cache that drops what it has in memory when the number changes drops
# everything after each checkpoint of its neighbour. And one that writes a row again, to tell the
# others that it is still current, tells them nothing.
#
# Source: SQLite's documentation of PRAGMA data_version ("indication that the database file has been
# modified"); btree.c compares the contents of a row of equal size before it marks the page as
# changed.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages apsw==3.46.1.0
seen=$(python - "$folder/data.db" <<'END'
import os, sys
import apsw

writer, reader = apsw.Connection(sys.argv[1]), apsw.Connection(sys.argv[1])
list(writer.execute("pragma journal_mode = wal"))
writer.execute("create table heroes (id text primary key, name text)")
writer.execute("insert into heroes values ('1', 'Leia')")

def version():
    return list(reader.execute("pragma data_version"))[0][0]

def run(name, statement, showsLog=False):
    list(reader.execute("select * from heroes"))
    before, size = version(), os.path.getsize(sys.argv[1] + "-wal")
    list(writer.execute(statement))
    seen = "changed" if version() != before else "same"
    if showsLog:
        grows = os.path.getsize(sys.argv[1] + "-wal") > size
        seen += ", log grows" if grows else ", log stays"
    return f"{name}: {seen}"

upsert = "insert into heroes values ('1', '{}') on conflict do update set name = excluded.name"
print("; ".join([
    run("other row", upsert.format("Luke"), showsLog=True),
    run("equal row", upsert.format("Luke"), showsLog=True),
    run("passive checkpoint", "pragma wal_checkpoint(passive)"),
    run("truncating checkpoint", "pragma wal_checkpoint(truncate)"),
    run("user_version", "pragma user_version = 1")]))
END
)
expect "data_version" "$seen" \
  "other row: changed, log grows; equal row: same, log stays; passive checkpoint: same; truncating checkpoint: changed; user_version: changed"
