#!/usr/bin/env bash
# Version: Strawberry 0.341.2 (its DataLoader) and aiodataloader 0.4.3, on graphql-core 3.3.2.
#
# Behaviour: a resolver loads a hero with 'asyncio.wait_for' and has a fallback for the timeout.
# Another field of the request loads the same hero, and has time. Both loaders hand out one future
# for one key, and the timeout cancels it: the other field is cancelled too. A cancellation is no
# error of a field, so there is no response at all. aiodataloader keeps the cancelled future, and
# each later load of this key is cancelled as well, while Strawberry's asks again.
#
# Seen: "strawberry: badge null; name hero 5; badge and name CancelledError; later hero 5;
# aiodataloader: badge null; name hero 5; badge and name CancelledError; later CancelledError".
#
# Why it surprises: each field is right on its own and in its test. The caller of 'wait_for' gives
# up its own patience and handles that, and takes the whole response with it, only when it is slow.
#
# Source: Python's documentation, asyncio.wait_for (it cancels what it waits for) and
# asyncio.shield; strawberry/dataloader.py and aiodataloader/__init__.py, load.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 aiodataloader==0.4.3
cat >"$folder/loads.py" <<'END'
import asyncio, importlib, sys
import strawberry

DataLoader = importlib.import_module(sys.argv[1]).DataLoader

async def heroes(keys):
    await asyncio.sleep(0.3)
    return [f"hero {key}" for key in keys]

@strawberry.type
class Query:
    @strawberry.field
    async def badge(self, info: strawberry.Info) -> str | None:
        try:
            return await asyncio.wait_for(info.context.load(5), 0.05)
        except (asyncio.TimeoutError, TimeoutError):
            return None

    @strawberry.field
    async def name(self, info: strawberry.Info) -> str | None:
        return await info.context.load(5)

async def end(work):
    try:
        result = await work
    except asyncio.CancelledError as error:
        return type(error).__name__
    return result

async def main():
    schema = strawberry.Schema(Query)

    async def response(document, loader):
        result = await schema.execute(document, context_value=loader)
        assert not result.errors
        return " ".join(str(value or "null") for value in result.data.values())

    print("badge", await end(response("{ badge }", DataLoader(heroes))), end="; ")
    print("name", await end(response("{ name }", DataLoader(heroes))), end="; ")
    loader = DataLoader(heroes)
    print("badge and name", await end(response("{ badge name }", loader)), end="; ")
    print("later", await end(loader.load(5)))

asyncio.run(main())
END
expect "Strawberry's loader" "$(python "$folder/loads.py" strawberry.dataloader)" \
  "badge null; name hero 5; badge and name CancelledError; later hero 5"
expect "aiodataloader" "$(python "$folder/loads.py" aiodataloader)" \
  "badge null; name hero 5; badge and name CancelledError; later CancelledError"
