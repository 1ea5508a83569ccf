#!/usr/bin/env bash
# Version: hishel 2.0.0 with httpx 0.28.1; hishel 1.4.0 is the other one.
#
# Behaviour: a client caches queries by GET with the smallest setting. A query that the server does
# not know yet by its hash is answered with PersistedQueryNotFound, 200 and 'Cache-Control:
# no-store'. The client sends hash and text by POST, and asks by GET again: it gets the same error
# from its own disk, now and in each process that follows, for ever. A response with 'max-age=1' is
# given out two seconds later, and a partial one with 'no-cache' in place of what the server would
# say now. 1.4.0 obeys the server in all three cases, and so does 2.0.0 with 'rfc=True'.
#
# Seen: "2.0.0: persisted missing missing missing, max-age 1 1, no-cache 1 1; 2.0.0, rfc: persisted
# missing found found, max-age 1 2, no-cache 1 2; 1.4.0: persisted missing found found, max-age 1 2,
# no-cache 1 2".
#
# Why it surprises: this is a library for HTTP caching, whose first version followed the headers and
# had an option not to. The second one is for limits of one's own, has none by default, and has the
# option the other way round. A time limit of its storage ends the error, but no header does; that
# 'no-store' keeps this error out of caches is what a server relies on.
#
# Source: RFC 9111, 5.2.2 (no-store, no-cache, max-age); hishel/httpx/_sync.py, CacheTransport
# (_handle_without_rfc); Apollo's "automatic persisted queries".
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/server.py" <<'END'
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

known = set()
asked = {}

class Server(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, value, control):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", control)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        _, version, name = self.path.split("/")
        asked[self.path] = asked.get(self.path, 0) + 1
        if name == "persisted" and version not in known:
            self.answer({"errors": [{"message": "PersistedQueryNotFound"}]}, "no-store")
        elif name == "persisted":
            self.answer({"data": {"hero": "Leia"}}, "no-store")
        elif name == "max-age":
            self.answer({"data": {"count": asked[self.path]}}, "max-age=1")
        else:
            self.answer({"data": {"count": asked[self.path]}, "errors": [{"message": "hero"}]}, "no-cache")

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        known.add(self.path.split("/")[1])
        self.answer({"data": {"hero": "Leia"}}, "no-store")

ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Server).serve_forever()
END
cat >"$folder/client.py" <<'END'
import importlib.metadata
import sys
import time

import hishel

address, database, mode = sys.argv[1:]

def client():
    if importlib.metadata.version("hishel") == "1.4.0":
        from hishel.httpx import SyncCacheClient

        return SyncCacheClient(storage=hishel.SyncSqliteStorage(database_path=database))
    from hishel.httpx import CacheClient

    return CacheClient(storage=hishel.SqliteStorage(database_path=database), rfc=mode == "rfc")

def persisted(session):
    return "found" if "data" in session.get(f"{address}/persisted").json() else "missing"

with client() as session:
    seen = [persisted(session)]
    session.post(f"{address}/persisted", json={"query": "{ hero }"})
    seen.append(persisted(session))
with client() as session:
    seen = [f"persisted {' '.join([*seen, persisted(session)])}"]
    for name in ("max-age", "no-cache"):
        counts = [session.get(f"{address}/{name}").json()["data"]["count"]]
        time.sleep(2.5)
        counts.append(session.get(f"{address}/{name}").json()["data"]["count"])
        seen.append(f"{name} {counts[0]} {counts[1]}")
print(", ".join(seen))
END
port=$(free_port)
python3 "$folder/server.py" "$port" &
await_port "$port"
# What a client sees that is set up in one way, on a path and a file of its own.
client() { python "$folder/client.py" "http://127.0.0.1:$port/$1-$2" "$folder/$1-$2.db" "$2"; }
python_packages hishel==2.0.0 httpx==0.28.1
seen="2.0.0: $(client 2.0.0 default); 2.0.0, rfc: $(client 2.0.0 rfc)"
python_packages "hishel[httpx]==1.4.0" httpx==0.28.1
seen+="; 1.4.0: $(client 1.4.0 default)"
expect "seen" "$seen" \
  "2.0.0: persisted missing missing missing, max-age 1 1, no-cache 1 1; 2.0.0, rfc: persisted missing found found, max-age 1 2, no-cache 1 2; 1.4.0: persisted missing found found, max-age 1 2, no-cache 1 2"
