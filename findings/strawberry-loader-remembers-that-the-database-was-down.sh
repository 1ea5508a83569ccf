#!/usr/bin/env bash
# Version: Strawberry 0.341.2 (its DataLoader); aiodataloader 0.4.3 is the other one.
#
# Behaviour: the function of a batch raises an exception, because the database was away for a
# moment. Strawberry's loader keeps the failed future of each key of the batch, and raises the same
# exception for each later load, without calling the function again. aiodataloader, as the loader in
# JavaScript that both follow, forgets the keys of a batch that failed as a whole and asks again.
#
# Seen: "strawberry: OSError OSError OSError, 1 batch; aiodataloader: OSError hero hero, 2 batches".
#
# Why it surprises: the loader is documented as a cache of values. One that lives as long as a
# subscription or a worker, and whose keys once met an outage, never recovers, and the log shows a
# fresh error of a database that works.
#
# Source: strawberry/dataloader.py, dispatch_batch; aiodataloader/__init__.py, failed_dispatch;
# "Caching Errors" in the documentation of graphql/dataloader.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 aiodataloader==0.4.3
cat >"$folder/loads.py" <<'END'
import asyncio, importlib, sys

async def main(module):
    batches = []

    async def heroes(keys):
        batches.append(list(keys))
        if len(batches) == 1:
            raise OSError("the database is away")
        return ["hero" for _ in keys]

    loader = importlib.import_module(module).DataLoader(heroes)
    ends = []
    for _ in range(3):
        try:
            ends.append(await loader.load(5))
        except OSError as error:
            ends.append(type(error).__name__)
    print(*ends, end=f", {len(batches)} batch{'es' if len(batches) > 1 else ''}\n")

asyncio.run(main(sys.argv[1]))
END
expect "Strawberry's loader" "$(python "$folder/loads.py" strawberry.dataloader)" \
  "OSError OSError OSError, 1 batch"
expect "aiodataloader" "$(python "$folder/loads.py" aiodataloader)" "OSError hero hero, 2 batches"
