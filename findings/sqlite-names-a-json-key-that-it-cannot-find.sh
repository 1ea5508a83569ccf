#!/usr/bin/env bash
# Version: SQLite 3.46.1, as in the wheel of apsw 3.46.1.0 (Debian 12 and 13 are alike); 3.51.0 is
# the other one.
#
# Behaviour: a record has a key with quotes, 'film(id:"5")'. json_each lists it with a path of its
# own, but json_extract with this path returns NULL, and json_set with it raises "bad JSON path".
# Within a quoted label the older version knows no escape, though it writes them. Without quotes
# around the label the key is found, unless it has a point or a bracket as well: 'film(at:"1.5")'
# has no path at all. In 3.51.0 each path that json_each writes leads back.
#
# Seen: "3.46.1: listed 2, found by their paths 0, set 0, found by bare labels 1; 3.51.0: listed 2,
# found by their paths 2, set 2, found by bare labels 1".
#
# Why it surprises: the function's own output is refused as a path by its neighbour. Keys with
# quotes are what a cache of GraphQL has, since the usual name of a field with arguments is the
# field and its arguments in JSON. A NULL is no error, only a miss for each field with a string
# argument.
#
# Source: SQLite's documentation, "JSON Functions And Operators" (path arguments, json_each);
# src/json.c, jsonLookupStep.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/paths.py" <<'END'
import json
import apsw

connection = apsw.Connection(":memory:")
record = json.dumps({'film(id:"5")': 1, 'film(at:"1.5")': 2})

def one(statement, path):
    return list(connection.execute(statement, (record, path)))[0][0]

def is_set(path):
    try:
        return 9 in json.loads(one("select json_set(?, ?, 9)", path)).values()
    except apsw.SQLError:
        return False

listed = list(connection.execute("select key, value, fullkey from json_each(?)", (record,)))
found = [path for _, value, path in listed if one("select json_extract(?, ?)", path) == value]
bare = [key for key, value, _ in listed if one("select json_extract(?, ?)", "$." + key) == value]
print(
    f"{apsw.sqlite_lib_version()}: listed {len(listed)}, found by their paths {len(found)}, "
    f"set {sum(is_set(path) for _, _, path in listed)}, found by bare labels {len(bare)}")
END
python_packages apsw==3.46.1.0
seen=$(python "$folder/paths.py")
python_packages apsw==3.51.0.0
seen+="; $(python "$folder/paths.py")"
expect "Keys with quotes" "$seen" \
  "3.46.1: listed 2, found by their paths 0, set 0, found by bare labels 1; 3.51.0: listed 2, found by their paths 2, set 2, found by bare labels 1"
