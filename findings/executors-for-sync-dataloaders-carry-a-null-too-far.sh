#!/usr/bin/env bash
# Version: graphql-core-promise 3.4.2 with promise 2.3, and graphql-sync-dataloaders 0.1.1, each on
# graphql-core 3.2.6. Both admit 3.2.14, where the former fails at each request and the latter at
# each error of a field, with a TypeError.
#
# Behaviour: 'heroes: [Hero]' has three heroes, and a loader is asked for the friend of each. The
# second friend has no name, which cannot be null. With 'maybe: Friend' only that friend is to be
# null; graphql-core-promise makes null of the hero. With 'friend: Friend!' the hero is to be null,
# and graphql-sync-dataloaders makes null of all data. In a list of friends that are loaded one by
# one, one of them is to be null, and graphql-core-promise makes null of the list.
#
# Seen: graphql-core with asyncio: "maybe: heroes.1.maybe; friend: heroes.1; friends: friends.1";
# graphql-core-promise: "maybe: heroes.1; friend: heroes.1; friends: friends";
# graphql-sync-dataloaders: "maybe: heroes.1.maybe; friend: data; friends: friends.1". Each is the
# path of the null. The error has the path of the name in all of them.
#
# Why it surprises: both are said to be a drop-in class for the executor, for programs that cannot
# use asyncio. Without a loader, and without a null, everything is right. One bad row takes a list
# of good ones with it, or the whole screen, and the schema says that both could have been kept: a
# client that follows the path of the error finds no such null.
#
# Source: GraphQL specification, 6.4.4 (the nearest parent that can be null is null);
# graphql_core_promise/execute/promise.py, and graphql_sync_dataloaders/execution_context.py (where
# an error that is raised in a callback of a future arrives).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/nulls.py" <<'END'
import asyncio, importlib, sys
from graphql import build_schema, execute, parse

name, loader_module, context_module, context = sys.argv[1:]
schema = build_schema("""
  type Query { heroes: [Hero] friends: [Friend] }
  type Hero { id: Int maybe: Friend friend: Friend! }
  type Friend { name: String! }
""")
FRIENDS = {1: {"name": "Leia"}, 2: {"name": None}, 3: {"name": "Han"}}

def batch(keys):
    return [FRIENDS[key] for key in keys]

async def batch_async(keys):
    return batch(keys)

def make_loader():
    if name == "asyncio":
        return importlib.import_module(loader_module).DataLoader(batch_async)
    if name == "promise":
        from promise import Promise
        return importlib.import_module(loader_module).DataLoader(lambda keys: Promise.resolve(batch(keys)))
    return importlib.import_module(loader_module).SyncDataLoader(batch)

class Hero:
    def __init__(self, key, loader):
        self.id, self.loader = key, loader

    def maybe(self, info):
        return self.loader.load(self.id)

    friend = maybe

class Root:
    def __init__(self):
        self.loader = make_loader()

    def heroes(self, info):
        return [Hero(key, self.loader) for key in FRIENDS]

    def friends(self, info):
        return [self.loader.load(key) for key in FRIENDS]

def null(value, path=()):
    """The path of the first null."""
    if value is None:
        return ".".join(map(str, path)) or "data"
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return next(filter(None, (null(item, (*path, key)) for key, item in items)), None)

async def run(document):
    options = {}
    if context:
        options["execution_context_class"] = getattr(importlib.import_module(context_module), context)
    result = execute(schema, parse(document), Root(), **options)
    if hasattr(result, "get"):
        result = result.get()
    elif hasattr(result, "__await__"):
        result = await result
    assert len(result.errors) == 1 and result.errors[0].path[-1] == "name"
    return null(result.data)

for field, document in (
    ("maybe", "{ heroes { id maybe { name } } }"),
    ("friend", "{ heroes { id friend { name } } }"),
    ("friends", "{ friends { name } }"),
):
    print(f"{field}: {asyncio.run(run(document))}", end="" if field == "friends" else "; ")
END
python_packages graphql-core==3.2.6 aiodataloader==0.4.3 graphql-core-promise==3.4.2 promise==2.3 graphql-sync-dataloaders==0.1.1
expect "graphql-core with asyncio" "$(python "$folder/nulls.py" asyncio aiodataloader "" "")" \
  "maybe: heroes.1.maybe; friend: heroes.1; friends: friends.1"
expect "graphql-core-promise" \
  "$(python "$folder/nulls.py" promise promise.dataloader graphql_core_promise PromiseExecutionContext)" \
  "maybe: heroes.1; friend: heroes.1; friends: friends"
expect "graphql-sync-dataloaders" \
  "$(python "$folder/nulls.py" sync graphql_sync_dataloaders graphql_sync_dataloaders DeferredExecutionContext)" \
  "maybe: heroes.1.maybe; friend: data; friends: friends.1"
