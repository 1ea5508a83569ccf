#!/usr/bin/env bash
# Version: SQLite 3.51.0, as in the wheel of apsw 3.51.0.0.
#
# Behaviour: a database is in WAL mode and closed: one file. A connection that is opened read-only
# makes '-wal' and '-shm' beside it, and leaves both when it closes, while one that may write
# removes them. In a folder without the right to write, the same file cannot be read at all: the
# error speaks of an attempt to write. 'immutable=1' in the name reads it.
#
# Seen: "closed: 1 file; after a read-only reader: 3 files; after a writer: 1 file; read-only
# folder: attempt to write a readonly database; immutable: 5".
#
# Why it surprises: reading with the flag for reading changes the folder, and needs the right to. A
# cache that is shipped with a program, in a bundle or an image that nobody may write, opens on the
# developer's machine and fails for users. The mode is a property of the file, set once.
#
# Source: SQLite's documentation, "Write-Ahead Logging" (read-only databases), and
# "Uniform Resource Identifiers" (immutable).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages apsw==3.51.0.0
mkdir "$folder/data"
seen=$(python - "$folder/data" <<'END'
import os, pathlib, sys
import apsw

data = pathlib.Path(sys.argv[1])
path = data / "cache.db"

def read(flags, name=str(path)):
    connection = apsw.Connection(name, flags=flags)
    try:
        return list(connection.execute("select hero from heroes"))[0][0]
    finally:
        connection.close()

def files():
    count = len(list(data.iterdir()))
    return f"{count} file{'s' if count > 1 else ''}"

writer = apsw.Connection(str(path))
list(writer.execute("pragma journal_mode = wal; create table heroes (hero); insert into heroes values (5)"))
writer.close()
print("closed:", files(), end="; ")
assert read(apsw.SQLITE_OPEN_READONLY) == 5
print("after a read-only reader:", files(), end="; ")
assert read(apsw.SQLITE_OPEN_READWRITE) == 5
print("after a writer:", files(), end="; ")
data.chmod(0o555)
if os.getuid() == 0:
    os.seteuid(65534) # The administrator may write everywhere.
try:
    result = read(apsw.SQLITE_OPEN_READONLY)
except apsw.ReadOnlyError as error:
    result = str(error)
print("read-only folder:", result, end="; ")
print("immutable:", read(apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI, f"file:{path}?immutable=1"))
if os.getuid() == 0:
    os.seteuid(0)
data.chmod(0o755)
END
)
expect "Reading" "$seen" \
  "closed: 1 file; after a read-only reader: 3 files; after a writer: 1 file; read-only folder: attempt to write a readonly database; immutable: 5"
