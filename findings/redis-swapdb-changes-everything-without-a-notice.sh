#!/usr/bin/env bash
# Version: Redis 7.0.15 (Debian 12).
#
# Behaviour: a cache reads 'hero' in database 0 with 'CLIENT TRACKING ON'. 'SWAPDB 0 1' exchanges
# the databases, so that the key has another value in the same connection. Nothing is reported,
# with BCAST as without. A transaction that watches the key is aborted by the same command, and
# 'FLUSHDB' is reported as "drop everything".
#
# Seen: "told of SWAPDB: nothing; with BCAST: nothing; value: Leia, then Luke; watched: aborted;
# told of FLUSHDB: everything".
#
# Why it surprises: building the next state in a second database and exchanging the two is what
# the command is for, and each client sees the other data at once. For WATCH the server compares
# both databases key by key. The caches of the clients are right until that moment, and then all
# of their entries are stale, for as long as nobody writes the keys.
#
# Source: Redis's documentation, SWAPDB, WATCH and "Client-side caching"; src/db.c,
# dbSwapDatabases (watched and blocked keys are looked at, tracked ones are not).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program redis-server redis-server=7.0.15
serve_redis
seen=$(python3 - "$port" <<'END'
import re, socket, sys

class Connection:
    def __init__(self, *commands):
        self.socket = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        self.run("HELLO 3", *commands)

    # A PING marks the end of what the server had to say before it.
    def run(self, *commands):
        self.socket.sendall("".join(f"{command}\r\n" for command in (*commands, "PING")).encode())
        received = b""
        while b"+PONG\r\n" not in received:
            received += self.socket.recv(4096)
        return received.decode()

    def hero(self):
        return re.search("Leia|Luke", self.run("GET hero"))[0]

    def told(self):
        notice = self.run()
        return "nothing" if "invalidate" not in notice else "hero" if "hero" in notice else "everything"

other = Connection("SELECT 1", "SET hero Luke", "SELECT 0", "SET hero Leia")
cache = Connection("CLIENT TRACKING ON")
broadcast = Connection("CLIENT TRACKING ON BCAST")
transaction = Connection("WATCH hero")
before = cache.hero()
other.run("SWAPDB 0 1")
told = f"told of SWAPDB: {cache.told()}; with BCAST: {broadcast.told()}"
after = cache.hero()
# RESP3 has a null of its own for a transaction that is aborted.
watched = "aborted" if "\r\n_\r\n" in transaction.run("MULTI", "SET hero Han", "EXEC") else "executed"
other.run("FLUSHDB")
print(f"{told}; value: {before}, then {after}; watched: {watched}; told of FLUSHDB: {cache.told()}")
END
)
expect "SWAPDB" "$seen" \
  "told of SWAPDB: nothing; with BCAST: nothing; value: Leia, then Luke; watched: aborted; told of FLUSHDB: everything"
