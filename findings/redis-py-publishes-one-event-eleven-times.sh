#!/usr/bin/env bash
# Version: redis (redis-py) 8.1.0 with Redis 7.0.15 (Debian 12); redis-py 5.3.1 is the other one.
#
# Behaviour: Redis carries out a command, and the connection is lost before its reply arrives, as
# behind a proxy that is restarted. redis-py takes this for a reason to connect and to send the
# command again, whatever the command is. While the replies keep getting lost, one INCR adds 11, one
# LPUSH adds 11 items, one PUBLISH is 11 events for each subscriber, and a transaction of two INCR
# adds 22. The caller receives a ConnectionError at last. Where only the first reply is lost, the
# caller sees success, and two events have been published. redis-py 5.3.1 sends each command once.
#
# Seen: "8.1.0, all replies lost: INCR 11, LPUSH 11, PUBLISH 11, transaction 22, each with
# ConnectionError; one reply lost: INCR 2, LPUSH 2, PUBLISH 2, transaction 4, without an error; no
# retries: 1, 1, 1, 2, ConnectionError; 5.3.1: 1, 1, 1, 2, ConnectionError".
#
# Why it surprises: a client that retries by itself is expected to do so where it knows that nothing
# has been done, or where doing it twice is harmless, as HTTP clients do for GET. A subscription
# delivers one change several times, and a budget that is counted with INCR is used up by one
# request. The code has no retry anywhere: its default changed with a version.
#
# Source: redis-py's documentation, "Retry Helpers"; redis/client.py, _execute_command and
# DEFAULT_RETRY_COUNT (10).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program redis-server redis-server=7.0.15
cat >"$folder/commands.py" <<'END'
import socket
import sys
import threading

import redis

server, lost = int(sys.argv[1]), float(sys.argv[2])
retry = {} if len(sys.argv) < 4 else {"retry": redis.retry.Retry(redis.backoff.NoBackoff(), 0)}
writes = (b"INCR", b"LPUSH", b"PUBLISH")

def forward(client):
    """Forwards commands, and closes the connection in place of the reply to a write."""
    global lost
    with client, socket.create_connection(("127.0.0.1", server)) as upstream:
        while command := client.recv(65536):
            upstream.sendall(command)
            reply = upstream.recv(65536)
            if lost and any(name in command for name in writes):
                lost -= 1
                return
            client.sendall(reply)

def accept(listener):
    while True:
        threading.Thread(target=forward, args=(listener.accept()[0],), daemon=True).start()

listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=accept, args=(listener,), daemon=True).start()
client = redis.Redis(port=listener.getsockname()[1], **retry)
direct = redis.Redis(port=server)
direct.flushall()
subscriber = direct.pubsub()
subscriber.subscribe("hero")
assert subscriber.get_message(timeout=5)["type"] == "subscribe"

def published():
    count = 0
    while subscriber.get_message(timeout=0.5):
        count += 1
    return count

def transaction():
    pipeline = client.pipeline()
    pipeline.incr("two")
    pipeline.incr("two")
    return pipeline.execute()

def attempt(name, run, count):
    global lost
    first = lost
    try:
        result = f"returns {run()}"
    except redis.ConnectionError as error:
        result = type(error).__name__
    lost = first
    return f"{name} {count()} {result}"

print(", ".join([
    attempt("INCR", lambda: client.incr("cost"), lambda: direct.get("cost").decode()),
    attempt("LPUSH", lambda: client.lpush("list", "x"), lambda: direct.llen("list")),
    attempt("PUBLISH", lambda: client.publish("hero", "Luke"), published),
    attempt("transaction", transaction, lambda: direct.get("two").decode())]))
END
serve_redis
seen() { python "$folder/commands.py" "$port" "$@"; }
once="INCR 1 ConnectionError, LPUSH 1 ConnectionError, PUBLISH 1 ConnectionError, transaction 2 ConnectionError"

python_packages redis==8.1.0
expect "8.1.0, all replies lost" "$(seen inf)" \
  "INCR 11 ConnectionError, LPUSH 11 ConnectionError, PUBLISH 11 ConnectionError, transaction 22 ConnectionError"
expect "8.1.0, one reply lost" "$(seen 1)" \
  "INCR 2 returns 2, LPUSH 2 returns 2, PUBLISH 2 returns 1, transaction 4 returns [3, 4]"
expect "8.1.0, no retries" "$(seen inf none)" "$once"
python_packages redis==5.3.1
expect "5.3.1, all replies lost" "$(seen inf)" "$once"
