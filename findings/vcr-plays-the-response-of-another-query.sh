#!/usr/bin/env bash
# Version: vcrpy 9.4.2 and betamax 0.9.0 with requests 2.34.2.
#
# Behaviour: both record the responses to the requests of a test, and play them in its next run. A
# test asks for hero 5 and then for hero 6, and both are recorded. When the two queries come in the
# other order, each gets the response of the other one. A query that was never recorded, for hero 7
# or with a mutation, gets the response for hero 5. Neither raises. By default a request is
# recognized by its method and its URL, which are the same for each operation of GraphQL; with the
# body among what is compared, each has its own and the third one is refused.
#
# Seen: "vcrpy: 6 5 are 5 6; 7 is 5; mutation is 5; with the body: 6 5 are 6 5; 7 refused; mutation
# refused", and the same for betamax.
#
# Why it surprises: with REST the URL names what is asked for, and an unknown request fails the test
# in the strictest way, which is why the tool is used. With GraphQL a test of a query that has since
# been changed, misspelled or replaced still passes, with data of the former one. Two queries that
# run at the same time have no order, so that their responses are exchanged now and then.
#
# Source: the documentation of vcrpy, "Request matching", and of betamax, "Matchers" (the defaults);
# GraphQL over HTTP, "URL" (one for all requests).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages vcrpy==9.4.2 betamax==0.9.0 requests==2.34.2
cat >"$folder/upstream.py" <<'END'
import json

def respond(connection, head):
    head, body = head.split(b"\r\n\r\n", 1)
    length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
    while len(body) < length:
        body += connection.recv(65536)
    hero = json.loads(body)["variables"]["id"]
    response = json.dumps({"data": {"hero": {"id": hero}}}).encode()
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (len(response), response))
END
serve_upstream
cat >"$folder/cassettes.py" <<'END'
import contextlib, sys
import betamax, requests, vcr

tool, folder, port = sys.argv[1:]
QUERY = "query ($id: ID) { hero(id: $id) { id } }"
MUTATION = "mutation ($id: ID) { hero: promote(id: $id) { id } }"

@contextlib.contextmanager
def cassette(name, body):
    matchers = ["method", "uri"] + ["body"] * body
    session = requests.Session()
    if tool == "vcrpy":
        options = {"match_on": matchers} if body else {}
        with vcr.use_cassette(f"{folder}/{name}.yaml", **options):
            yield session
    else:
        options = {"match_requests_on": matchers} if body else {}
        with betamax.Betamax(session, cassette_library_dir=folder).use_cassette(name, **options):
            yield session

def test(name, body, *heroes, document=QUERY):
    with cassette(name, body) as session:
        results = []
        for hero in heroes:
            request = {"query": document, "variables": {"id": hero}}
            response = session.post(f"http://127.0.0.1:{port}/graphql", json=request)
            results.append(str(response.json()["data"]["hero"]["id"]))
        return " ".join(results)

def played(verb, *arguments, **options):
    try:
        return f"{verb} {test(*arguments, **options)}"
    except Exception:
        return "refused"

for name, body in (("default", False), ("body", True)):
    assert test(name, body, 5, 6) == "5 6"
    print("with the body: " * body + "6 5", played("are", name, body, 6, 5), end="; ")
    print("7", played("is", name, body, 7), end="; ")
    print("mutation", played("is", name, body, 5, document=MUTATION), end="; " * (not body))
END
for tool in vcrpy betamax; do
  mkdir "$folder/$tool"
  expect "$tool" "$(python "$folder/cassettes.py" $tool "$folder/$tool" "$upstream")" \
    "6 5 are 5 6; 7 is 5; mutation is 5; with the body: 6 5 are 6 5; 7 refused; mutation refused"
done
