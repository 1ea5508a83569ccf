#!/usr/bin/env bash
# Version: Redis 7.0.15 (Debian 12).
#
# Behaviour: a list has the ids of heroes, and each hero is a hash 'hero:<id>'. 'SORT heroes BY
# hero:*->rank GET hero:*->name' reads the list and the names in one command, and so does a script
# that is called with the key of the list and reads a hash for each id. With 'CLIENT TRACKING ON'
# the server is to remember what a connection reads. Of SORT it remembers nothing: neither a change
# of the list nor that of a hero is reported. Of SORT_RO, the same for reading only, and of the
# script it remembers the list, and no hero; of the script without the key in its call, nothing.
# With BCAST and a prefix, each change is reported.
#
# Seen: "SORT: list no, hero no; SORT_RO: list yes, hero no; script: list yes, hero no; script
# without keys: list no, hero no; BCAST: list yes, hero yes".
#
# Why it surprises: these are the two ways to follow references within the server, and tracking is
# made for copies of what was read, whatever the command. The server has read each hash by a command
# of its own, and knows its key. Who tries it with a change of the list sees a notice. The name of a
# hero stays the former one in the client's cache for as long as the cache keeps it.
#
# Source: Redis' documentation of SORT, SORT_RO, EVAL and "Client-side caching"; server.c, call(),
# and tracking.c, trackingRememberKeys(), which takes the keys from the command of the client.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program redis-server redis-server=7.0.15
serve_redis
cat >"$folder/sort.py" <<'END'
import select, socket, sys

class Connection:
    def __init__(self):
        self.socket = socket.create_connection(("127.0.0.1", int(sys.argv[1])))

    def ask(self, *words):
        self.socket.sendall(b"*%d\r\n" % len(words) + b"".join(
            b"$%d\r\n%s\r\n" % (len(word), word.encode()) for word in words))
        return self.rest(5)

    # What arrives within some seconds, and until nothing has come for a moment.
    def rest(self, seconds):
        data = b""
        while select.select([self.socket], [], [], seconds)[0]:
            data += self.socket.recv(65536)
            seconds = 0.3
        return data

names = ("SORT", "heroes", "BY", "hero:*->rank", "GET", "hero:*->name")
script = """
    local names = {}
    for _, id in ipairs(redis.call('LRANGE', KEYS[1] or 'heroes', 0, -1)) do
        table.insert(names, redis.call('HGET', 'hero:' .. id, 'name'))
    end
    return names
"""
reads = {
    "SORT": (["CLIENT", "TRACKING", "ON"], names),
    "SORT_RO": (["CLIENT", "TRACKING", "ON"], ("SORT_RO", *names[1:])),
    "script": (["CLIENT", "TRACKING", "ON"], ("EVAL", script, "1", "heroes")),
    "script without keys": (["CLIENT", "TRACKING", "ON"], ("EVAL", script, "0")),
    "BCAST": (["CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "hero"], names),
}
writer = Connection()
for name, (tracking, read) in reads.items():
    seen = []
    for what, write in (("list", ("RPUSH", "heroes", "6")), ("hero", ("HSET", "hero:5", "name", "Rey"))):
        writer.ask("FLUSHALL")
        writer.ask("RPUSH", "heroes", "5")
        writer.ask("HSET", "hero:5", "name", "Leia", "rank", "1")
        reader = Connection()
        reader.ask("HELLO", "3")
        reader.ask(*tracking)
        assert b"Leia" in reader.ask(*read)
        writer.ask(*write)
        seen.append(f"{what} {'yes' if b'invalidate' in reader.rest(0.5) else 'no'}")
    print(f"{name}: {', '.join(seen)}")
END
expect "reported" "$(python3 "$folder/sort.py" "$port" | paste --serial --delimiters=';' | sed 's/;/; /g')" \
  "SORT: list no, hero no; SORT_RO: list yes, hero no; script: list yes, hero no; script without keys: list no, hero no; BCAST: list yes, hero yes"
