#!/usr/bin/env bash
# Version: tenacity 9.2.1, backoff 2.2.1 and stamina 26.1.0; graphql-core 3.3.2 runs the
# subscription.
#
# Behaviour: the events of a subscription come from an asynchronous generator, which is to be tried
# again when the connection to the broker is lost, at its start or behind the second of three
# events. Under the decorator of tenacity or backoff it runs once, and the first error ends the
# subscription, although five attempts are configured. The same decorator repeats a function that
# returns a list. That of stamina repeats the generator from its start, so that the first two events
# come twice.
#
# Seen: "tenacity: list in 3 runs; lost at the start: nothing in 1 run, ConnectionError; lost behind
# two: 1 2 in 1 run, ConnectionError; backoff: the same; stamina: list in 3 runs; lost at the start:
# 1 2 3 in 3 runs; lost behind two: 1 2 1 2 3 in 2 runs".
#
# Why it surprises: a decorator that cannot do its work is expected to raise when it is applied.
# Calling a generator runs nothing of it, so the attempt succeeds and is over before the first
# event. As the two know coroutines, they seem to know what is asynchronous. Nothing differs until
# the broker is gone for a moment, and then it is a subscription without the retries that its code
# shows.
#
# Source: tenacity/_utils.py, is_coroutine_callable, and backoff/_decorator.py (both ask only
# whether the function is a coroutine function); stamina's documentation, retry ("Generators are
# restarted from the beginning on each retry").
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages tenacity==9.2.1 backoff==2.2.1 stamina==26.1.0 graphql-core==3.3.2
cat >"$folder/retries.py" <<'END'
import asyncio

import backoff
import stamina
import tenacity
from graphql import build_schema, parse, subscribe

schema = build_schema("type Query { version: Int } type Subscription { number: Int }")
decorators = {
    "tenacity": tenacity.retry(stop=tenacity.stop_after_attempt(5), reraise=True),
    "backoff": backoff.on_exception(backoff.constant, ConnectionError, max_tries=5, interval=0),
    "stamina": stamina.retry(on=ConnectionError, attempts=5, wait_initial=0, wait_jitter=0)}

def counted(runs):
    return f"{runs} run" if runs == 1 else f"{runs} runs"

async def list_of_events(retry):
    runs = 0

    @retry
    async def read():
        nonlocal runs
        runs += 1
        if runs < 3:
            raise ConnectionError("The broker is gone.")
        return [1, 2, 3]

    assert await read() == [1, 2, 3]
    return counted(runs)

async def subscription(retry, lost_behind, failures):
    runs, received = 0, []

    @retry
    async def read(*_):
        nonlocal runs
        runs += 1
        for number in (1, 2, 3):
            if runs <= failures and number == lost_behind + 1:
                raise ConnectionError("The broker is gone.")
            yield {"number": number}

    schema.subscription_type.fields["number"].subscribe = read
    error = ""
    try:
        async for result in await started(subscribe(schema, parse("subscription { number }"))):
            received.append(str(result.data["number"]))
    except ConnectionError as lost:
        error = f", {type(lost).__name__}"
    return f"{' '.join(received) or 'nothing'} in {counted(runs)}{error}"

async def started(result):
    return await result if asyncio.iscoroutine(result) else result

async def main():
    for name, retry in decorators.items():
        print(f"{name}: list in {await list_of_events(retry)}; lost at the start:"
              f" {await subscription(retry, 0, 2)}; lost behind two: {await subscription(retry, 2, 1)}")

asyncio.run(main())
END
expect Retries "$(python "$folder/retries.py" 2>"$folder/retries.log")" "\
tenacity: list in 3 runs; lost at the start: nothing in 1 run, ConnectionError; lost behind two: 1 2 in 1 run, ConnectionError
backoff: list in 3 runs; lost at the start: nothing in 1 run, ConnectionError; lost behind two: 1 2 in 1 run, ConnectionError
stamina: list in 3 runs; lost at the start: 1 2 3 in 3 runs; lost behind two: 1 2 1 2 3 in 2 runs"
