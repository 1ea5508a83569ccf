"""The figures that pages name, from the tables of `scripts/bench` in `Benchmarks/Figures.md`.

A sentence of a page is here with placeholders. `scripts/pages` writes the figures into it, so the
same figure is the same everywhere; `--check` fails where it is not, and where a sentence is missing.
"""

from __future__ import annotations

import pathlib
import re
from dataclasses import dataclass

TABLES = pathlib.Path("Benchmarks/Figures.md")

#: The figures by their names: the title of a table, a row, and the column. A second row makes a
#: ratio: the part of the second that the first takes.
FIGURES: dict[str, tuple[str, ...]] = {
    "feed": ("Decode feed.json", "Apollo", "median"),
    "part of JSONDecoder": ("Decode feed.json", "Apollo", "median", "JSONDecoder"),
    "feed to cache": ("In-memory cache, feed.json", "decode + write, empty cache", "median"),
    "cached query": ("A cached query of 20 objects", "fetch, nothing has changed", "median"),
    "unchanged": ("In-memory cache, friends1000.json", "read again, unchanged", "median"),
    "disk write": ("A write and a read on disk, of many records", "write, 1000 records", "median"),
    "disk read": ("A write and a read on disk, of many records", "read, 1000 records", "median"),
    "watchers": ("A write, 1000 times client.watch", "all handlers, of the same query", "median"),
    "request": ("One small POST on a kept connection", "ApolloClient, cache written", "median"),
    "record": ("Bytes for each record of four fields", "1000000", "in memory"),
    "record on disk": ("Bytes for each record of four fields", "1000000", "on disk"),
    "in flight": ("Memory for each request in flight", "ApolloClient", "each request"),
    "operations": ("Parse and validate the operations of github-1000", "GraphQLValidation", "median"),
    "part of graphql-js": (
        "Parse and validate the operations of github-1000", "GraphQLValidation", "median", "graphql-js, warm",
    ),
}  # fmt: skip

#: The sentences of pages that have figures. A name in capitals begins with one.
SENTENCES: list[tuple[str, str]] = [
    ("README.md", "Decoding a response of 8.4 MB into models takes {feed}, {part of JSONDecoder} of `JSONDecoder` into structs."),
    ("README.md", "Fetching a cached query of 20 objects takes {cached query}."),
    ("README.md", "Parsing and validating 1,000 operations takes {operations}, {part of graphql-js} of graphql-js."),
    ("Benchmarks/README.md", "Fetching a cached query of 20 objects takes {cached query}. When a write"),
    ("Benchmarks/README.md", "the last of them has read again after {watchers}. A record of four fields takes about {record} in memory"),
    ("Sources/Apollo/Apollo.docc/Why.md", "| `JSONDecoder`. | {Part of JSONDecoder} of its time; see"),
] + [
    ("Sources/Apollo/Apollo.docc/Performance.md", row)
    for row in [
        "| Decode a response of 8.4 MB into models | {feed}, {part of JSONDecoder} of `JSONDecoder` |",
        "| Decode it and write it to an empty cache in memory | {feed to cache} |",
        "| Fetch a cached query of 20 objects | {cached query} |",
        "| Read a query from the cache again, without changes in between | {unchanged} |",
        "| Write and read one query on disk | {disk write} and {disk read} |",
        "| Notify 1,000 watchers whose data has changed | {watchers} until the last has read |",
        "| One small request over HTTP, with the cache | {request} |",
        "| One record of four fields | {record} in memory, {record on disk} on disk |",
        "| One request in flight | {in flight} |",
    ]
]

ORDINALS = (
    "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
    "seventeenth eighteenth nineteenth twentieth"
).split()
#: What a placeholder stands for: `3.4 µs`, `60`, `a tenth`.
VALUE = r"(?:[Aa]n?|[Hh]alf|\d+(?:\.\d+)?)(?: \w+)?"


def sections(text: str) -> dict[str, str]:
    """The sections of a text by their titles, each with its heading."""
    parts = re.split(r"^(?=### )", text, flags=re.MULTILINE)[1:]
    return {part.splitlines()[0].removeprefix("### ").strip(): part.strip() + "\n" for part in parts}


