#!/usr/bin/env bash
# Version: Strawberry 0.341.2 on graphql-core 3.3.2, FastAPI 0.165.0 with Starlette 1.10.0, uvicorn
# 0.54.0; the client is websockets 17.4.
#
# Behaviour: a mutation leaves a task for later in 'background_tasks' of its context, as the
# documentation of Strawberry shows, and the router runs it behind the response. By POST it runs,
# also where the field fails after it has left the task, and where a part of the response is
# deferred. By a socket of graphql-transport-ws, the same mutation gets the same data, and the task
# never runs, neither while the socket is open nor after it is closed. The operations of a socket
# share one list, which has the tasks of all of them.
#
# Seen: "POST: data, run; POST, failed: error, run; POST, deferred: data, run; socket: data data
# data, list 1 2 3, not run; socket closed: not run".
#
# Why it surprises: which transport carries an operation is the choice of the client, and some send
# all operations over their socket. The schema cannot tell, and a test with the HTTP client passes:
# mails are sent for one client, and are not for another. The list keeps all that the tasks hold
# until the socket is closed, which can take days.
#
# Source: Strawberry's documentation, "FastAPI", "Setting background tasks"; FastAPI's
# documentation, "Background Tasks" (after the response); strawberry/fastapi/router.py (the context
# is a dependency of the socket, and the tasks go with the response of HTTP); issues 289 of FastAPI
# and 1754 of Strawberry.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 fastapi==0.165.0 \
  starlette==1.10.0 uvicorn==0.54.0 websockets==17.4 python-multipart==0.0.34
cat >"$folder/app.py" <<'END'
import strawberry
from fastapi import FastAPI
from strawberry.fastapi import GraphQLRouter
from strawberry.schema.config import StrawberryConfig

sent = []

@strawberry.type
class Hero:
    waiting: int

    @strawberry.field
    async def slow(self) -> str:
        return "Leia"

@strawberry.type
class Query:
    @strawberry.field
    def sent(self) -> list[str]:
        return sent

@strawberry.type
class Mutation:
    @strawberry.mutation
    def add(self, info: strawberry.Info, mail: str, fails: bool = False) -> Hero:
        tasks = info.context["background_tasks"]
        tasks.add_task(sent.append, mail)
        if fails:
            raise ValueError("The field failed.")
        return Hero(waiting=len(tasks.tasks))

config = StrawberryConfig(enable_experimental_incremental_execution=True)
app = FastAPI()
app.include_router(GraphQLRouter(strawberry.Schema(Query, Mutation, config=config)), prefix="/graphql")
END
serve_app
cat >"$folder/client.py" <<'END'
import json, sys, time, urllib.request
from websockets.sync.client import connect

address = f"//127.0.0.1:{sys.argv[1]}/graphql"

def post(query, accept="application/json"):
    headers = {"Content-Type": "application/json", "Accept": accept}
    request = urllib.request.Request("http:" + address, json.dumps({"query": query}).encode(), headers)
    with urllib.request.urlopen(request, timeout=10) as response:
        return response.read().decode()

def state(mail):
    time.sleep(1)
    return "run" if mail in json.loads(post("{ sent }"))["data"]["sent"] else "not run"

def report(name, received, mail):
    kind = "error" if '"errors"' in received else "data"
    assert kind == "error" or "waiting" in received
    return f"{name}: {kind}, {state(mail)}"

seen = [
    report("POST", post('mutation { add(mail: "a") { waiting } }'), "a"),
    report("POST, failed", post('mutation { add(mail: "b", fails: true) { waiting } }'), "b"),
    report("POST, deferred", post(
        'mutation { add(mail: "c") { waiting ... @defer { slow } } }', "multipart/mixed"), "c")]
with connect("ws:" + address, subprotocols=["graphql-transport-ws"]) as socket:
    def receive(kind):
        message = json.loads(socket.recv(timeout=10))
        assert message["type"] == kind
        return message.get("payload")

    socket.send('{"type": "connection_init"}')
    receive("connection_ack")
    waiting = []
    for mail in "xyz":
        payload = {"query": f'mutation {{ add(mail: "{mail}") {{ waiting }} }}'}
        socket.send(json.dumps({"type": "subscribe", "id": mail, "payload": payload}))
        waiting.append(str(receive("next")["data"]["add"]["waiting"]))
        receive("complete")
    states = {state(mail) for mail in "xyz"}
    seen.append(f"socket: data data data, list {' '.join(waiting)}, {' '.join(states)}")
seen.append(f"socket closed: {' '.join({state(mail) for mail in 'xyz'})}")
print("; ".join(seen))
END
expect "Tasks" "$(python "$folder/client.py" "$port")" \
  "POST: data, run; POST, failed: error, run; POST, deferred: data, run; socket: data data data, list 1 2 3, not run; socket closed: not run"
