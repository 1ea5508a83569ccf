#!/usr/bin/env bash
# Version: rath 4.1.2 (a client for Python) with aiohttp 3.14.5 and httpx 0.27.2, on graphql-core
# 3.2.14.
#
# Behaviour: a chain of links begins with ApqLink, which is to send the hash of a query only, and
# the text when the server does not know it. Behind it, AIOHttpLink and HttpxLink send the whole
# text each time, and never a hash. A link of one's own that does what ApqLink notes in the context
# of the operation sends the hash, is told PersistedQueryNotFound, and sends the text without the
# hash then. The server cannot store it, so that each call costs two requests, for ever.
#
# Seen: "AIOHttpLink: text, text, text, stored 0; HttpxLink: text, text, text, stored 0; a link that
# obeys: hash, text, hash, text, hash, text, stored 0; the protocol: hash, hash and text, hash,
# hash, stored 1".
#
# Why it surprises: the three queries succeed in each case, and the link is documented to send the
# query again "together with the hash". A feature that only saves bytes shows by nothing but what is
# sent. With a server that takes hashes only, the chain is refused; with one that takes both, a
# cache in front of it never has a hit, or the number of requests is twice what it was without.
#
# Source: Apollo's "automatic persisted queries" (the second request has text and hash);
# rath/links/apq.py, aexecute (removes the hash before the text is sent); rath/links/aiohttp.py and
# httpx.py, aexecute (look at neither 'omit_document' nor 'extensions').
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages rath==4.1.2 aiohttp==3.14.5 httpx==0.27.2 graphql-core==3.2.14
seen=$(library_python <<'END'
import asyncio
import hashlib

import aiohttp
import graphql
from answers import serve
from rath import Rath
from rath.links.aiohttp import AIOHttpLink
from rath.links.apq import ApqLink
from rath.links.base import AsyncTerminatingLink
from rath.links.compose import compose
from rath.links.httpx import HttpxLink
from rath.operation import GraphQLException, GraphQLResult

QUERY = "query Hero { hero }"
schema, stored, seen = graphql.build_schema("type Query { hero: String }"), {}, []

def answer(sent, _):
    hash, text = sent.get("extensions", {}).get("persistedQuery", {}).get("sha256Hash"), sent.get("query")
    seen.append(" and ".join(name for name, value in (("hash", hash), ("text", text)) if value))
    if hash and text:
        stored[hash] = text
    text = text or stored.get(hash)
    missing = {"errors": [{"message": "PersistedQueryNotFound"}]}
    return graphql.graphql_sync(schema, text, {"hero": "Leia"}).formatted if text else missing

URL = serve(answer)

async def post(payload):
    async with aiohttp.ClientSession() as session, session.post(URL, json=payload) as response:
        return await response.json()

class ObedientLink(AsyncTerminatingLink):
    async def aexecute(self, operation):
        payload = {"extensions": operation.context.extensions}
        if not operation.context.omit_document:
            payload["query"] = operation.document
        result = await post(payload)
        if "errors" in result:
            raise GraphQLException(result["errors"][0]["message"])
        yield GraphQLResult(data=result["data"])

async def through(link):
    async with Rath(link=compose(ApqLink(), link)) as client:
        for _ in range(3):
            assert (await client.aquery(QUERY)).data == {"hero": "Leia"}

async def protocol():
    extensions = {"persistedQuery": {"version": 1, "sha256Hash": hashlib.sha256(QUERY.encode()).hexdigest()}}
    for _ in range(3):
        result = await post({"extensions": extensions})
        if "errors" in result:
            result = await post({"extensions": extensions, "query": QUERY})
        assert result["data"] == {"hero": "Leia"}

async def main():
    ways = {
        "AIOHttpLink": through(AIOHttpLink(endpoint_url=URL)), "HttpxLink": through(HttpxLink(endpoint_url=URL)),
        "a link that obeys": through(ObedientLink()), "the protocol": protocol(),
    }
    for name, run in ways.items():
        stored.clear()
        seen.clear()
        await run
        print(f"{name}: {', '.join(seen)}, stored {len(stored)}", end="; ")

asyncio.run(main())
END
)
expect "Sent" "${seen%; }" \
  "AIOHttpLink: text, text, text, stored 0; HttpxLink: text, text, text, stored 0; a link that obeys: hash, text, hash, text, hash, text, stored 0; the protocol: hash, hash and text, hash, hash, stored 1"
