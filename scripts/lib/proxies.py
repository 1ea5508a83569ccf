"""Runs the checks of Tests/ProxyChecks through reverse proxies, and prints a table.

    python3 proxies.py --missing [NAME…]
    python3 proxies.py --program PROXY-CHECKS --python SERVER-PYTHON --folder DIR [--short] [NAME…]

Each proxy runs with its smallest and with its right configuration in front of a server of its own.
Every check has to end with `ok`, or with what `expected` lists. Everything else fails.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import fnmatch
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import sys
import time

from proxy_programs import Proxy, Run, proxies

calls = ["query", "get", "upload", "refused", "defer"]
routes = ["socket", "events", "multipart"]
silences = ["silentSocket", "silentEvents", "silentMultipart"]
changes = ["reload", "reloadSocket", "reloadEvents", "death", "deathSocket", "deathEvents"]
names = [*calls, *routes, "fallback", *silences, *changes]
# Left out of the short form: a wait for each route.
slow = {"fallback"}
sockets = {"socket", "fallback", "silentSocket", "reloadSocket", "deathSocket"}

# What is seen instead of `ok`, and in which columns: the first line that matches counts. `|`
# separates outcomes of a race.
expected = [
    # Without the two headers of the upgrade the server sees a GET without a query.
    ("nginx, smallest", "*ocket", "400"),
    ("apache, smallest", "*ocket", "400"),
    ("varnish, smallest", "*ocket", "400"),
    ("squid, smallest", "*ocket", "400"),
    ("lighttpd, smallest", "*ocket", "400"),
    # nginx speaks HTTP/1.0 to the server, which then cannot send chunks. The events pass because
    # the server asks for it with X-Accel-Buffering. lighttpd waits for the end of each response.
    ("nginx, smallest", "*ultipart", "no event"),
    ("nginx, smallest", "defer", "at the end"),
    ("lighttpd, smallest", "*ultipart", "no event"),
    ("lighttpd, smallest", "*vents", "no event"),
    ("lighttpd, smallest", "defer", "at the end"),
    ("nginx, smallest", "fallback", "serverSentEvents"),
    ("apache, smallest", "fallback", "multipart"),
    ("varnish, smallest", "fallback", "multipart"),
    ("squid, smallest", "fallback", "multipart"),
    ("lighttpd, smallest", "fallback", "no event"),
    ("*", "fallback", "webSocket"),
    # Limits of size. A refusal that arrives during the upload can be lost with its connection, and
    # is lost over HTTP/2 where the proxy resets the stream with an error.
    ("nginx, *", "refused", "ok"),
    ("squid, smallest", "refused", "connectionLost|accepted|400"),
    ("*, smallest", "refused", "accepted"),
    ("trafficserver, *", "refused", "accepted"),
    ("*", "refused", "ok|connectionLost"),
    # Caddy closes WebSockets, lighttpd every connection after a while.
    ("caddy, *", "reloadSocket", "resumed"),
    ("lighttpd, *", "reloadSocket", "resumed|ok"),
    ("lighttpd, *", "reloadEvents", "cut (connectionLost)|cut (truncated)|ok"),
    # lighttpd can end a connection of HTTP/2 without saying which streams it has not processed.
    # Apache can end one with streams that its GOAWAY has promised to process. If they are the first
    # ones of a connection, their queries are not sent again.
    ("lighttpd, right, HTTP/2", "reload", "connectionLost|ok"),
    ("apache, right, HTTP/2", "reload", "connectionLost|ok"),
    # Caddy resets the stream of a request whose body arrives behind its 502: libcurl 7.88 loses
    # that.
    ("caddy, right, HTTP/2", "death", "connectionLost|ok"),
    # Squid closes its listening sockets for a moment.
    ("squid, *", "reload", "cannotConnect|connectionLost|ok"),
]


# The proxies that were started. They end with this process.
running: list[subprocess.Popen] = []


def end(number: int, _: object) -> None:
    for process in running:
        process.terminate()
    os._exit(128 + number)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def make_certificate(folder: pathlib.Path) -> pathlib.Path:
    """A certificate for `localhost`, which is its own authority, and its key in one file."""
    key, certificate, both = (folder / name for name in ["key.pem", "certificate.pem", "both.pem"])
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout", str(key), "-out", str(certificate),
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    both.write_text(certificate.read_text() + key.read_text())
    both.chmod(0o644)  # Some of the proxies change their user first.
    return both


class Server:
    """The GraphQL server behind a proxy, on a port that stays the same when it is started again."""

    def __init__(self, python: str, script: pathlib.Path, heartbeat: str, log: pathlib.Path):
        self.command, self.port = [python, str(script)], free_port()
        self.log = log.open("a")
        self.heartbeat = heartbeat
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [*self.command, str(self.port), self.heartbeat],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True)  # fmt: skip
        if not self.process.stdout.readline():
            raise SystemExit(f"error: The GraphQL server did not start:\n{pathlib.Path(self.log.name).read_text()}")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


class Setup:
    """A proxy with one configuration in front of its server."""

    def __init__(self, proxy: Proxy, kind: str, arguments: argparse.Namespace, certificate: pathlib.Path):
        self.proxy, self.kind, self.arguments = proxy, kind, arguments
        script = pathlib.Path(__file__).resolve().parents[2] / "Tests/ProxyChecks/Server/proxied_heroes.py"
        folder = arguments.folder / f"{proxy.name}-{kind}"
        folder.mkdir()
        folder.chmod(0o777)  # Some of the proxies give up the administrator's rights.
        self.server = Server(arguments.python, script, arguments.heartbeat, folder / "server.log")
        self.run = Run(
            folder, free_port(), self.server.port, certificate, "3" if arguments.short else None, free_port())
        self.secure = kind == "right" and proxy.has_tls
        self.log = open(folder / "output.log", "w")
        command = (proxy.right if kind == "right" else proxy.smallest)(self.run)
        self.run.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, cwd=folder, start_new_session=True)
        running.append(self.run.process)
        self.wait()

    def wait(self) -> None:
        """Returns when the proxy passes a request on."""
        for _ in range(200):
            if self.run.process.poll() is not None:
                break
            try:
                if self.responds():
                    return
            except OSError:
                pass
            time.sleep(0.1)
        self.log.flush()
        texts = [path.read_text(errors="replace")[-2_000:] for path in self.run.folder.glob("*.log")]
        self.stop()
        raise SystemExit(f"error: {self.proxy.name} did not start with its {self.kind} configuration:\n" + "\n".join(texts))

    def responds(self) -> bool:
        with socket.create_connection(("127.0.0.1", self.run.port), 2) as plain:
            connection: socket.socket = plain
            if self.secure:
                context = ssl.create_default_context(cafile=str(self.run.certificate))
                connection = context.wrap_socket(plain, server_hostname="localhost")
            connection.sendall(
                f"GET /graphql?query=%7B__typename%7D HTTP/1.1\r\nHost: localhost:{self.run.port}\r\n"
                "Connection: close\r\n\r\n".encode())
            return b"200" in connection.recv(100)

    def check(self, version: str, checks: list[str]) -> dict[str, str]:
        """Runs checks in one process and returns what each of them saw."""
        url = f"{'https' if self.secure else 'http'}://localhost:{self.run.port}/graphql"
        arguments = self.arguments
        process = subprocess.Popen(
            [
                arguments.program, url, version, str(self.run.certificate) if self.secure else "-",
                arguments.silence, arguments.ping, *checks,
            ],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip
        seen = {}
        for line in process.stdout:
            line = line.rstrip("\n")
            if line.startswith("!"):
                self.act(line[1:])
                process.stdin.write("\n")
                process.stdin.flush()
            else:
                name, outcome = line.split("\t")
                seen[name] = outcome
        if process.wait() != 0:
            raise SystemExit(f"error: The checks of {self.proxy.name} ended with status {process.returncode}.")
        return seen

    def act(self, action: str) -> None:
        if action == "kill":
            self.server.kill()
        elif action == "revive":
            self.server.start()
        elif action == "reload":
            self.proxy.reload(self.run)
            time.sleep(0.3)  # The signal is handled by then.

    def stop(self) -> None:
        try:
            self.run.process.terminate()
            self.run.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.run.process.kill()
        self.server.kill()
        self.log.close()


def columns(proxy: Proxy) -> list[tuple[str, str]]:
    """The configurations of a proxy, with the HTTP versions in which clients meet them."""
    pairs = [("smallest", "1"), ("right", "1")]
    return pairs + ([("right", "2")] if proxy.has_http2 else [])


def run(proxy: Proxy, arguments: argparse.Namespace, certificate: pathlib.Path) -> dict[str, dict[str, str]]:
    """Runs every check of a proxy and returns the outcomes of each column."""
    setups: dict[str, Setup] = {}
    table: dict[str, dict[str, str]] = {}
    try:
        titles = {}
        for kind, version in columns(proxy):
            titles[kind, version] = title = f"{proxy.name}, {kind}" + ("" if version == "1" else ", HTTP/2")
            table[title] = {}
            if kind not in setups:
                setups[kind] = Setup(proxy, kind, arguments, certificate)

        def check(column: tuple[str, str], among: list[str]) -> None:
            kind, version = column
            chosen = [name for name in arguments.checks if name in among]
            if version != "1":  # WebSockets are made over HTTP/1.1 always.
                chosen = [name for name in chosen if name not in sockets]
            if not proxy.reloads:
                chosen = [name for name in chosen if not name.startswith("reload")]
            if arguments.short and kind == "smallest":
                chosen = [name for name in chosen if name in calls + routes]
            table[titles[column]] |= setups[kind].check(version, chosen) if chosen else {}

        for column in titles:
            check(column, calls + routes + ["fallback"])
        # The events of other checks would end the silence, so that all silent ones wait together.
        with concurrent.futures.ThreadPoolExecutor(len(titles) * len(silences)) as pool:
            for future in [pool.submit(check, column, [name]) for column in titles for name in silences]:
                future.result()
        for column in titles:
            check(column, changes)
    finally:
        for setup in setups.values():
            setup.stop()
    return table


def main() -> int:
    for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
        signal.signal(number, end)
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--missing", action="store_true", help="print the packages to install instead")
    parser.add_argument("--program")
    parser.add_argument("--python")
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--check", action="append", choices=names)
    arguments = parser.parse_args()
    known = [proxy.name for proxy in proxies]
    if unknown := [name for name in arguments.names if name not in known]:
        parser.error(f"There is no proxy '{unknown[0]}'. Choose from: {', '.join(known)}.")
    chosen = [proxy for proxy in proxies if not arguments.names or proxy.name in arguments.names]
    if arguments.missing:
        print(" ".join(proxy.packages for proxy in chosen if not proxy.is_installed()))
        return 0
    arguments.silence, arguments.ping, arguments.heartbeat = (
        ("6", "0.5", "0.5") if arguments.short else ("75", "-", "15"))
    arguments.checks = arguments.check or [name for name in names if not arguments.short or name not in slow]
    certificate = make_certificate(arguments.folder)
    with concurrent.futures.ThreadPoolExecutor(3 if arguments.short else 8) as pool:
        tables = list(pool.map(lambda proxy: run(proxy, arguments, certificate), chosen))
    outcomes = {title: column for table in tables for title, column in table.items()}
    print_table(outcomes, arguments.checks)
    return judge(outcomes)


def print_table(outcomes: dict[str, dict[str, str]], checks: list[str]) -> None:
    print(f"| | {' | '.join(checks)} |")
    print("| :-- " + "| :-- " * len(checks) + "|")
    for title, column in outcomes.items():
        print(f"| {title} | {' | '.join(column.get(name, '–') for name in checks)} |")


def judge(outcomes: dict[str, dict[str, str]]) -> int:
    """Compares the outcomes with what is known, and reports the differences."""
    passed, failures = 0, []
    for title, column in outcomes.items():
        for name, seen in column.items():
            matching = (
                text for columns, checks, text in expected
                if fnmatch.fnmatchcase(title, columns) and fnmatch.fnmatchcase(name, checks))  # fmt: skip
            known = next(matching, "ok")
            if seen in known.split("|"):
                passed += 1
            else:
                failures.append(f"{title}: {name}: seen '{seen}', expected '{known}'")
    for failure in failures:
        print(failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
