#!/usr/bin/env bash
# Version: diskcache 5.6.3 with the SQLite of Python's sqlite3.
#
# Behaviour: within 'cache.transact()' a response is replaced or deleted, then an exception ends the
# block, and the transaction is rolled back. A response of 1 kB is there again. One of 100 kB is
# gone: its key is listed and counts, 'in' finds it, and reading it raises a KeyError or returns the
# default. Values of 32 KiB or more are kept in files of their own. The row is rolled back, and the
# file it names has been removed already, as each call inside the block removes files at its own
# end. Nothing repairs the row but 'check(fix=True)' or the next write of the key.
#
# Seen: "1 kB, replaced: listed, in, old value; 1 kB, deleted: listed, in, old value; 100 kB,
# replaced: listed, in, KeyError; 100 kB, deleted: listed, in, KeyError; checked: 2 files missing".
#
# Why it surprises: the block is a transaction of SQLite, and its rollback works for each value in a
# test. Where the values are responses, it depends on their size whether a failed update leaves the
# former one or none. 'if key in cache: return cache[key]' fails although nothing else has run.
#
# Source: diskcache's documentation, "Transactions" (Cache.transact: "Context manager to perform a
# transaction"); diskcache/core.py, _transact (the files are removed although 'begin' is False).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages diskcache==5.6.3
cat >"$folder/rollback.py" <<'END'
import sys

import diskcache

def replace(cache, key, value):
    cache[key] = value

def delete(cache, key, value):
    del cache[key]

def state(cache, key, former):
    try:
        read = "old value" if cache[key] == former else "another value"
    except KeyError as error:
        assert cache.get(key, "default") == "default"
        read = type(error).__name__
    listed = "listed" if key in list(cache) else "not listed"
    return f"{listed}, {'in' if key in cache else 'not in'}, {read}"

seen = []
with diskcache.Cache(sys.argv[1]) as cache:
    for name, size in (("1 kB", 1_000), ("100 kB", 100_000)):
        for change, run in (("replaced", replace), ("deleted", delete)):
            key = f"{name} {change}"
            former = cache[key] = b"a" * size
            try:
                with cache.transact():
                    run(cache, key, b"b" * size)
                    raise RuntimeError("The rest of the update has failed.")
            except RuntimeError:
                pass
            seen.append(f"{name}, {change}: {state(cache, key, former)}")
    missing = [warning for warning in cache.check() if "file not found" in str(warning.message)]
    seen.append(f"checked: {len(missing)} files missing")
print("; ".join(seen))
END
expect "After the rollback" "$(python "$folder/rollback.py" "$folder/cache")" \
  "1 kB, replaced: listed, in, old value; 1 kB, deleted: listed, in, old value; 100 kB, replaced: listed, in, KeyError; 100 kB, deleted: listed, in, KeyError; checked: 2 files missing"
