#!/usr/bin/env bash
# Version: SQLite 3.46.1, as in the wheel of apsw 3.46.1.0.
#
# Behaviour: two connections of one process to 'file:x?mode=memory&cache=shared'. While one has an
# open write transaction, the other one's SELECT fails at once with SQLITE_LOCKED (table is
# locked), although it has a busy timeout of five seconds. With a database in a file and WAL, the
# same SELECT succeeds.
#
# Seen: "shared memory: LockedError within a second; file with WAL: 1 row".
#
# Why it surprises: a database in memory is what tests use in place of the file, and it is the one
# with the stricter locks: per table, for readers too, and without the timeout and its handler.
#
# Source: SQLite's documentation, "Shared-Cache Mode" (table level locking), and
# sqlite3_busy_timeout (SQLITE_BUSY only).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages apsw==3.46.1.0
seen=$(python - "$folder/data.db" <<'END'
import sys, time
import apsw

flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
for name in ("file:x?mode=memory&cache=shared", f"file:{sys.argv[1]}"):
    writer, reader = apsw.Connection(name, flags), apsw.Connection(name, flags)
    reader.set_busy_timeout(5_000)
    list(writer.execute("pragma journal_mode = wal"))
    writer.execute("create table heroes (name); insert into heroes values ('Leia')")
    writer.execute("begin immediate; insert into heroes values ('Luke')")
    start = time.monotonic()
    try:
        print(len(list(reader.execute("select * from heroes"))), "row", end="; ")
    except apsw.Error as error:
        print(type(error).__name__, "at once" if time.monotonic() - start < 1 else "after the timeout", end="; ")
END
)
expect "Shared memory; file with WAL" "$seen" "LockedError at once; 1 row; "
