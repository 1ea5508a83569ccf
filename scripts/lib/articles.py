"""Runs the shell blocks of articles, each article in a copy of a project.

    python3 articles.py ARTICLE… --project DIR --tools DIR --folder DIR [--replace OLD=NEW]…

Each line of a block is a command. A comment before a block changes what is expected of it:

    <!-- shell: not run, because it needs an administrator -->
    <!-- shell: ends with 1, because a file is not formatted -->

- `init` runs in a project without a configuration.
- A command with `--watch` is ended after its first output.
- `swift package` is left to `scripts/examples`, which builds the plugins.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys

NOTE = re.compile(r"^<!-- shell: (not run|ends with (\d)), because .+ -->$")


def blocks(text: str):
    """The shell blocks of an article: the line, the expected status or `None` if it is not run, and the commands."""
    lines = text.splitlines()
    expected: int | None = 0
    index = 0
    while index < len(lines):
        note = NOTE.match(lines[index])
        if note:
            expected = int(note.group(2)) if note.group(2) else None
        elif lines[index] == "```sh":
            end = lines.index("```", index)
            yield index + 1, expected, lines[index + 1 : end]
            expected, index = 0, end
        elif lines[index].strip():
            expected = 0
        index += 1


def run(command: str, folder: pathlib.Path, environment: dict[str, str]) -> tuple[int, str]:
    """Runs a command. Returns its status and output; 0 for one that was ended after its first line."""
    shell = ["bash", "-euo", "pipefail", "-c", command]
    if "--watch" not in shlex.split(command):
        result = subprocess.run(
            shell, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        return result.returncode, result.stdout
    process = subprocess.Popen(
        shell, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    first = process.stdout.readline()
    # Not SIGINT, which every program that a shell has started in the background ignores.
    os.killpg(process.pid, signal.SIGTERM)
    process.communicate()
    return (0 if first else 1), first.decode()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("articles", nargs="+", type=pathlib.Path)
    parser.add_argument("--project", type=pathlib.Path, required=True)
    parser.add_argument("--tools", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--replace", action="append", default=[], metavar="OLD=NEW")
    arguments = parser.parse_args()
    home = arguments.folder / "home"
    for place in [".zsh/completions", ".config/fish/completions", ".local/share/man/man1"]:
        (home / place).mkdir(parents=True, exist_ok=True)
    environment = dict(
        os.environ, PATH=f"{arguments.tools}:{os.environ['PATH']}", HOME=str(home), TOKEN="secret", NO_COLOR="1"
    )
    count = skipped = 0
    for article in arguments.articles:
        text = article.read_text()
        for replacement in arguments.replace:
            text = text.replace(*replacement.split("=", 1))
        project = arguments.folder / article.stem
        shutil.copytree(arguments.project, project)
        for line, expected, commands in blocks(text):
            for command in commands:
                words = command.split()
                if expected is None or words[:2] == ["swift", "package"]:
                    skipped += 1
                    continue
                # The project's tool is built already.
                command = command.replace("swift run apollo-cli", "apollo-cli")
                folder = project
                if "apollo-cli init " in command:
                    folder = arguments.folder / f"{article.stem}-new"
                    folder.mkdir(exist_ok=True)
                print(f"  $ {command}", flush=True)
                status, output = run(command, folder, environment)
                count += 1
                if status != expected:
                    print(output, end="", flush=True)
                    place = f"{os.path.relpath(article)}:{line}"
                    raise SystemExit(f"{place}: error: '{command}' ends with {status} instead of {expected}.")
    print(f"  {count} commands run, {skipped} left out.")


if __name__ == "__main__":
    sys.exit(main())
