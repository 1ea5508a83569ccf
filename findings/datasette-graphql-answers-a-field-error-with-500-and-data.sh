#!/usr/bin/env bash
# Version: datasette 0.65.5 with datasette-graphql 2.2 (graphql-core 3.2).
#
# Behaviour: an error in one nullable field is answered with status 500, and a body with the data
# of all other fields. A query with a misspelled field gets 500 as well.
#
# Seen: "field error: 500 with data; misspelled field: 500".
#
# Why it surprises: 500 means that the server has failed. Clients retry it, proxies count it as a
# sick server, and the partial data, which GraphQL exists to deliver, is thrown away with it.
# GraphQL over HTTP has 200 for a response with data, and 400 for a document that is not valid.
#
# Source: GraphQL over HTTP, "Status codes"; datasette_graphql/__init__.py ("status = 500 if
# errors").
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages datasette==0.65.5 datasette-graphql==2.2
python - "$folder/data.db" <<'END'
import sqlite3, sys

with sqlite3.connect(sys.argv[1]) as connection:
    connection.execute("create table heroes (id integer primary key, name text)")
    connection.execute("insert into heroes values (1, 'Leia')")
END
port=$(free_port)
datasette "$folder/data.db" --port "$port" >"$folder/log" 2>&1 &
await_port "$port"
post() {
  python - "$port" "$1" <<'END'
import json, sys, urllib.error, urllib.request

request = urllib.request.Request(
    f"http://127.0.0.1:{sys.argv[1]}/graphql", json.dumps({"query": sys.argv[2]}).encode(), {"Content-Type": "application/json"})
try:
    response = urllib.request.urlopen(request)
    status, body = response.status, json.load(response)
except urllib.error.HTTPError as error:
    status, body = error.code, json.load(error)
print(status, json.dumps(body.get("data")), len(body.get("errors", [])))
END
}
expect "No error" "$(post '{ good: heroes { totalCount } }')" '200 {"good": {"totalCount": 1}} 0'
expect "An error in one field" "$(post '{ good: heroes { totalCount } bad: heroes(first: -1) { nodes { name } } }')" \
  '500 {"good": {"totalCount": 1}, "bad": null} 1'
expect "A misspelled field" "$(post '{ herous { totalCount } }')" '500 null 1'
