"""Takes the client through whole journeys with real servers, and prints a table.

    python3 servers.py --tool APOLLO-CLI --build DIR --environments DIR --folder DIR [NAME…]

For each server: starts it, downloads its schema, generates code for its operations in
Tests/ServerChecks/GraphQL, compiles a program with that code, and runs it. Every step has to end with
`ok`, or with what `expected` lists. Everything else fails.
"""

from __future__ import annotations

import argparse
import dataclasses
import fnmatch
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.parse

root = pathlib.Path(__file__).resolve().parents[2]
checks = root / "Tests/ServerChecks"
heroes = root / "Tests/SubscriptionServerTests/Servers"
steps = ["fetch-schema", "generate", "compile", "query", "mutate", "cached", "watch", "subscribe"]

# What is seen instead of `ok`. The steps after it are not taken.
expected: list[tuple[str, str, str]] = []


@dataclasses.dataclass
class Server:
    """A server and what the journey with it needs."""

    name: str
    environment: str  # the folder of its virtual environment
    requirements: pathlib.Path
    command: list[str]  # `PYTHON`, `BIN`, `PORT` and `FOLDER` are replaced
    operations: list[str]
    sources: str = "Heroes"
    sockets: str = ""  # the path of WebSockets, if it is another one
    steps: tuple[str, ...] = tuple(steps)
    subscribes: bool = True
    announces: bool = False  # prints its URL, with a port of its own choice
    environ: dict[str, str] = dataclasses.field(default_factory=dict)
    first: list[str] = dataclasses.field(default_factory=list)  # a command that runs before the server


def hero_server(name: str, environment: str, requirements: pathlib.Path, script: str, *words: str) -> Server:
    return Server(
        name, environment, requirements, ["PYTHON", str(heroes / script), *words], ["Heroes", "HeroChanges"],
        announces=True)  # fmt: skip


own = checks / "Servers"
servers = [
    hero_server("Strawberry", "venv", root / "Examples/StarWars/Server/requirements.txt", "strawberry_heroes.py"),
    hero_server("Hypercorn", "venv-hypercorn", heroes / "hypercorn.txt", "strawberry_heroes.py"),
    hero_server("Ariadne", "venv-ariadne", heroes / "ariadne.txt", "ariadne_heroes.py", "graphql-transport-ws"),
    hero_server("Graphene", "venv-graphene", heroes / "graphene.txt", "graphene_heroes.py"),
    Server(
        "GrapheneDjango", "venv-django", own / "django.txt", ["PYTHON", str(own / "django_heroes.py"), "PORT"],
        ["Heroes"], subscribes=False),
    Server(
        "Datasette", "venv-datasette", own / "datasette.txt",
        ["BIN/datasette", "FOLDER/heroes.db", "--port", "PORT"], ["Datasette"], "Datasette", subscribes=False,
        steps=tuple(step for step in steps if step != "mutate"),
        first=["PYTHON", str(own / "make_database.py"), "FOLDER/heroes.db"]),
    Server(
        "Coniql", "venv-coniql", own / "coniql.txt", ["PYTHON", str(own / "serve_coniql.py"), "PORT"], ["Coniql"],
        "Coniql", sockets="/ws", steps=tuple(step for step in steps if step != "mutate")),
    Server(
        "Dagster", "venv-dagster", own / "dagster.txt",
        ["BIN/dagster-webserver", "-f", str(own / "dagster_jobs.py"), "-h", "127.0.0.1", "-p", "PORT"], ["Dagster"],
        "Dagster", environ={"DAGSTER_HOME": "FOLDER", "DAGSTER_DISABLE_TELEMETRY": "yes"}),
    Server(
        "MLflow", "venv-mlflow", own / "mlflow.txt",
        ["BIN/mlflow", "server", "--host", "127.0.0.1", "--port", "PORT", "--workers", "1",
         "--backend-store-uri", "sqlite:///FOLDER/mlflow.db", "--default-artifact-root", "FOLDER/artifacts"],
        ["MLflow"], "MLflow", subscribes=False,
        environ={"MLFLOW_DISABLE_TELEMETRY": "true", "DO_NOT_TRACK": "true"}),
]  # fmt: skip

# The servers that were started. They end with this process.
running: list[subprocess.Popen] = []


def stop(process: subprocess.Popen) -> None:
    """Ends a server with its children."""
    try:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=10)
    except (ProcessLookupError, subprocess.TimeoutExpired):
        pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def end(number: int, _: object) -> None:
    for process in running:
        stop(process)
    os._exit(128 + number)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def configuration(server: Server, url: str) -> str:
    return json.dumps({
        "schemaNamespace": "API",
        "schemaDownload": {
            "downloadMethod": {"introspection": {
                "endpointURL": url, "httpMethod": {"POST": {}}, "includeDeprecatedInputValues": False,
                "outputFormat": "SDL"}},
            "outputPath": "schema.graphqls",
        },
        "input": {"schemaSearchPaths": ["schema.graphqls"], "operationSearchPaths": ["GraphQL/*.graphql"]},
        "output": {
            "schemaTypes": {
                "path": f"Sources/{server.name}/API", "moduleType": {"embeddedInTarget": {"name": server.name}}},
            "operations": {"inSchemaModule": {}},
            "testMocks": {"none": {}},
        },
    })  # fmt: skip


