"""Does what a document tells its reader to do, in an empty folder, and checks what it promises.

    python3 readme.py README.md "In your own project" --folder DIR [--replace OLD=NEW]…
    python3 readme.py Testing.md --folder DIR [--replace OLD=NEW]…
    python3 readme.py FirstClient.tutorial --folder DIR [--replace OLD=NEW]…

The blocks of code in that section, or of the whole document, or the files of the steps of a tutorial, are taken in
their order:

- `sh`: the commands run; `cd` lasts until the end. A comment before a block leaves it out:
  `<!-- shell: not run, because it needs an administrator -->`
- Other languages: the paragraph before the block names the file in backquotes, and the block is its content. Members of
  a JSON object, without braces around them, are added to the file.
- `swift` without a file, after the program has been shown: the block is added to the program, in a scope of its own.
  After a file of tests, it is added to the tests.

`// text` behind a `print` is a line that the program has to print, `// one, then two` are two of them. Commands that
run the program or the tests are run again at the end, with everything that was added.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field

FENCE = re.compile(r"^```(\w*)\s*$")
STEP = re.compile(r'^ *@Code\(name: "([^"]+)", file: "([^"]+)"\)$')
NOTE = re.compile(r"^<!-- shell: not run, because .+ -->$")
FILE = re.compile(r"`([\w./-]+\.(?:swift|graphqls?|json))`")
RUNS = re.compile(r"^swift (run (?!apollo-cli)|test)", re.MULTILINE)
PROGRAM = "main.swift"
TESTS = "Tests.swift"


@dataclass
class Block:
    """A block of code, its line in the document, and the paragraph before it."""

    language: str
    line: int
    paragraph: str
    text: str
    #: Whether a comment before the block says that it is not run.
    is_left_out: bool = False


def section(text: str, title: str) -> tuple[int, list[str]]:
    """The lines between the heading and the next one of its level, and the number of the first."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line == f"## {title}"), None)
    if start is None:
        raise SystemExit(f"error: there is no section '{title}'.")
    end = next((i for i in range(start + 1, len(lines)) if lines[i].startswith("## ")), len(lines))
    return start + 2, lines[start + 1 : end]


def blocks(first: int, lines: list[str]) -> list[Block]:
    """The blocks of code in `lines`, the first of which has the number `first`."""
    found: list[Block] = []
    paragraph: list[str] = []
    code: list[str] | None = None
    language, start = "", 0
    for number, line in enumerate(lines, first):
        fence = FENCE.match(line)
        if code is not None:
            if line == "```":
                is_left_out = any(NOTE.match(line) for line in paragraph)
                found.append(Block(language, start, " ".join(paragraph), "\n".join(code) + "\n", is_left_out))
                code, paragraph = None, []
            else:
                code.append(line)
        elif fence:
            code, language, start = [], fence.group(1), number
        elif line.strip():
            if paragraph and not paragraph[-1]:
                paragraph = []
            paragraph.append(line)
        elif paragraph:
            paragraph.append("")
    return found


def steps(document: pathlib.Path) -> list[Block]:
    """The files of the steps of a tutorial, which lie in the folder `Resources` of its catalog."""
    resources = document.parent.parent / "Resources"
    found = []
    for number, line in enumerate(document.read_text().splitlines(), 1):
        step = STEP.match(line)
        if not step:
            continue
        name, file = step.groups()
        text = (resources / file).read_text()
        if name == "Terminal":
            found.append(Block("sh", number, "", text))
        else:
            found.append(Block(name.rpartition(".")[2], number, f"`{name}`", text))
    return found


