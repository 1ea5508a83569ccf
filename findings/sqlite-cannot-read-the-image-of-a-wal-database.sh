#!/usr/bin/env bash
# Version: SQLite 3.51.0, as in the wheel of apsw 3.51.0.0.
#
# Behaviour: sqlite3_serialize of a database with WAL gives an image that sqlite3_deserialize takes
# without an error. The first query then fails with "unable to open database file". The same image
# in a file is read, with what was in the log. A copy made with the backup API into memory is
# readable and reports the journal mode 'memory', but the image of this copy is not. That of a copy
# made with VACUUM INTO is, and so is the image with the bytes 18 and 19 set to 1.
#
# Seen: "image: loaded, then unable to open database file; as a file: 2 rows; copy in memory: mode
# memory, 2 rows, image: unable to open database file; VACUUM INTO: 2 rows; changed bytes: 2 rows".
#
# Why it surprises: there is no file to open, the image is whole, and the same library has written
# it a moment before. The mark of WAL is in the header, and a database in memory cannot have a log.
# Tests that load a prepared cache into memory, and programs that ship one, meet it as soon as the
# database has been opened with WAL once.
#
# Source: SQLite's documentation, sqlite3_deserialize and "Database File Format" (file format
# version numbers).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages apsw==3.51.0.0
seen=$(python - "$folder" <<'END'
import sys
import apsw

folder = sys.argv[1]

def rows(connection):
    try:
        return f"{len(connection.execute('select * from heroes').fetchall())} rows"
    except apsw.CantOpenError as error:
        return str(error)

def loaded(image):
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", image)
    return rows(connection)

cache = apsw.Connection(f"{folder}/cache.db")
for statement in (
    "pragma journal_mode = wal", "create table heroes(name)", "insert into heroes values ('Leia'), ('Han')"):
    cache.execute(statement).fetchall()
image = cache.serialize("main")
with open(f"{folder}/image.db", "wb") as file:
    file.write(image)

memory = apsw.Connection(":memory:")
with memory.backup("main", cache, "main") as backup:
    backup.step()
mode = memory.execute("pragma journal_mode").fetchone()[0]

cache.execute("vacuum into ?", (f"{folder}/copy.db",))
copy = apsw.Connection(f"{folder}/copy.db").serialize("main")
changed = image[:18] + b"\1\1" + image[20:]
print(
    f"image: loaded, then {loaded(image)}; as a file: {rows(apsw.Connection(f'{folder}/image.db'))}; "
    f"copy in memory: mode {mode}, {rows(memory)}, image: {loaded(memory.serialize('main'))}; "
    f"VACUUM INTO: {loaded(copy)}; changed bytes: {loaded(changed)}")
END
)
expect "A database with WAL" "$seen" \
  "image: loaded, then unable to open database file; as a file: 2 rows; copy in memory: mode memory, 2 rows, image: unable to open database file; VACUUM INTO: 2 rows; changed bytes: 2 rows"
