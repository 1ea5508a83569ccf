#!/usr/bin/env bash
# Version: Redis 7.0.15 (Debian 12) with RESP3; the clients are redis (redis-py) 7.4.1 with its own
# parser, and with hiredis 3.5.0.
#
# Behaviour: with RESP3 a connection may subscribe to a channel and run other commands. One that has
# subscribed publishes to its channel within MULTI. EXEC has three results, the reply says so, and
# the message comes in the midst of them. redis-py's own parser takes it out. With hiredis, which it
# prefers where that is installed, EXEC is 'OK', the message, 1. The third result stays behind on
# the connection, and is what the next command gets: PING is answered with the value of the key, and
# each later command with the reply of the one before. Without MULTI both are right.
#
# Seen: "own parser: PUBLISH 1; EXEC OK 1 Leia; PING PONG; ECHO a a; told one, two; hiredis: PUBLISH
# 1; EXEC OK message,hero,two 1; PING Leia; ECHO a PONG; told one".
#
# Why it surprises: a message of its own type is RESP3's way to share a connection, and it may come
# before or behind a reply and never within. A transaction that writes a key and publishes the
# change is what the two are used together for. Nothing is raised: values of one key are given out
# as those of another, to all who use the connection next.
#
# Source: RESP3, "Push type" (push data does not come in the middle of other data); src/pubsub.c,
# pubsubPublishMessage (writes to each subscriber at once, also to the one that executes); hiredis'
# read.c, processAggregateItem (an element is an element, of whatever type).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program redis-server redis-server=7.0.15
python_packages redis==7.4.1 hiredis==3.5.0
serve_redis
seen=$(python - "$port" <<'END'
import sys

import redis
from redis._parsers import _HiredisParser, _RESP3Parser

def text(value):
    if isinstance(value, list):
        return ",".join(text(item) for item in value)
    return value.decode() if isinstance(value, bytes) else str(value)

def session(parser):
    told = []
    connection = redis.Connection(port=int(sys.argv[1]), protocol=3, parser_class=parser, socket_timeout=5)
    connection.connect()
    connection._parser.set_pubsub_push_handler(told.append)

    def run(*command):
        connection.send_command(*command)
        return connection.read_response()

    connection.send_command("SUBSCRIBE", "hero")
    connection.read_response(push_request=True)
    seen = [f"PUBLISH {run('PUBLISH', 'hero', 'one')}"]
    run("MULTI")
    run("SET", "hero", "Leia")
    run("PUBLISH", "hero", "two")
    run("GET", "hero")
    seen.append(f"EXEC {' '.join(text(result) for result in run('EXEC'))}")
    seen += [f"PING {text(run('PING'))}", f"ECHO a {text(run('ECHO', 'a'))}"]
    messages = [text(event[2]) for event in told if text(event[0]) == "message"]
    connection.disconnect()
    return "; ".join(seen + [f"told {', '.join(messages)}"])

print(f"own parser: {session(_RESP3Parser)}; hiredis: {session(_HiredisParser)}")
END
)
expect "seen" "$seen" \
  "own parser: PUBLISH 1; EXEC OK 1 Leia; PING PONG; ECHO a a; told one, two; hiredis: PUBLISH 1; EXEC OK message,hero,two 1; PING Leia; ECHO a PONG; told one"
