#!/usr/bin/env bash
# Version: SQLite 3.54.1 (APSW 3.54.1.0).
#
# Behaviour: a cache stores JSON as bytes, which its serializer makes, and SQL reads it with the
# functions for JSON. The number 3005 is read as 5, and put into an object it is {"hero":005}, which
# is no JSON. 7005 and 7.25 are the texts "005" and ".25". 5e10 ends the statement with "malformed
# JSON". Of the numbers from 1000 to 9999 those with a first digit of 3, 7, 8 or 9 are read
# differently. Objects and numbers of another length are right, and so is a number with a space
# behind it, or one that is bound as a text.
#
# Seen: "3005: 5; in an object: {"hero":005}; 7005: '005'; 7.25: '.25'; 5e10: malformed JSON; first
# digits that are read differently: 3 7 8 9; 2005, 30051, {"n":3005}, '3005 ' and 3005 as text:
# right".
#
# Why it surprises: JSON in bytes is accepted, by a promise to older programs, and everything that
# one tries is right. But the functions first ask whether the bytes are JSONB. There the upper half
# of the first byte is a length and the lower half a type. A digit is 0x3n, so that four digits are
# an element of type n with three bytes: 3 is an integer, 5 a float, 7 to 9 are texts. A count is
# wrong from 3000 to 3999, and right again at 4000.
#
# Source: SQLite's documentation, "The SQLite JSONB Format" (header, element types) and "JSON
# Functions And Operators" (arguments that are blobs); src/json.c, jsonArgIsJsonb.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages apsw==3.54.1.0
seen=$(python <<'END'
import json
import apsw

connection = apsw.Connection(":memory:")

def read(value, expression="json_extract(?, '$')"):
    try:
        return connection.execute(f"SELECT {expression}", (value,)).get
    except apsw.SQLError as error:
        return str(error)

print("3005:", read(json.dumps(3005).encode()), end="; ")
print("in an object:", read(b"3005", "json_object('hero', json(?))"), end="; ")
print("7005:", repr(read(b"7005")), end="; ")
print("7.25:", repr(read(json.dumps(7.25).encode())), end="; ")
print("5e10:", read(b"5e10"), end="; ")
wrong = [n for n in range(1000, 10000) if read(json.dumps(n).encode()) != n]
assert len(wrong) == 4000
print("first digits that are read differently:", *sorted({str(n)[0] for n in wrong}), end="; ")
assert [read(value) for value in (b"2005", b"30051", b"3005 ", "3005")] == [2005, 30051, 3005, 3005]
assert read(b'{"n":3005}', "json_extract(?, '$.n')") == 3005
print("""2005, 30051, {"n":3005}, '3005 ' and 3005 as text: right""")
END
)
expect "SQLite" "$seen" \
  "3005: 5; in an object: {\"hero\":005}; 7005: '005'; 7.25: '.25'; 5e10: malformed JSON; first digits that are read differently: 3 7 8 9; 2005, 30051, {\"n\":3005}, '3005 ' and 3005 as text: right"
