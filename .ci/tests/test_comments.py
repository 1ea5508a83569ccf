"""Tests of .ci/comments."""

import importlib.machinery
import importlib.util
import pathlib
import re
import sys
import unittest

sys.dont_write_bytecode = True
path = pathlib.Path(__file__).resolve().parent.parent / "comments"
loader = importlib.machinery.SourceFileLoader("comments", str(path))
comments = importlib.util.module_from_spec(importlib.util.spec_from_loader("comments", loader))
loader.exec_module(comments)

swift = re.compile(r"[ ]*///?(?!/) ?")


class CommentsTests(unittest.TestCase):
    def expect(self, text, *expected):
        """Expects exactly these findings, each written as its line and its first words."""
        found = [f"{line} {re.match('[a-z ]*', message).group().strip()}" for line, message in comments.swift_findings(text)]
        self.assertEqual(found, list(expected))

    def test_reports_noun_clauses(self):
        for word in ["What", "Whether", "Where", "How", "Which", "Who", "Why", "Whatever"]:
            self.expect(f"let a = 1\n\n/// {word} it is.\nlet b = 2", "3 the doc comment opens with")
        self.expect("/** What it is. */\nlet b = 2", "1 the doc comment opens with")

    def test_reads_only_the_first_line_of_a_doc_comment(self):
        self.expect("/// The name.\n/// What it is.\n///\n/// Where it is.\nlet b = 2")

    def test_leaves_other_comments_and_strings_alone(self):
        self.expect('// What it is.\n//// What it is.\nlet b = "/// What it is"\n/* What */')

    def test_words_only_begin_alike(self):
        self.expect("/// Whole numbers.\nlet b = 2", *[])
        self.expect("/// Whereabouts of the file.\nlet b = 2")

    def test_tells_when_as_a_noun_from_when_before_a_main_clause(self):
        self.expect("/// When a request reads the cache.\nlet b = 2", "1 the doc comment opens with")
        self.expect("/// When the file is missing,\n/// returns `nil`.\nlet b = 2")

    def test_reports_comments_that_are_too_wide(self):
        line = "/// " + "word " * 19
        self.assertEqual(len(line.rstrip() + "w"), 99)
        self.expect(line.rstrip() + "wo")
        self.expect(line.rstrip() + "wor", "1 the comment is")
        self.expect("  " + line.rstrip().replace("///", "//") + "two", "1 the comment is")

    def test_rows_code_and_long_words_may_be_wide(self):
        self.expect("/// | " + "word | " * 20 + "\nlet b = 2")
        self.expect("/// Example:\n/// ```swift\n/// " + "word " * 30 + "\n/// ```\nlet b = 2")
        self.expect("/// https://example.com/" + "a" * 100 + "\nlet b = 2")

    def wrap(self, text, expected):
        self.assertEqual(comments.wrapped(text, swift), expected)
        self.assertEqual(comments.wrapped(expected, swift), expected)

    def test_wraps_a_paragraph_and_no_other(self):
        long = "/// " + "word " * 19 + "word"
        self.wrap(
            "/// Short.\n/// Short.\n///\n" + long + "\n/// more.\nlet b = 2",
            "/// Short.\n/// Short.\n///\n" + long[: 4 + 5 * 19 - 1] + "\n/// word more.\nlet b = 2",
        )

    def test_wraps_items_below_their_text(self):
        item = "  // - " + "word " * 18 + "word"
        self.wrap(item + "\n  //   more\n  // - next", item[:-5] + "\n  //   word more\n  // - next")

    def test_wraps_no_code(self):
        code = "/// ```\n/// " + "word " * 30 + "\n/// ```"
        self.wrap(code, code)


if __name__ == "__main__":
    unittest.main()