@dataclass
class Reader:
    """Follows a document word for word."""

    document: str
    folder: pathlib.Path
    #: The program or the tests that further blocks are added to.
    program: pathlib.Path | None = None
    additions: list[Block] = field(default_factory=list)
    expected: list[tuple[int, str]] = field(default_factory=list)
    commands: list[Block] = field(default_factory=list)
    #: Whether a file has changed since the program ran.
    is_changed: bool = False

    def follow(self, block: Block) -> None:
        files = FILE.findall(block.paragraph)
        if block.is_left_out or block.language == "text":
            return
        if block.language == "sh":
            self.run(block)
        elif files:
            self.write(block, files[-1])
        elif block.language == "swift" and self.program:
            self.additions.append(block)
            self.expected += promises(block)
        else:
            self.fail(block, "the text before this block does not name the file that it belongs in.")

    def write(self, block: Block, name: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self.is_changed = True
        if block.language == "json" and not block.text.startswith("{"):
            members = json.loads("{" + block.text + "}")
            path.write_text(json.dumps(merged(json.loads(path.read_text()), members), indent=2) + "\n")
            return
        path.write_text(block.text)
        if path.name == PROGRAM or path.name.endswith(TESTS):
            self.program = path
            self.additions, self.commands = [], []
            self.expected = promises(block)

    def run(self, block: Block) -> None:
        print(textwrap.indent(block.text.rstrip(), "  $ "), flush=True)
        output = self.shell(block)
        if self.program and RUNS.search(block.text):
            self.check(output)
            self.commands.append(block)
            self.is_changed = False

    def shell(self, block: Block) -> str:
        note = self.folder / ".folder"
        script = f"{block.text}\npwd >'{note}'\n"
        result = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], cwd=self.folder, stdout=subprocess.PIPE, text=True
        )
        print(textwrap.indent(result.stdout.rstrip(), "  "), flush=True)
        if result.returncode:
            self.fail(block, f"the commands of this block end with status {result.returncode}.")
        folder = pathlib.Path(note.read_text().strip())
        note.unlink()
        self.folder = folder
        return result.stdout

    def check(self, output: str) -> None:
        lines = iter(output.splitlines())
        for line, text in self.expected:
            if text not in lines:
                raise SystemExit(f"{self.document}:{line}: error: the program does not print '{text}' here.")

    def finish(self) -> None:
        """Runs the program, or the tests, with everything that was added to them."""
        if not self.program or not (self.additions or self.is_changed):
            return
        if not self.commands:
            raise SystemExit(f"{self.document}: error: no command runs '{self.program.name}'.")
        imports, scopes = [], []
        for block in self.additions:
            lines = block.text.splitlines()
            imports += [line for line in lines if is_import(line)]
            body = [f'#sourceLocation(file: "{self.document}", line: {block.line + 1})']
            body += ["" if is_import(line) else line for line in lines]
            body.append("#sourceLocation()")
            if not self.program.name.endswith(TESTS):
                body = ["do {"] + body + ["}"]
            scopes.append("\n".join(body) + "\n")
        text = "\n".join(imports) + "\n" + self.program.read_text() + "\n" + "\n".join(scopes)
        self.program.write_text(text)
        for block in self.commands:
            self.check(self.shell(block))

    def fail(self, block: Block, message: str) -> None:
        raise SystemExit(f"{self.document}:{block.line}: error: {message}")


def merged(old: dict, new: dict) -> dict:
    """`old` with the members of `new`. Where both have an object, its members take the place of those with their keys."""
    result = dict(old)
    for key, value in new.items():
        is_object = isinstance(value, dict) and isinstance(old.get(key), dict)
        result[key] = old[key] | value if is_object else value
    return result


def is_import(line: str) -> bool:
    """Whether a line of Swift belongs above all declarations: an import, or the condition around one."""
    return line.strip().startswith("import ") or line.startswith("#if canImport(") or line == "#endif"


def promises(block: Block) -> list[tuple[int, str]]:
    """The lines that a block says it prints, with the lines of the document that say so."""
    found = []
    for number, line in enumerate(block.text.splitlines(), block.line + 1):
        match = re.search(r"\bprint\(.*\)\s*// (.+)$", line)
        if match:
            found += [(number, text) for text in match.group(1).split(", then ")]
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("section", nargs="?")
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--replace", action="append", default=[], metavar="OLD=NEW")
    arguments = parser.parse_args()
    if arguments.document.suffix == ".tutorial":
        found = steps(arguments.document)
    elif arguments.section:
        found = blocks(*section(arguments.document.read_text(), arguments.section))
    else:
        found = blocks(1, arguments.document.read_text().splitlines())
    for replacement in arguments.replace:
        old, new = replacement.split("=", 1)
        if not any(old in block.text for block in found):
            raise SystemExit(f"error: {arguments.document} does not mention '{old}'.")
        for block in found:
            block.text = block.text.replace(old, new)
    reader = Reader(os.path.relpath(arguments.document), arguments.folder.resolve())
    for block in found:
        reader.follow(block)
    reader.finish()
    print(f"  {len(found)} blocks, {len(reader.expected)} lines of output as promised.")


if __name__ == "__main__":
    sys.exit(main())
