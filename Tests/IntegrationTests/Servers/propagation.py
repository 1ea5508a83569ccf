"""A GraphQL server of graphql-core 3.3 whose errors need not propagate, on a free port of the loopback interface.

graphql-core knows no request parameter `onError`. It has a directive, `@experimental_disableErrorPropagation`, which is
what `"onError": "NULL"` asks for, so the server adds it to the operation. `HALT` leaves out the data if there are errors.

Like the example's server it prints its URL when it is ready, and stops when its standard input ends.
"""

import http.server
import json
import re
import sys
import threading

from graphql import GraphQLError, build_schema, graphql_sync

SCHEMA = build_schema(
    """
    directive @experimental_disableErrorPropagation on QUERY | MUTATION | SUBSCRIPTION
    type Query { a: A! }
    type A { f: String! g: String! h: [String!]! }
    """
)
OPERATION = re.compile(r"^query (\w+)")


class A:
    def f(self, info: object) -> str:
        raise GraphQLError("There is no f.")

    def g(self, info: object) -> str:
        return "g"

    def h(self, info: object) -> list:
        return ["a", None]


class Query:
    def a(self, info: object) -> A:
        return A()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        behavior = request.get("onError", "PROPAGATE")
        query = request["query"]
        if behavior == "NULL":
            query = OPERATION.sub(r"query \1 @experimental_disableErrorPropagation", query)
        result = graphql_sync(SCHEMA, query, Query()).formatted
        if behavior == "HALT" and "errors" in result:
            result["data"] = None
        body = json.dumps(result).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/graphql-response+json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass  # the test reads standard output


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}/graphql", flush=True)
sys.stdin.read()
