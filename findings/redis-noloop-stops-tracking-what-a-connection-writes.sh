#!/usr/bin/env bash
# Version: Redis 7.0.15 (Debian 12).
#
# Behaviour: a connection with 'CLIENT TRACKING ON NOLOOP' reads a key, so that the server will
# report changes. It then writes the key itself. The server sends nothing, as the option says, and
# forgets that this connection knows the key: what another connection writes afterwards is not
# reported either. Without a write of its own, or after reading the key once more, it is.
#
# Seen: "read: told of another's write; read and written: told of nothing; written and read again:
# told of another's write".
#
# Why it surprises: the option exists for caches that keep what they have just written, in place of
# throwing it away. That value is what the server no longer watches: the cache is stale until
# something evicts it, and only for keys that it writes itself.
#
# Source: Redis's documentation, CLIENT TRACKING (NOLOOP) and "Client-side caching"; src/tracking.c,
# trackingInvalidateKey (the entry of a key is removed after the notices, skipped ones included).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program redis-server redis-server=7.0.15
serve_redis
seen=$(python3 - "$port" <<'END'
import socket, sys

class Connection:
    def __init__(self):
        self.socket = socket.create_connection(("127.0.0.1", int(sys.argv[1])))

    # A PING marks the end of what the server had to say before it.
    def run(self, *commands):
        self.socket.sendall("".join(f"{command}\r\n" for command in (*commands, "PING")).encode())
        received = b""
        while b"+PONG\r\n" not in received:
            received += self.socket.recv(4096)
        return received

def told(cache):
    return "another's write" if b"invalidate" in cache.run() else "nothing"

other = Connection()

def history(*commands):
    other.run("SET hero Leia")
    cache = Connection()
    cache.run("HELLO 3", "CLIENT TRACKING ON NOLOOP", *commands)
    other.run("SET hero Luke")
    return told(cache)

print(
    f"read: told of {history('GET hero')}; read and written: told of {history('GET hero', 'SET hero Han')}; "
    f"written and read again: told of {history('SET hero Han', 'GET hero')}")
END
)
expect "A cache with NOLOOP" "$seen" \
  "read: told of another's write; read and written: told of nothing; written and read again: told of another's write"
