"""Rewrites and checks what the pages of the documentation share: links, the index, figures.

    python3 pages.py [--check | --bench]  see scripts/pages
    python3 pages.py --docc CATALOG DIR   copies a catalog, with the links that DocC knows
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import Callable

import figures

ROOT = pathlib.Path(__file__).resolve().parents[2]
INDEX = pathlib.Path("Documentation/README.md")

FENCE = re.compile(r"^ *```")
CODE = re.compile(r"(`+)(?:(?!\1).)+?\1")
DOC = re.compile(r"<doc:([^>#]+)(#[^>]+)?>")
LINK = re.compile(r"(!?)\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)")

#: The pages of the index that are no articles: a heading, and the files in their order.
DOCUMENTS = {
    "For users": [
        "README.md", "CHANGELOG.md", "Documentation/Reliability.md", "Documentation/PublicAPI.md",
        "Documentation/PageComparison.md", "Documentation/ApolloIOSPages.md", "Benchmarks/README.md",
        "Benchmarks/Figures.md",
    ],
    "For contributors": ["CONTRIBUTING.md", "Documentation/ARCHITECTURE.md", "Documentation/GLOSSARY.md", "Fuzz/README.md"],
}  # fmt: skip


@dataclass
class Page:
    """A file of Markdown, or of a tutorial, by its path from the root."""

    path: pathlib.Path
    text: str

    @property
    def title(self) -> str:
        if self.path.suffix == ".tutorial":
            found = re.search(r'@(?:Intro|Tutorials)\([^)]*?(?:title|name): "([^"]+)"', self.text)
        else:
            found = re.search(r"^# (.+)$", self.text, re.MULTILINE)
        if not found:
            raise SystemExit(f"error: {self.path} has no title.")
        return found.group(1).replace("``", "`")

    @property
    def summary(self) -> str:
        """The first sentence below the title, without links."""
        text = re.split(r"^# .+$", self.text, maxsplit=1, flags=re.MULTILINE)[-1].strip()
        paragraph = " ".join(text.split("\n\n")[0].split())
        paragraph = LINK.sub(lambda link: link.group(2), paragraph).replace("``", "`")
        return re.split(r"(?<=\.)\s(?=[A-Z`\"])", paragraph)[0]

    @property
    def headings(self) -> dict[str, str]:
        """The headings by the names that links in Markdown use."""
        lines = [line for line in outside_code(self.text) if line.startswith("#")]
        titles = [line.lstrip("#").strip() for line in lines]
        return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-"): title for title in titles}


def outside_code(text: str) -> list[str]:
    """The lines of a page, with empty ones in place of blocks of code."""
    lines, is_code = [], False
    for line in text.splitlines():
        is_fence = FENCE.match(line) is not None
        lines.append("" if is_code or is_fence else line)
        is_code = is_code != is_fence
    return lines


def is_code(match: re.Match) -> bool:
    """Returns `True` if what was found in a line is in a span of code."""
    spans = [span.span() for span in CODE.finditer(match.string)]
    return any(start <= match.start() and match.end() <= end for start, end in spans)


def found(pattern: re.Pattern, line: str) -> list[re.Match]:
    """What the pattern finds in a line, outside of spans of code."""
    return [match for match in pattern.finditer(line) if not is_code(match)]


def replacing(text: str, pattern: re.Pattern, change: Callable[[re.Match], str]) -> str:
    """Replaces what the pattern finds outside of blocks and spans of code."""

    def in_line(line: str) -> str:
        return pattern.sub(lambda match: match.group() if is_code(match) else change(match), line)

    lines = text.split("\n")
    code = outside_code(text) + [""]
    return "\n".join(in_line(line) if line == kept else line for line, kept in zip(lines, code))


def tracked_pages() -> dict[pathlib.Path, Page]:
    """Every page of the working copy, but for those of dependencies."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md", "*.tutorial"],
        cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True,
    ).stdout  # fmt: skip
    paths = sorted({pathlib.Path(line) for line in listing.splitlines()})
    return {path: Page(path, (ROOT / path).read_text()) for path in paths if (ROOT / path).exists()}


def catalog(path: pathlib.Path) -> pathlib.Path | None:
    """The folder `….docc` that a page lies in."""
    return next((folder for folder in path.parents if folder.suffix == ".docc"), None)


def relative(target: pathlib.Path, page: pathlib.Path) -> str:
    return os.path.relpath(target, page.parent)


def resolved(target: str, page: pathlib.Path) -> pathlib.Path:
    """The path from the root that a link of a page leads to."""
    return pathlib.Path(os.path.normpath(page.parent / target.split("#")[0]))


def is_web(target: str) -> bool:
    return re.match(r"[a-z][a-z+.-]*:", target) is not None


# MARK: - Links


def with_markdown_links(page: Page, pages: dict[pathlib.Path, Page]) -> str:
    """The page with the links of Markdown in place of those of DocC."""

    def link(match: re.Match) -> str:
        name, anchor = match.group(1).split("/")[-1], match.group(2) or ""
        paths = [path for path in pages if path.stem == name and catalog(path)]
        paths.sort(key=lambda path: catalog(path) != catalog(page.path))
        if not paths:
            return match.group()
        title = pages[paths[0]].title
        if anchor:
            title += f", {pages[paths[0]].headings.get(anchor[1:].lower(), anchor[1:])}"
        return f"[{title}]({relative(paths[0], page.path)}{anchor.lower()})"

    return replacing(page.text, DOC, link)


