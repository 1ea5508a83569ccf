"""A GraphQL server of graphql-core with Relay's `node(id:)`, on a free port of the loopback interface.

The extensions of each response have the fields of the root that were resolved, so that a test sees the way that the server took.
The book `book-2` is one that `node` does not find.

Like the example's server it prints its URL when it is ready, and stops when its standard input ends.
"""

import http.server
import json
import sys
import threading

from graphql import GraphQLError, build_schema, graphql_sync

SCHEMA = build_schema(
    """
    type Query { node(id: ID!): Node library(name: String!): Library count: Int! }
    interface Node { id: ID! }
    type Library implements Node { id: ID! name: String! books(first: Int): [Book!]! }
    type Book implements Node { id: ID! title: String! pages: Int isbn: String }
    """
)
resolved: list = []


class Book:
    def __init__(self, number: int) -> None:
        self.id = f"book-{number}"
        self.title = f"Title {number}"
        self.pages = 100 + number

    def isbn(self, info: object) -> str:
        raise GraphQLError("The ISBN is unknown.")


class Library:
    id = "library"
    name = "Main"

    def books(self, info: object, first: int = 3) -> list:
        return [Book(number) for number in range(first)]


class Query:
    def library(self, info: object, name: str) -> Library:
        resolved.append("library")
        return Library()

    def count(self, info: object) -> int:
        resolved.append("count")
        return 3

    def node(self, info: object, id: str) -> object:
        resolved.append(f"node {id}")
        if id == "library":
            return Library()
        number = int(id.removeprefix("book-"))
        return None if number == 2 else Book(number)


SCHEMA.get_type("Node").resolve_type = lambda value, info, kind: type(value).__name__


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        resolved.clear()
        result = graphql_sync(
            SCHEMA, request["query"], Query(), variable_values=request.get("variables")
        ).formatted
        result["extensions"] = {"resolved": list(resolved)}
        body = json.dumps(result).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/graphql-response+json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass  # the test reads standard output


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}/graphql", flush=True)
sys.stdin.read()
