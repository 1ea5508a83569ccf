"""Tests of scripts/pages."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "lib"))

import figures  # noqa: E402
from pages import Page, index, link_problems, with_docc_links, with_markdown_links  # noqa: E402

CATALOG = pathlib.Path("Sources/Apollo/Apollo.docc")
OTHER = pathlib.Path("Sources/ApolloPagination/ApolloPagination.docc/Pagination.md")


def pages(text):
    """The pages of a documentation in which `Caching` has this text."""
    texts = {
        CATALOG / "Apollo.md": "# ``Apollo``\n\nFetches.\n\n## Topics\n\n### The cache\n\n- [Caching](Caching.md)\n",
        CATALOG / "Caching.md": f"# Caching\n\n{text}\n",
        CATALOG / "CacheKeys.md": "# Cache keys\n\nNames. More.\n\n### With `@typePolicy`\n",
        OTHER: "# Lists\n\nPages.\n",
        pathlib.Path("README.md"): "# Apollo Swift\n\nA client.\n",
    }
    return {path: Page(path, text) for path, text in texts.items()}


class LinkTests(unittest.TestCase):
    def expect(self, change, text, expected):
        all_pages = pages(text)
        self.assertEqual(change(all_pages[CATALOG / "Caching.md"], all_pages), f"# Caching\n\n{expected}\n")

    def test_turns_links_of_docc_into_links_of_markdown(self):
        self.expect(with_markdown_links, "See <doc:CacheKeys>.", "See [Cache keys](CacheKeys.md).")
        self.expect(
            with_markdown_links,
            "<doc:CacheKeys#With-typePolicy> <doc:Pagination>",
            "[Cache keys, With `@typePolicy`](CacheKeys.md#with-typepolicy) "
            "[Lists](../../ApolloPagination/ApolloPagination.docc/Pagination.md)",
        )

    def test_leaves_code_alone(self):
        for text in ["`<doc:CacheKeys>`", "```\n<doc:CacheKeys>\n```"]:
            self.expect(with_markdown_links, text, text)
        for text in ["`[Cache keys](CacheKeys.md)`", "```\n[Cache keys](CacheKeys.md)\n```"]:
            self.expect(with_docc_links, text, text)

    def test_gives_docc_the_links_that_it_resolves(self):
        self.expect(with_docc_links, "- [Keys](CacheKeys.md)", "- <doc:CacheKeys>")
        self.expect(with_docc_links, "See [Cache keys](CacheKeys.md).", "See <doc:CacheKeys>.")
        self.expect(with_docc_links, "See [the keys](CacheKeys.md).", "See [the keys](doc:CacheKeys).")
        self.expect(with_docc_links, "[a](CacheKeys.md#with-typepolicy)", "[a](doc:CacheKeys#With-typePolicy)")
        self.expect(with_docc_links, "[Swift](https://swift.org)", "[Swift](https://swift.org)")
        self.expect(with_docc_links, "[the list](../../../README.md)", "the list")
        self.expect(
            with_docc_links,
            "[Lists](../../ApolloPagination/ApolloPagination.docc/Pagination.md)",
            "[Lists](/documentation/apollopagination/pagination)",
        )

    def test_reports_links_that_lead_nowhere(self):
        for text, expected in [
            ("[a](CacheKeys.md) [b](CacheKeys.md#with-typepolicy) [c](#caching) `[d](D.md)`", []),
            ("[a](Missing.md)", ["there is no 'Missing.md'"]),
            ("[a](CacheKeys.md#missing)", ["has no heading for '#missing'"]),
            ("<doc:Caching>", ["works in DocC only"]),
            ("[a](doc:Caching)", ["works in DocC only"]),
        ]:
            found = link_problems((all_pages := pages(text))[CATALOG / "Caching.md"], all_pages)
            self.assertEqual(len(found), len(expected), found)
            for problem, words in zip(found, expected):
                self.assertIn(words, problem)
                self.assertIn("Caching.md:3: error:", problem)


class IndexTests(unittest.TestCase):
    def test_lists_articles_in_the_order_of_the_topics_then_everything_else(self):
        items = [line for line in index(pages("Records. More.")).splitlines() if line[:2] in ("- ", "##")]
        self.assertEqual(
            items,
            [
                "## The cache",
                "- [Caching](../Sources/Apollo/Apollo.docc/Caching.md): Records.",
                "## Further articles",
                "- [Cache keys](../Sources/Apollo/Apollo.docc/CacheKeys.md): Names.",
                "- [Lists](../Sources/ApolloPagination/ApolloPagination.docc/Pagination.md): Pages.",
                "## Modules",
                "- [`Apollo`](../Sources/Apollo/Apollo.docc/Apollo.md): Fetches.",
                "## For users",
                "- [Apollo Swift](../README.md): A client.",
            ],
        )


class FigureTests(unittest.TestCase):
    def test_rounds_to_two_digits(self):
        for text, expected in [
            ("16.8 ms", "17 ms"), ("3.44 µs", "3.4 µs"), ("1.00 µs", "1 µs"), ("112 ms", "110 ms"), ("9.96 ms", "10 ms"),
            ("99.6 ms", "100 ms"), ("57123 B", "57 KB"), ("310", "310 bytes"),
        ]:  # fmt: skip
            self.assertEqual(str(figures.Quantity(text)), expected)

    def test_says_ratios_in_words(self):
        for small, large, expected in [
            ("16.8 ms", "168 ms", "a tenth"), ("900 µs", "7.3 ms", "an eighth"), ("45 ms", "838 ms", "a nineteenth"),
            ("1 s", "2 s", "half"), ("1 µs", "30 µs", "a 30th"),
        ]:  # fmt: skip
            self.assertEqual(figures.part(figures.Quantity(small), figures.Quantity(large)), expected)

    def test_takes_the_tables_of_a_run_that_pages_need(self):
        old = "# Figures\n\nText.\n\n### Decode feed.json\n\nold\n\n### In-memory cache, feed.json\n\nkept\n"
        run = "### Decode feed.json\n\nnew\n\n### Decode small.json\n\nnot needed\n"
        self.assertEqual(figures.pasted(old, run), old.replace("old", "new"))


if __name__ == "__main__":
    unittest.main()