def link_problems(page: Page, pages: dict[pathlib.Path, Page]) -> list[str]:
    """The links of a page that lead nowhere."""
    problems = []
    for number, line in enumerate(outside_code(page.text), 1):
        place = f"{page.path}:{number}: error:"
        problems += [f"{place} '{link.group()}' works in DocC only. Run scripts/pages." for link in found(DOC, line)]
        for target in (link.group(3) for link in found(LINK, line)):
            if is_web(target):
                if target.startswith("doc:"):
                    problems.append(f"{place} '{target}' works in DocC only. Name the file, such as 'Fetching.md'.")
                continue
            path = resolved(target, page.path) if not target.startswith("#") else page.path
            if not (ROOT / path).exists():
                problems.append(f"{place} there is no '{target}'.")
            elif "#" in target and path in pages and target.split("#")[1] not in pages[path].headings:
                problems.append(f"{place} '{path}' has no heading for '#{target.split('#')[1]}'.")
    return problems


def with_docc_links(page: Page, pages: dict[pathlib.Path, Page]) -> str:
    """The page with the links that DocC resolves.

    A link into another catalog leads to its place in the merged site. Of a link to a file that is no
    part of the site, its text stays.
    """

    def link(match: re.Match) -> str:
        image, text, target = match.groups()
        if image or is_web(target):
            return match.group()
        path = page.path if target.startswith("#") else resolved(target, page.path)
        if path not in pages or not catalog(path):
            return text
        anchor = ""
        if "#" in target:
            anchor = "#" + re.sub(r"[^\w\-]", "", pages[path].headings[target.split("#")[1]].replace(" ", "-"))
        if catalog(path) != catalog(page.path):
            place = [catalog(path).stem] + ([] if path.stem == catalog(path).stem else [path.stem])
            return f"[{text}](/documentation/{'/'.join(place).lower()}{anchor})"
        is_item = match.string == f"- {match.group()}"
        if is_item or text == pages[path].title:
            return f"<doc:{path.stem}{anchor}>"
        return f"[{text}](doc:{path.stem}{anchor})"

    return replacing(page.text, LINK, link)


def copy_for_docc(folder: pathlib.Path, output: pathlib.Path) -> None:
    """Copies a catalog, with the links that DocC knows."""
    pages = tracked_pages()
    shutil.copytree(folder, output)
    for path, page in pages.items():
        if catalog(path) == folder.resolve().relative_to(ROOT) and path.suffix == ".md":
            copy = output / path.relative_to(catalog(path))
            copy.write_text(with_docc_links(page, pages))


# MARK: - The index


def index(pages: dict[pathlib.Path, Page]) -> str:
    """The text of the index: articles in the order of `Apollo`'s page, then everything else."""
    listed: set[pathlib.Path] = set()
    text = [
        "# Documentation",
        "",
        "Every page, with its first sentence. `scripts/pages` writes this index; `scripts/docs --serve` shows the",
        "articles as a site, with the reference of all declarations.",
    ]

    def item(path: pathlib.Path) -> str:
        listed.add(path)
        summary = "" if path.suffix == ".tutorial" else f": {pages[path].summary}"
        return f"- [{pages[path].title}]({relative(path, INDEX)}){summary}"

    def add(title: str, paths: list[pathlib.Path]) -> None:
        paths = [path for path in paths if path in pages and path not in listed]
        if paths:
            text.extend(["", f"## {title}", ""] + [item(path) for path in paths])

    main = pages[pathlib.Path("Sources/Apollo/Apollo.docc/Apollo.md")]
    topics = main.text.split("## Topics")[-1]
    for part in topics.split("\n### ")[1:]:
        targets = [target for _, _, target in LINK.findall(part)]
        add(part.split("\n")[0], [resolved(target, main.path) for target in targets])
    in_catalogs = [path for path in pages if catalog(path) and path.suffix == ".md"]
    add("Further articles", [path for path in in_catalogs if path.stem != catalog(path).stem])
    add("Modules", in_catalogs)
    add(
        "Examples",
        [path for path in pages if path.parts[0] == "Examples" and path.name == "README.md" and len(path.parts) == 3],
    )
    for title, names in DOCUMENTS.items():
        add(title, [pathlib.Path(name) for name in names])
    add("Design notes", [path for path in pages if path.parent == pathlib.Path("Documentation/Design")])
    return "\n".join(text) + "\n"


# MARK: - The command


def main() -> None:
    arguments = sys.argv[1:]
    if arguments[:1] == ["--docc"] and len(arguments) == 3:
        return copy_for_docc(pathlib.Path(arguments[1]), pathlib.Path(arguments[2]))
    if arguments not in ([], ["--check"], ["--bench"]):
        raise SystemExit(__doc__)
    is_check = arguments == ["--check"]
    pages = tracked_pages()
    problems, changed = [], []

    def update(path: pathlib.Path, text: str) -> None:
        if path in pages and pages[path].text == text:
            return
        pages[path] = Page(path, text)
        changed.append(path)
        if not is_check:
            (ROOT / path).write_text(text)

    if arguments == ["--bench"]:
        update(figures.TABLES, figures.pasted(pages[figures.TABLES].text, sys.stdin.read()))
    for page in list(pages.values()):
        if catalog(page.path) and page.path.suffix == ".md" and not is_check:
            update(page.path, with_markdown_links(page, pages))
    for path, text in figures.updated({path: page.text for path, page in pages.items()}, problems).items():
        update(path, text)
    update(INDEX, index(pages))
    for page in pages.values():
        if page.path.suffix == ".md":
            problems += link_problems(page, pages)
    if is_check:
        problems += [f"{path}: error: the page is out of date. Run scripts/pages." for path in changed]
    else:
        for path in changed:
            print(f"Rewrote {path}.")
    if problems:
        raise SystemExit("\n".join(problems))


if __name__ == "__main__":
    main()
