"""Tests of the mutations that scripts/mutate chooses from."""

import pathlib
import sys
import textwrap
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "lib"))

from mutations import mutations  # noqa: E402


class MutationTests(unittest.TestCase):
    def expect(self, text, *expected):
        """Expects exactly these mutations, each written as `old → new`."""
        text = textwrap.dedent(text)
        found = [f"{text[one.start:one.end]} → {one.replacement}".strip() for one in mutations(text)]
        self.assertEqual(sorted(found), sorted(expected))

    def test_replaces_operators_between_spaces(self):
        self.expect("let a = b < c", "< → <=")
        self.expect("let a = b && c", "&& → ||")
        self.expect("let a: Set<Int> = -b")
        self.expect("let a = 0..<count", "0 → 1", "..< → ...")
        self.expect("let a = list[2...]", "2 → 1", "2 → 3")

    def test_replaces_words(self):
        self.expect("let a = true", "true → false")
        self.expect("let a = max(b, c)", "max → min")
        self.expect("let a = list.first", "first → last")
        self.expect("let first = list.first(where: { $0.max })")

    def test_leaves_comments_strings_and_attributes_alone(self):
        self.expect('// a < b\nlet a = "b < 1 \\(c) true"\n@available(macOS 13, *)\n#if swift(>=6)\n#endif')

    def test_mutates_what_is_interpolated(self):
        self.expect('let a = "\\(b + c)"', "+ → -")
        self.expect('let a = "b" + c')

    def test_negates_conditions_that_bind_nothing(self):
        self.expect("if a.isEmpty, let b = c { d }", "a.isEmpty → !(a.isEmpty)")
        self.expect("guard isOpen else { break }", "isOpen → !(isOpen)")
        self.expect("while let a = next() { b }")

    def test_replaces_returned_values(self):
        self.expect("func a() -> Int? {\n  return count\n}", "count → nil")
        self.expect("func a() -> Bool {\n  return b == c\n}", "b == c → !(b == c)", "== → !=")
        self.expect("func a() -> Int? { guard b else { return c } }", "b → !(b)", "c → nil")

    def test_removes_statements_of_one_line(self):
        self.expect(
            """\
            func a() {
              let b = c
              count = b
              list.append(b)
              reserveCapacity(b)
              precondition(b)
              call(
                first: b,
                second)
              chain()
                .more()
            }
            """,
            "count = b →",
            "list.append(b) →",
        )


if __name__ == "__main__":
    unittest.main()