class Journey:
    """The steps with one server."""

    def __init__(self, server: Server, arguments: argparse.Namespace):
        self.server, self.arguments = server, arguments
        self.folder = arguments.folder / server.name
        self.folder.mkdir()
        self.bin = arguments.environments / server.environment / "bin"
        self.port = free_port()

    def filled(self, word: str) -> str:
        for old, new in [
            ("PYTHON", self.bin / "python"), ("BIN", self.bin), ("PORT", self.port), ("FOLDER", self.folder),
        ]:  # fmt: skip
            word = word.replace(old, str(new))
        return word

    def start(self) -> subprocess.Popen:
        environ = dict(os.environ, **{key: self.filled(value) for key, value in self.server.environ.items()})
        environ["PATH"] = f"{self.bin}:{environ['PATH']}"  # for the programs that a server starts
        if self.server.first:
            subprocess.run([self.filled(word) for word in self.server.first], check=True)
        log = open(self.folder / "server.log", "w")
        process = subprocess.Popen(
            [self.filled(word) for word in self.server.command], cwd=self.folder, env=environ,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE if self.server.announces else log, stderr=log,
            start_new_session=True)  # fmt: skip
        running.append(process)
        if self.server.announces:
            self.port = urllib.parse.urlsplit(process.stdout.readline().decode().strip()).port or self.port
        deadline = time.monotonic() + 180
        while time.monotonic() < deadline and process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return process
            except OSError:
                time.sleep(0.2)
        stop(process)
        raise SystemExit(f"error: {self.server.name} did not start:\n{(self.folder / 'server.log').read_text()[-3000:]}")

    def run(self) -> dict[str, str]:
        """Returns what each step saw. After a failure, the steps that need its result are left out."""
        package, server = self.arguments.build, self.server
        process = self.start()
        base = f"http://127.0.0.1:{self.port}"
        try:
            shutil.rmtree(package / "GraphQL", ignore_errors=True)
            (package / "GraphQL").mkdir()
            for name in server.operations:
                shutil.copy(checks / "GraphQL" / f"{name}.graphql", package / "GraphQL")
            sources = package / "Sources" / server.name
            sources.mkdir(exist_ok=True)
            main = (checks / "Sources" / server.sources / "main.swift").read_text()
            if not server.subscribes:
                main = main.partition("#if SUBSCRIPTIONS")[0]
            (sources / "main.swift").write_text(main.replace("#if SUBSCRIPTIONS", "#if true"))
            options = ["--string", configuration(server, f"{base}/graphql")]
            build = ["swift", "build", "--package-path", str(package), "--product", server.name]
            outcomes: dict[str, str] = {}
            for step, command in [
                ("fetch-schema", [self.arguments.tool, "fetch-schema", *options]),
                ("generate", [self.arguments.tool, "generate", *options]), ("compile", build),
            ]:  # fmt: skip
                result = subprocess.run(command, cwd=package, capture_output=True, text=True)
                outcomes[step] = "ok" if result.returncode == 0 else first_error(result.stdout + result.stderr)
                if result.returncode != 0:
                    return outcomes
            shown = subprocess.run([*build[:4], "--show-bin-path"], check=True, capture_output=True, text=True)
            program = pathlib.Path(shown.stdout.strip()) / server.name
            urls = [f"{base}/graphql"] + ([base + server.sockets] if server.sockets else [])
            result = subprocess.run([program, *urls], capture_output=True, text=True, timeout=300)
            outcomes |= dict(line.split("\t", 1) for line in result.stdout.splitlines())
            return outcomes
        finally:
            stop(process)


def first_error(output: str) -> str:
    lines = [line for line in output.splitlines() if "error:" in line] or output.splitlines() or ["failed"]
    # The compiler's own errors say more than that of the command that failed.
    return next((line for line in lines if ".swift:" in line), lines[0]).strip()


def main() -> int:
    for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
        signal.signal(number, end)
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--environments-of", action="store_true", help="print the environments to make instead")
    parser.add_argument("--tool")
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--environments", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path)
    arguments = parser.parse_args()
    known = [server.name for server in servers]
    if unknown := [name for name in arguments.names if name not in known]:
        parser.error(f"There is no server '{unknown[0]}'. Choose from: {', '.join(known)}.")
    chosen = [server for server in servers if not arguments.names or server.name in arguments.names]
    if arguments.environments_of:
        for server in chosen:
            print(server.environment, server.requirements, server.name)
        return 0
    for server in servers:  # Every target of the package needs a source.
        (arguments.build / "Sources" / server.name).mkdir(parents=True, exist_ok=True)
        (arguments.build / "Sources" / server.name / "main.swift").touch()
    outcomes = {}
    for server in chosen:
        print(f"  {server.name}", file=sys.stderr, flush=True)
        outcomes[server.name] = Journey(server, arguments).run()
    print(f"| | {' | '.join(steps)} |\n| :-- {'| :-- ' * len(steps)}|")
    for name, column in outcomes.items():
        print(f"| {name} | {' | '.join(column.get(step, '–') for step in steps)} |")
    return judge({server.name: server for server in chosen}, outcomes)


def judge(chosen: dict[str, Server], outcomes: dict[str, dict[str, str]]) -> int:
    passed, failures = 0, []
    for name, column in outcomes.items():
        server = chosen[name]
        for step in server.steps:
            if step == "subscribe" and not server.subscribes:
                continue
            seen = column.get(step, "not reached")
            wanted = next((text for names, of, text in expected if names == name and of == step), "ok")
            if fnmatch.fnmatchcase(seen, wanted):
                passed += 1
                if wanted != "ok" and step in ("fetch-schema", "generate", "compile"):
                    break
            else:
                failures.append(f"{name}: {step}: seen '{seen}', expected '{wanted}'")
    for failure in failures:
        print(failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
