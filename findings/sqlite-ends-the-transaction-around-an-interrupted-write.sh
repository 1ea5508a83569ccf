#!/usr/bin/env bash
# Version: SQLite 3.51.0, as in the wheel of apsw 3.51.0.0.
#
# Behaviour: a transaction inserts row 1, a second statement fails, then row 3 is inserted, and
# COMMIT. Where the second one breaks a constraint, or is an interrupted SELECT, the rows 1 and 3
# are there. Where it is an interrupted INSERT, or one for which the database has no page left
# ('max_page_count'), SQLite rolls the whole transaction back: row 3 is committed by itself, row 1
# is gone, and COMMIT fails with "no transaction is active". A savepoint around the statement is
# gone as well, so that there is nothing to roll back to.
#
# Seen: "constraint: rows 1 3, COMMIT ok; SELECT interrupted: rows 1 3, COMMIT ok; INSERT
# interrupted: rows 3, COMMIT refused; full: rows 3, COMMIT refused; INSERT interrupted in a
# savepoint: rows 3, no such savepoint".
#
# Why it surprises: errors of a statement undo the statement, and a caller that skips what fails, or
# a savepoint, is built on it. A cache that interrupts the work of a cancelled task, or has an upper
# limit for its file, meets the other kind. The error speaks of the statement, and what the program
# does next is no longer in the transaction that it began.
#
# Source: SQLite's documentation, "sqlite3_interrupt" and "Transaction" (response to errors within a
# transaction: SQLITE_FULL, IOERR, NOMEM, INTERRUPT); sqlite3_get_autocommit tells.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages apsw==3.51.0.0
seen=$(python - "$folder" <<'END'
import sys

import apsw

numbers = "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"

# Runs a script in which the statement between the rows 1 and 3 may fail.
def rows(name, statement, interrupted=False, limited=False, savepoint=False):
    database = apsw.Connection(f"{sys.argv[1]}/{name}.db")
    database.execute("PRAGMA journal_mode = WAL; CREATE TABLE record(id INTEGER PRIMARY KEY, value)").fetchall()
    if limited:
        database.execute("PRAGMA max_page_count = 10").fetchall()
    database.execute("BEGIN; INSERT INTO record VALUES (1, 'Leia')")
    if savepoint:
        database.execute("SAVEPOINT s")
    if interrupted:
        database.set_progress_handler(lambda: True, 1000)
    try:
        database.execute(statement).fetchall()
        raise SystemExit(f"{name} succeeds")
    except apsw.Error:
        pass
    database.set_progress_handler(None)
    end = "COMMIT ok"
    if savepoint:
        try:
            database.execute("ROLLBACK TO s")
        except apsw.SQLError as error:
            end = str(error).split(":")[0]
    database.execute("INSERT INTO record VALUES (3, 'Luke')")
    try:
        database.execute("COMMIT")
    except apsw.SQLError:
        end = end if savepoint else "COMMIT refused"
    database.close()
    database = apsw.Connection(f"{sys.argv[1]}/{name}.db")
    ids = " ".join(str(row[0]) for row in database.execute("SELECT id FROM record WHERE id < 10"))
    return f"{name}: rows {ids}, {end}"

many = f"INSERT INTO record {numbers} SELECT i, 'film' FROM n"
print("; ".join((
    rows("constraint", "INSERT INTO record VALUES (1, 'Han')"),
    rows("SELECT interrupted", f"{numbers} SELECT count(*) FROM n", interrupted=True),
    rows("INSERT interrupted", many, interrupted=True),
    rows("full", "INSERT INTO record VALUES (2, zeroblob(1000000))", limited=True),
    rows("INSERT interrupted in a savepoint", many, interrupted=True, savepoint=True),
)))
END
)
expect "seen" "$seen" \
  "constraint: rows 1 3, COMMIT ok; SELECT interrupted: rows 1 3, COMMIT ok; INSERT interrupted: rows 3, COMMIT refused; full: rows 3, COMMIT refused; INSERT interrupted in a savepoint: rows 3, no such savepoint"