def cell(tables: dict[str, str], title: str, row: str, column: str) -> str:
    """A cell of a table, by the names of its row and column."""
    if title not in tables:
        raise KeyError(f"{TABLES} has no table '{title}'")
    lines = [line for line in tables[title].splitlines() if line.startswith("|")]
    rows = [[text.strip() for text in line.strip("|").split("|")] for line in lines]
    if column not in rows[0]:
        raise KeyError(f"the table '{title}' of {TABLES} has no column '{column}'")
    found = [cells for cells in rows[2:] if cells[0] == row]
    if not found:
        raise KeyError(f"the table '{title}' of {TABLES} has no row '{row}'")
    return found[0][rows[0].index(column)]


@dataclass
class Quantity:
    """A number with its unit, such as `16.8 ms`."""

    value: float
    unit: str

    def __init__(self, text: str) -> None:
        number, _, self.unit = text.partition(" ")
        self.value = float(number)
        if self.unit in ("", "B"):
            is_large = self.value >= 1000
            self.value, self.unit = (self.value / 1000, "KB") if is_large else (self.value, "bytes")

    @property
    def base(self) -> float:
        """The value in the smallest unit of its kind."""
        return self.value * {"µs": 1e3, "ms": 1e6, "s": 1e9, "KB": 1e3}.get(self.unit, 1)

    def __str__(self) -> str:
        """Two significant digits, with the unit."""
        digits = 1 if self.value < 9.95 else 0
        value = self.value if self.value < 99.5 else round(self.value, 1 - len(str(int(self.value))) + 1)
        return f"{value:.{digits}f}".removesuffix(".0") + f" {self.unit}"


def part(small: Quantity, large: Quantity) -> str:
    """The ratio of two quantities in words, such as `a tenth`."""
    ratio = round(large.base / small.base)
    if ratio < 2:
        raise SystemExit(f"error: {small} is no small part of {large}. Change the sentences in {__file__}.")
    if ratio == 2:
        return "half"
    word = ORDINALS[ratio - 3] if ratio - 3 < len(ORDINALS) else f"{ratio}th"
    return f"{'an' if word[0] == 'e' else 'a'} {word}"


def figure(name: str, tables: dict[str, str]) -> str:
    title, row, column, *other = FIGURES[name]
    quantity = Quantity(cell(tables, title, row, column))
    return part(quantity, Quantity(cell(tables, title, other[0], column))) if other else str(quantity)


def updated(pages: dict[pathlib.Path, str], problems: list[str]) -> dict[pathlib.Path, str]:
    """The pages whose sentences have figures, with those of the tables. Adds what is missing to `problems`."""
    tables = sections(pages[TABLES])
    changed: dict[pathlib.Path, str] = {}
    for name, sentence in SENTENCES:
        path = pathlib.Path(name)
        text = changed.get(path, pages[path])
        try:
            filled = re.sub(r"{(.+?)}", lambda match: with_case(match.group(1), tables), sentence)
        except KeyError as error:
            problems.append(f"{TABLES}: error: {error.args[0]}.")
            continue
        pattern = VALUE.join(re.escape(fixed) for fixed in re.split(r"{.+?}", sentence))
        if len(re.findall(pattern, text)) != 1:
            problems.append(f"{path}: error: the sentence '{sentence}' of scripts/lib/figures.py is not there once.")
            continue
        changed[path] = re.sub(pattern, lambda _: filled, text)
    return changed


def with_case(name: str, tables: dict[str, str]) -> str:
    """A figure; with a capital, if its name has one where the figure's own name has none."""
    if name in FIGURES:
        return figure(name, tables)
    text = figure(name[0].lower() + name[1:], tables)
    return text[0].upper() + text[1:]


def pasted(text: str, output: str) -> str:
    """The text of `Benchmarks/Figures.md` with the tables of a run in place of older ones.

    Only tables that pages need are taken.
    """
    new = sections(output)
    if not new:
        raise SystemExit("error: this is no output of scripts/bench: it has no line that begins with '###'.")
    needed = {figure[0] for figure in FIGURES.values()}
    tables = sections(text) | {title: table for title, table in new.items() if title in needed}
    head = re.split(r"^(?=### )", text, flags=re.MULTILINE)[0].strip()
    return "\n\n".join([head] + [tables[title].strip() for title in sorted(tables)]) + "\n"
