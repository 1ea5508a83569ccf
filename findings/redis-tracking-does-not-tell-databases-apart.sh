#!/usr/bin/env bash
# Version: Redis 7.0.15 (Debian 12).
#
# Behaviour: a cache reads 'hero' in database 0 with 'CLIENT TRACKING ON'. A write of the key 'hero'
# in database 3 tells it to drop its copy, and the value in database 0 has not changed. 'FLUSHDB' in
# database 3 tells it to drop everything. The notice has no number of a database, so that a
# connection that reads in two cannot tell which copy is meant.
#
# Seen: "write in 3: invalidate hero; FLUSHDB in 3: invalidate everything; both values in 0: as
# before".
#
# Why it surprises: numbered databases keep tests, stages and tenants on one server apart, with the
# same keys in each. Values are apart, and the notices are not: clearing the cache of one empties
# the caches of all, again and again, without a wrong value that would show it.
#
# Source: Redis's documentation, "Client-side caching"; src/tracking.c (the table has one entry for
# a key's name, whatever the database).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program redis-server redis-server=7.0.15
serve_redis
seen=$(python3 - "$port" <<'END'
import re, socket, sys

class Connection:
    def __init__(self):
        self.socket = socket.create_connection(("127.0.0.1", int(sys.argv[1])))

    # A PING marks the end of what the server had to say before it.
    def run(self, *commands):
        self.socket.sendall("".join(f"{command}\r\n" for command in (*commands, "PING")).encode())
        received = b""
        while b"+PONG\r\n" not in received:
            received += self.socket.recv(4096)
        return received.decode()

def told(cache):
    received = cache.run()
    if "invalidate\r\n_\r\n" in received:
        return "invalidate everything"
    key = re.search(r"invalidate\r\n\*1\r\n\$\d+\r\n(\w+)", received)
    return f"invalidate {key[1]}" if key else "nothing"

other, cache = Connection(), Connection()
other.run("SET hero Leia", "SELECT 3")
assert "Leia" in cache.run("HELLO 3", "CLIENT TRACKING ON", "GET hero")
other.run("SET hero Luke")
write = told(cache)
after_write = cache.run("GET hero")
other.run("FLUSHDB")
flush = told(cache)
same = "Leia" in after_write and "Leia" in cache.run("GET hero")
print(f"write in 3: {write}; FLUSHDB in 3: {flush}; both values in 0: {'as before' if same else 'changed'}")
END
)
expect "A cache of database 0" "$seen" \
  "write in 3: invalidate hero; FLUSHDB in 3: invalidate everything; both values in 0: as before"
