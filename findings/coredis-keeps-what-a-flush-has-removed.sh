#!/usr/bin/env bash
# Version: coredis 6.9.0 with Redis 7.0.15 (Debian 12).
#
# Behaviour: a client has a local cache, which the server keeps up to date by 'CLIENT TRACKING'. A
# key that another connection changes or deletes is gone from the cache. After FLUSHDB or FLUSHALL
# the client still has the value. The key is then written anew by the other connection: the client
# still has the first value, and keeps it until it evicts the key or connects again.
#
# Seen: "SET: Luke, then Han; DEL: None, then Han; FLUSHDB: Leia, then Leia; FLUSHALL: Leia, then
# Leia".
#
# Why it surprises: the server does report the flush, once for all keys, by a null in place of their
# list. The client receives this message and takes it for an empty list. The server has forgotten by
# then which keys the client knows, so that no later change of them is reported either. A flush is
# what one does to be rid of stale values.
#
# Source: Redis's documentation, "Client-side caching" and src/tracking.c,
# trackingInvalidateKeysOnFlush (a null is sent, and the table is emptied); coredis's documentation,
# "Caching"; coredis/patterns/cache.py, NodeTrackingCache._consumer ('response[1] or []').
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program redis-server redis-server=7.0.15
python_packages coredis==6.9.0
serve_redis
cat >"$folder/cache.py" <<'END'
import asyncio, sys
import coredis
from coredis.patterns.cache import LRUCache

port = int(sys.argv[1])

async def main():
    other = coredis.Redis(port=port, decode_responses=True)
    seen = []
    async with other:
        async def history(name, change):
            await other.set("hero", "Leia")
            client = coredis.Redis(port=port, decode_responses=True, cache=LRUCache())
            async with client:
                assert await client.get("hero") == await client.get("hero") == "Leia"
                await change
                await asyncio.sleep(0.5)
                changed = await client.get("hero")
                await other.set("hero", "Han")
                await asyncio.sleep(0.5)
                seen.append(f"{name}: {changed}, then {await client.get('hero')}")

        await history("SET", other.set("hero", "Luke"))
        await history("DEL", other.delete(["hero"]))
        await history("FLUSHDB", other.flushdb())
        await history("FLUSHALL", other.flushall())
    print("; ".join(seen))

asyncio.run(main())
END
expect "seen" "$(timeout 60 python "$folder/cache.py" "$port")" \
  "SET: Luke, then Han; DEL: None, then Han; FLUSHDB: Leia, then Leia; FLUSHALL: Leia, then Leia"
