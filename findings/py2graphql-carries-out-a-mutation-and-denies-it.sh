#!/usr/bin/env bash
# Version: py2graphql 0.23.0 with aiohttp 3.14.5, httpx 0.28.1 and tenacity 9.2.1.
#
# Behaviour: a mutation is sent by 'fetch_async', for which the library needs aiohttp or httpx. With
# httpx alone the caller has the data. With aiohttp alone the mutation is carried out and answered,
# and the caller receives a ValueError that no HTTP client is available. With both installed it is
# carried out by aiohttp, and the caller receives an AttributeError. And where the server carries it
# out and closes the connection in place of a response, 'fetch_async' sends it three times within
# four seconds; 'fetch' sends it once.
#
# Seen: "httpx: data, sent 1; aiohttp: No async HTTP client available, sent 1; both: AttributeError,
# sent 1; lost response: fetch RemoteProtocolError, sent 1; fetch_async RetryError, sent 3".
#
# Why it surprises: the message speaks of something that is missing before a request, so that a
# program may take another way and book once more. aiohttp is the first one that the library looks
# for, and which of the two is installed is decided by other packages. The retry is in a decorator,
# without an option, for any operation and each error, and the other method of the same name has
# none.
#
# Source: py2graphql/core.py, Client.fetch_async (the second of three conditions begins anew) and
# do_request_async (tenacity's retry); RFC 9110, 9.2.2 (a client should not repeat a method that is
# not idempotent by itself).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/client.py" <<'END'
import asyncio
import sys

from answers import serve
import py2graphql

sent = []

def answer(mutation, path):
    sent.append(mutation)
    return None if path == "/lost" else {"data": {"book": 1}}

address = serve(answer)

def end(path, method):
    sent.clear()
    client = py2graphql.Client(address + path, {"content-type": "application/json"})
    mutation = client.mutation().book(seat=5).values("id")
    try:
        result = getattr(mutation, method)()
        result = asyncio.run(result) if method == "fetch_async" else result
        what = "data" if result == {"book": 1} else result
    except Exception as error:
        what = "No async HTTP client available" if "No async" in str(error) else type(error).__name__
    return f"{what}, sent {len(sent)}"

if sys.argv[1] == "lost":
    print(f"lost response: fetch {end('/lost', 'fetch')}; fetch_async {end('/lost', 'fetch_async')}")
else:
    print(f"{sys.argv[1]}: {end('/', 'fetch_async')}", end="; ")
END
python_packages py2graphql==0.23.0 tenacity==9.2.1 httpx==0.28.1
seen=$(library_python "$folder/client.py" httpx)
lost=$(library_python "$folder/client.py" lost)
python_packages py2graphql==0.23.0 tenacity==9.2.1 aiohttp==3.14.5
seen+="$(library_python "$folder/client.py" aiohttp)"
python_packages py2graphql==0.23.0 tenacity==9.2.1 aiohttp==3.14.5 httpx==0.28.1
seen+="$(library_python "$folder/client.py" both)$lost"
expect "A mutation" "$seen" \
  "httpx: data, sent 1; aiohttp: No async HTTP client available, sent 1; both: AttributeError, sent 1; lost response: fetch RemoteProtocolError, sent 1; fetch_async RetryError, sent 3"
