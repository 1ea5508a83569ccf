#!/usr/bin/env bash
# Version: Redis 7.0.15 (Debian 12).
#
# Behaviour: a script that reads JSON with cjson.decode and writes it with cjson.encode, to change
# one field of a stored response, changes others: an empty list becomes an empty object, an integer
# of more than 14 digits loses the rest and gets an exponent, and 1.0 becomes 1.
#
# Seen: "before: {"films":[],"id":1234567890123456,"mass":1.0}; films is an object; id is
# 1.2345678901235e+15; mass is 1".
#
# Why it surprises: the integer has fewer than 53 bits, so that a number of Lua holds it exactly,
# and other readers of JSON with such numbers return it as it was. A list of GraphQL that is an
# object fails a typed client at a field that the script has not touched, and only for heroes
# without films.
#
# Source: Redis's documentation, "Scripting with Lua" and "Redis Lua API reference" (cjson);
# deps/lua/src/lua_cjson.c (a table without elements is an object; 14 digits by default).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program redis-server redis-server=7.0.15
serve_redis
cli() { redis-cli -p "$port" "$@"; }

before='{"films":[],"id":1234567890123456,"mass":1.0}'
cli SET hero "$before" >/dev/null
cli EVAL '
  local hero = cjson.decode(redis.call("GET", KEYS[1]))
  hero.name = "Leia"
  redis.call("SET", KEYS[1], cjson.encode(hero))' 1 hero >/dev/null
after=$(cli GET hero)
[[ $after = *'"name":"Leia"'* ]]
films="another value"
[[ $after != *'"films":{}'* ]] || films="an object"
number() { grep -o "\"$1\":[-+.0-9e]*" <<<"$after" | cut -d : -f 2; }
expect "A response after a script" \
  "before: $before; films is $films; id is $(number id); mass is $(number mass)" \
  'before: {"films":[],"id":1234567890123456,"mass":1.0}; films is an object; id is 1.2345678901235e+15; mass is 1'
