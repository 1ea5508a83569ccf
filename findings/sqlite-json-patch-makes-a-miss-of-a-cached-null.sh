#!/usr/bin/env bash
# Version: SQLite 3.51.0, as in the wheel of apsw 3.51.0.0.
#
# Behaviour: json_patch(record, response) merges two objects, but a null of the response removes the
# field from the record. json_extract returns NULL for a null and for a field that is not there;
# only json_type tells them apart. An integer of 2^63 or more is a float for json_extract, and whole
# for the operator '->'.
#
# Seen: "after null: {"id":"5"}; null: NULL of type null; removed: NULL of type NULL;
# 9223372036854775808: 9.223372036854776e+18 or 9223372036854775808".
#
# Why it surprises: merging a response into a record is what the function seems made for. "No such
# hero" is knowledge of a cache; after the merge it is a miss, which is fetched again with the same
# result, for ever. That both values read as NULL hides it from tests.
#
# Source: RFC 7396 (JSON Merge Patch: null removes); SQLite's documentation, "JSON Functions And
# Operators", json_patch, json_extract and json_type.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages apsw==3.51.0.0
seen=$(python <<'END'
import apsw

connection = apsw.Connection(":memory:")

def row(expressions, *values):
    return list(connection.execute(f"select {expressions}", values))[0]

def shown(value):
    return "NULL" if value is None else value

record = '{"id":"5","friend":"Hero:6"}'
after, = row("json_patch(?, ?)", record, '{"friend":null}')
reads = "json_extract(?1, '$.friend'), json_type(?1, '$.friend')"
null, null_type = row(reads, '{"friend":null}')
missing, missing_type = row(reads, after)
large = 2 ** 63
extracted, operator = row("json_extract(?1, '$.n'), ?1 -> '$.n'", f'{{"n":{large}}}')
print(
    f"after null: {after}; null: {shown(null)} of type {shown(null_type)}; "
    f"removed: {shown(missing)} of type {shown(missing_type)}; {large}: {extracted} or {operator}")
END
)
expect "A record and a null" "$seen" \
  'after null: {"id":"5"}; null: NULL of type null; removed: NULL of type NULL; 9223372036854775808: 9.223372036854776e+18 or 9223372036854775808'
