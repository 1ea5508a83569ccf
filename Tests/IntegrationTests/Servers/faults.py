"""A server that gets everything wrong, on a free port of the loopback interface; the path says how.

    /html     answers 200 with a page for people
    /gateway  answers 502 with a page for people
    /half     announces more bytes than it sends, then closes the connection
    /silence  closes the connection without an answer
    /away     redirects to another origin, with a password and a query in the address
    /moved    redirects to /html
    /circle   redirects to itself
    /locked   answers 401 and asks for a password
    /huge     announces more bytes than anybody wants
    /flood    sends bytes until the client has gone
    /hang     reads the request, says so on standard output and never answers
    else      answers 404 with plain text

Like the example's server it prints its URL, without a path, when it is ready, and stops when its standard input ends.
"""

import socket
import sys
import threading

PAGE = b"<!DOCTYPE html><html><body><h1>Please sign in</h1></body></html>"
HALF = b'{"data":{"hero":{"__typename":"Droid","id":"20'


def head(status: str, content_type: str, length: int) -> bytes:
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {length}\r\nConnection: close\r\n\r\n"
    ).encode()


def redirect(location: str) -> bytes:
    return head(f"307 Temporary Redirect\r\nLocation: {location}", "text/plain", 0)


def answer(path: str) -> bytes:
    if path == "/html":
        return head("200 OK", "text/html; charset=utf-8", len(PAGE)) + PAGE
    if path == "/gateway":
        return head("502 Bad Gateway", "text/html", len(PAGE)) + PAGE
    if path == "/half":
        return head("200 OK", "application/json", 1000) + HALF
    if path == "/away":
        return redirect("http://user:hidden@127.0.0.2:9/graphql?token=hidden")
    if path == "/moved":
        return redirect("/html")
    if path == "/circle":
        return redirect("/circle")
    if path == "/locked":
        return head('401 Unauthorized\r\nWWW-Authenticate: Basic realm="x"', "text/plain", 2) + b"no"
    if path == "/huge":
        return head("200 OK", "application/json", 1 << 40)
    if path == "/silence":
        return b""
    return head("404 Not Found", "text/plain", 9) + b"Not Found"


def read_request(connection: socket.socket) -> str:
    """Returns the path once the whole request has arrived."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(65536) or b"\r\n\r\n"
    header, _, body = received.partition(b"\r\n\r\n")
    lines = header.decode("latin-1").split("\r\n")
    fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    missing = int(fields.get("content-length", 0)) - len(body)
    while missing > 0 and (chunk := connection.recv(65536)):
        missing -= len(chunk)
    return lines[0].split(" ")[1] if " " in lines[0] else ""


def flood(connection: socket.socket) -> None:
    try:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
        while True:
            connection.sendall(b" " * 1_000_000)
    except OSError:
        pass  # the client has gone


def serve(connection: socket.socket) -> None:
    with connection:
        path = read_request(connection)
        if path == "/hang":
            print("hanging", flush=True)
            connection.recv(1)  # returns when the client gives up
        elif path == "/flood":
            flood(connection)
        else:
            connection.sendall(answer(path))


def accept(listener: socket.socket) -> None:
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=accept, args=(listener,), daemon=True).start()
print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
sys.stdin.read()
