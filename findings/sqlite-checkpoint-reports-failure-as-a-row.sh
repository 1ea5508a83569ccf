#!/usr/bin/env bash
# Version: SQLite 3.46.1, as in the wheel of apsw 3.46.1.0.
#
# Behaviour: while another connection reads, 'PRAGMA wal_checkpoint(TRUNCATE)' succeeds as a
# statement, and its one row begins with 1: nothing was truncated, and the WAL keeps its size.
# Without the reader the row begins with 0 and the file is empty.
#
# Seen: "with a reader: 1, WAL not empty; without: 0, WAL empty".
#
# Why it surprises: every other statement that is kept from its work by a lock fails with
# SQLITE_BUSY. A program that runs the pragma for its effect, as one does, has a WAL that grows
# without end and no error anywhere.
#
# Source: SQLite's documentation of PRAGMA wal_checkpoint ("The first column is usually 0 but will
# be 1 if a RESTART or FULL or TRUNCATE checkpoint was blocked").
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages apsw==3.46.1.0
seen=$(python - "$folder/data.db" <<'END'
import os, sys
import apsw

writer, reader = apsw.Connection(sys.argv[1]), apsw.Connection(sys.argv[1])
list(writer.execute("pragma journal_mode = wal"))
writer.execute("create table heroes (name)")
reader.execute("begin")
list(reader.execute("select * from heroes"))
writer.execute("insert into heroes values ('Leia')")
for _ in range(2):
    row = list(writer.execute("pragma wal_checkpoint(truncate)"))[0]
    print(row[0], "empty" if os.path.getsize(sys.argv[1] + "-wal") == 0 else "not empty", end="; ")
    reader.execute("commit")
    reader = apsw.Connection(sys.argv[1])
    reader.execute("begin")
END
)
expect "With a reader; without" "$seen" "1 not empty; 0 empty; "
