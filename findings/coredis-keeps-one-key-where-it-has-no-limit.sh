#!/usr/bin/env bash
# Version: coredis 6.9.0 with Redis 7.0.15 (Debian 12).
#
# Behaviour: the size of the client's local cache is 'max_keys', and a negative number means no
# limit. With it, the cache has one key: each new one evicts the one before. Zero does not mean none
# either, but the same. Five keys that are read three times in turn have no hit at all, and one key
# that is read three times has two.
#
# Seen: "-1: 0 hits of 15, 2 of 3; 0: 0 hits of 15, 2 of 3; 1: 0 hits of 15, 2 of 3; 5: 10 hits of
# 15, 2 of 3".
#
# Why it surprises: the documentation has the negative number as the way to an unbounded cache, as
# many programs do for their limits. The most generous setting is the smallest one. All values are
# right, and a test with one key sees its hits, so that only the time shows that nothing else is
# cached; each miss also makes the server remember and report a key.
#
# Source: coredis's documentation, "Caching", LRUCache ("A negative value represents and unbounded
# cache"); coredis/patterns/cache.py, LRUCache.put ('len(self._storage) >= self.max_keys').
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program redis-server redis-server=7.0.15
python_packages coredis==6.9.0
serve_redis
cat >"$folder/cache.py" <<'END'
import asyncio, sys
import coredis
from coredis.patterns.cache import LRUCache

async def hits(limit, keys):
    cache = LRUCache(max_keys=limit)
    async with coredis.Redis(port=int(sys.argv[1]), cache=cache) as client:
        for _ in range(3):
            for key in range(keys):
                assert await client.get(f"hero:{key}") == b"Leia"
    return cache.stats.summary["hits"]

async def main():
    async with coredis.Redis(port=int(sys.argv[1])) as writer:
        for key in range(5):
            await writer.set(f"hero:{key}", "Leia")
    print("; ".join([f"{limit}: {await hits(limit, 5)} hits of 15, {await hits(limit, 1)} of 3" for limit in (-1, 0, 1, 5)]))

asyncio.run(main())
END
expect "seen" "$(timeout 60 python "$folder/cache.py" "$port")" \
  "-1: 0 hits of 15, 2 of 3; 0: 0 hits of 15, 2 of 3; 1: 0 hits of 15, 2 of 3; 5: 10 hits of 15, 2 of 3"
