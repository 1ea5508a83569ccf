#!/usr/bin/env bash
# Version: PostgreSQL 15 (Debian 12) with broadcaster 0.3.1 and asyncpg 0.32.0; Strawberry 0.341.2
# on graphql-core 3.3.2.
#
# Behaviour: a table has a trigger that notifies of each row that is added, and a subscription of
# GraphQL delivers these events by broadcaster. The rows 5, 5 and 3 in three transactions are three
# events. In one transaction, by one statement or by three, they are two events, 5 and 3: a
# notification whose channel and text are those of an earlier one is left out. The two need not be
# neighbours, since 5, 3, 5 are 5 and 3 too. With the id of the row in the text, all three arrive.
#
# Seen: "three transactions: 5 5 3; three statements of one: 5 3; one statement: 5 3; not next to
# each other: 5 3; with the id: 1:5 2:5 3:3".
#
# Why it surprises: the trigger runs for each row, and each call succeeds. In a test, each statement
# is a transaction of its own. A client that adds up the events has 8 where the table has 13, and
# only when an import or a larger transaction brings two equal ones. With a text that names the
# object alone, "hero 5 has changed", nothing is lost, so that the habit is formed with those.
#
# Source: PostgreSQL's documentation, "NOTIFY" (duplicates within a transaction); src/backend/
# commands/async.c, AsyncExistsPendingNotify; broadcaster/_backends/postgres.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

PATH=$PATH:/usr/lib/postgresql/15/bin
debian_program postgres postgresql-15
python_packages broadcaster==0.3.1 asyncpg==0.32.0 strawberry-graphql==0.341.2 graphql-core==3.3.2
port=$(free_port)
install -d -o postgres -g postgres -m 700 "$folder/data"
# The server refuses to run as the administrator.
as_postgres() { cd "$folder/data" && exec setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
(as_postgres initdb --no-sync --auth=trust --encoding=UTF8 --locale=C .) >/dev/null
(as_postgres postgres -D . -F -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories=) \
  2>/dev/null &
await_port "$port"
cat >"$folder/hits.py" <<'END'
import asyncio, sys
import asyncpg
import strawberry
from broadcaster import Broadcast

address = f"postgresql://postgres@127.0.0.1:{sys.argv[1]}/postgres"
broadcast = Broadcast(address)

@strawberry.type
class Query:
    hero: str = "Leia"

@strawberry.type
class Subscription:
    @strawberry.subscription
    async def hits(self, channel: str) -> str:
        async with broadcast.subscribe(channel) as events:
            async for event in events:
                yield event.message

schema = strawberry.Schema(Query, subscription=Subscription)

async def show(name, connection, channel, *transactions):
    await connection.execute("TRUNCATE hits RESTART IDENTITY")
    received = []

    async def client():
        document = "subscription ($channel: String!) { hits(channel: $channel) }"
        results = await schema.subscribe(document, {"channel": channel})
        async for result in results:
            if result.data["hits"] == "end":
                break
            received.append(result.data["hits"])
        await results.aclose()

    task = asyncio.create_task(client())
    await asyncio.sleep(1) # Until it listens.
    for statements in transactions:
        async with connection.transaction():
            for rows in statements:
                values = ", ".join(f"({row})" for row in rows)
                await connection.execute(f"INSERT INTO hits (points) VALUES {values}")
    await connection.execute("SELECT pg_notify($1, 'end')", channel)
    await asyncio.wait_for(task, 10)
    return f"{name}: {' '.join(received)}"

async def main():
    connection = await asyncpg.connect(address)
    await connection.execute("""
      CREATE TABLE hits (id serial, points int);
      CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('hits', NEW.points::text);
        PERFORM pg_notify('hits_with_id', NEW.id || ':' || NEW.points);
        RETURN NULL;
      END $$;
      CREATE TRIGGER announce AFTER INSERT ON hits FOR EACH ROW EXECUTE FUNCTION announce();
    """)
    async with broadcast:
        print("; ".join([
            await show("three transactions", connection, "hits", [[5]], [[5]], [[3]]),
            await show("three statements of one", connection, "hits", [[5], [5], [3]]),
            await show("one statement", connection, "hits", [[5, 5, 3]]),
            await show("not next to each other", connection, "hits", [[5], [3], [5]]),
            await show("with the id", connection, "hits_with_id", [[5, 5, 3]])]))
    await connection.close()

asyncio.run(main())
END
expect "Events of the rows" "$(python "$folder/hits.py" "$port")" \
  "three transactions: 5 5 3; three statements of one: 5 3; one statement: 5 3; not next to each other: 5 3; with the id: 1:5 2:5 3:3"
