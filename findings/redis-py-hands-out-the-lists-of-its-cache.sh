#!/usr/bin/env bash
# Version: redis (redis-py) 8.1.0 and 7.4.1 with their client-side cache, and Strawberry 0.341.2 on
# graphql-core 3.3.2. The server is Redis 7.0.15 (Debian 12). The library demands 7.4 for its cache;
# that number is lowered here, and what is shown happens before the server is asked.
#
# Behaviour: a resolver reads a list from Redis, puts an advertisement behind it and returns it.
# With 'cache_config' the library keeps the response of the server and returns the same object to
# the one who has asked first. What that caller does to the list is done to the cache: all who
# follow get copies of the changed one, with one advertisement more than they put there, until
# another client writes the key, and it begins anew. In Redis the list has two items. So it is with
# LRANGE, HMGET, MGET, ZRANGE and HGETALL. A set, and each of them without the cache, is right.
#
# Seen: "films: IV V ad, IV V ad ad, IV V ad ad; written: IV V VI ad, IV V VI ad ad; kept from the
# first: lrange hmget mget zrange hgetall, from others: none; without the cache: IV V ad, IV V ad,
# IV V ad".
#
# Why it surprises: the copies show that somebody has thought of it, and a test that reads twice and
# changes the second result finds nothing. Which request is the first one is chance. The cache is
# turned on at the connection, far from the resolver, and promises fresh values, since the server
# reports each change: of this one it knows nothing. What one user's request has put into a list is
# shown to others, in one process of several.
#
# Source: redis/connection.py, CacheProxyConnection.read_response (keeps the response that it
# returns, and copies it later); Redis's documentation, "Client-side caching".
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program redis-server redis-server=7.0.15
serve_redis
cat >"$folder/client.py" <<'END'
import sys
import time

import redis
import redis.connection
import strawberry
from redis.cache import CacheConfig

redis.connection.CacheProxyConnection.MIN_ALLOWED_VERSION = "7.0.0"
port = int(sys.argv[1])
plain = redis.Redis(port=port, protocol=3, decode_responses=True)
cached = redis.Redis(port=port, protocol=3, decode_responses=True, cache_config=CacheConfig())
plain.flushall()
plain.rpush("films", "IV", "V")
plain.zadd("ranks", {"Leia": 1})
plain.hset("hero", "name", "Leia")
plain.sadd("sides", "light")
plain.set("count", "5")
database = cached

@strawberry.type
class Query:
    @strawberry.field
    def films(self) -> list[str]:
        films = database.lrange("films", 0, -1)
        films.append("ad")
        return films

schema = strawberry.Schema(Query)

def ask(times):
    return ", ".join(" ".join(schema.execute_sync("{ films }").data["films"]) for _ in range(times))

seen = [f"films: {ask(3)}"]
plain.rpush("films", "VI")
time.sleep(0.5)
seen.append(f"written: {ask(2)}")
plain.rpop("films")

# Does the cache lose what is removed from the first result of a command, or from a later one?
kept = {"first": [], "others": []}
for name, arguments in {
    "lrange": ("films", 0, -1), "hmget": ("hero", "name"), "mget": ("count",), "zrange": ("ranks", 0, -1),
    "hgetall": ("hero",), "smembers": ("sides",),
}.items():
    for reads, which in enumerate(kept):
        cached.get_cache().flush()
        for _ in range(reads + 1):
            result = getattr(cached, name)(*arguments)
        result.clear()
        if not getattr(cached, name)(*arguments):
            kept[which].append(name)
seen.append(f"kept from the first: {' '.join(kept['first'])}, from others: {' '.join(kept['others']) or 'none'}")
database = plain
seen.append(f"without the cache: {ask(3)}")
print("; ".join(seen))
END
for version in 8.1.0 7.4.1; do
  python_packages "redis==$version" strawberry-graphql==0.341.2 graphql-core==3.3.2
  expect "redis-py $version" "$(python "$folder/client.py" "$port")" \
    "films: IV V ad, IV V ad ad, IV V ad ad; written: IV V VI ad, IV V VI ad ad; kept from the first: lrange hmget mget zrange hgetall, from others: none; without the cache: IV V ad, IV V ad, IV V ad"
done
