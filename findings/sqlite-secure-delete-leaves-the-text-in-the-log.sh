#!/usr/bin/env bash
# Version: SQLite 3.46.1, as in the wheel of apsw 3.46.1.0.
#
# Behaviour: with 'PRAGMA secure_delete = ON' and WAL, a deleted row is overwritten in the pages
# that the deletion writes, but the log keeps the former image of the page. A checkpoint in the mode
# FULL, or RESTART, copies the new pages into the database and leaves the bytes of the log as they
# are. Only TRUNCATE removes them, or closing the last connection.
#
# Seen: "after delete: log; after FULL: log; after RESTART: log; after TRUNCATE: nowhere".
#
# Why it surprises: the option promises that deleted content is overwritten with zeros, the database
# file holds no trace, and a check that looks only there passes. A copy of the folder holds it.
#
# Source: SQLite's documentation, "PRAGMA secure_delete", "PRAGMA wal_checkpoint" and "Write-Ahead
# Logging".
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages apsw==3.46.1.0
seen=$(python - "$folder/data.db" <<'END'
import pathlib, sys
import apsw

path = sys.argv[1]
connection = apsw.Connection(path)

def run(statements):
    list(connection.execute(statements))

def places():
    files = {"database": path, "log": f"{path}-wal"}
    return [name for name, file in files.items() if b"secret of Leia" in pathlib.Path(file).read_bytes()] or ["nowhere"]

run("pragma journal_mode = wal; pragma secure_delete = on; create table heroes (text)")
run("insert into heroes values ('secret of Leia')")
run("delete from heroes")
results = [f"after delete: {' and '.join(places())}"]
for mode in ("FULL", "RESTART", "TRUNCATE"):
    run(f"pragma wal_checkpoint({mode})")
    results.append(f"after {mode}: {' and '.join(places())}")
print("; ".join(results))
END
)
expect "Where the deleted text is" "$seen" \
  "after delete: log; after FULL: log; after RESTART: log; after TRUNCATE: nowhere"
