#!/usr/bin/env bash
# Version: Redis 7.0.15 (Debian 12).
#
# Behaviour: with 'CLIENT TRACKING ON', the server remembers which keys a connection has read, and
# reports their changes. What is read with GETEX is not remembered, so that a write of another
# connection is not reported. And GETEX with a time to live, which prolongs the life of an entry,
# counts as a change: each connection that has read the key with GET is told to drop its copy,
# although the value is the same.
#
# Seen: "read with GET: told; read with GETEX: not told; with GET, while another prolongs: told,
# same value".
#
# Why it surprises: GETEX is the one command for entries that live as long as they are read, as
# those of a store of persisted queries or of responses. Whoever reads with it keeps stale copies,
# and takes away those of all others with each read. Both look like a cache that works.
#
# Source: Redis's documentation, "Client-side caching" (read-only commands are tracked) and GETEX;
# src/commands/getex.json (its flags say that it writes).
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

other = Connection()

def history(read, change):
    other.run("SET hero Leia EX 100")
    cache = Connection()
    assert b"Leia" in cache.run("HELLO 3", "CLIENT TRACKING ON", read)
    other.run(change)
    return "told" if b"invalidate" in cache.run() else "not told"

print(f"read with GET: {history('GET hero', 'SET hero Luke')}", end="; ")
print(f"read with GETEX: {history('GETEX hero', 'SET hero Luke')}", end="; ")
prolonged = history("GET hero", "GETEX hero EX 100")
same = b"Leia" in other.run("GET hero")
print(f"with GET, while another prolongs: {prolonged}, {'same' if same else 'other'} value")
END
)
expect "A tracked read" "$seen" \
  "read with GET: told; read with GETEX: not told; with GET, while another prolongs: told, same value"
