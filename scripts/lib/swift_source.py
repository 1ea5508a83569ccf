"""A lexer for Swift, as far as the checks of this repository need one.

Comments and the texts of strings are tokens of their own, so that a check can keep them, or leave them out. Code that is
interpolated into a string is lexed like any other. The lexer never fails: a character that it does not know is a token.
"""

import bisect
import collections
import re

Token = collections.namedtuple("Token", "kind text start line")
"""A token: its kind, its text, its offset in characters and its line, counted from 1.

The kinds are `comment`, `string`, `name`, `keyword`, `number`, `operator` and `mark` (a bracket, comma, colon, dot …).
"""

KEYWORDS = frozenset(
    """
    Any Self actor as associatedtype async await break case catch class continue default defer deinit do else enum extension
    fallthrough false fileprivate final for func guard if import in init inout internal is lazy let mutating nil nonisolated
    nonmutating open operator override package precedencegroup private protocol public repeat rethrows return self some any static
    struct subscript super switch throw throws true try typealias var weak where while borrowing consuming unowned indirect
    """.split()
)

_simple = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<number>0[xX][0-9a-fA-F_.pP]+ | 0[bB][01_]+ | 0[oO][0-7_]+ | [0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9_]+)?)
    | (?P<name>`[^`\n]+` | [$@\#]?[^\W\d]\w* | \$\d+)
    | (?P<operator>\.\.[.<]|[-+*/%=<>!&|^~?]+)
    | (?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_quote = re.compile(r'(#*)("""|")')


class Source:
    """The text of a file and its tokens."""

    def __init__(self, text):
        self.text = text
        self._line_starts = [0] + [match.end() for match in re.finditer("\n", text)]
        self.tokens = []
        self._lex(0, None)

    @property
    def code(self):
        """The tokens without comments and the texts of strings."""
        return [token for token in self.tokens if token.kind not in ("comment", "string")]

    def line(self, offset):
        return bisect.bisect_right(self._line_starts, offset)

    def column(self, offset):
        return offset - self._line_starts[self.line(offset) - 1] + 1

    def _add(self, kind, start, end):
        self.tokens.append(Token(kind, self.text[start:end], start, self.line(start)))

    def _lex(self, position, closing):
        """Lexes until the end, or until the parenthesis that closes an interpolation, and returns the position after that."""
        text, depth = self.text, 0
        while position < len(text):
            if text.startswith("//", position):
                end = text.find("\n", position)
                end = len(text) if end < 0 else end
                self._add("comment", position, end)
                position = end
                continue
            if text.startswith("/*", position):
                end = self._end_of_block_comment(position)
                self._add("comment", position, end)
                position = end
                continue
            quote = _quote.match(text, position)
            if quote:
                position = self._lex_string(position, quote)
                continue
            match = _simple.match(text, position)
            kind, end = match.lastgroup, match.end()
            if kind == "operator":
                # A comment may follow an operator without a space.
                for comment in ("//", "/*"):
                    inside = text.find(comment, position, end)
                    if inside > position:
                        end = inside
            if kind == "mark":
                depth += {"(": 1, ")": -1}.get(text[position], 0)
                if closing and depth < 0:
                    return end
            if kind == "name" and text[position:end] in KEYWORDS:
                kind = "keyword"
            if kind != "space":
                self._add(kind, position, end)
            position = end
        return position

    def _end_of_block_comment(self, position):
        depth, end = 0, position
        for match in re.compile(r"/\*|\*/").finditer(self.text, position):
            depth += 1 if match.group() == "/*" else -1
            end = match.end()
            if depth == 0:
                return end
        return len(self.text)

    def _lex_string(self, position, quote):
        """Lexes a string literal and what is interpolated into it, and returns the position after it."""
        text, hashes, mark = self.text, quote.group(1), quote.group(2)
        end, escape = mark + hashes, "\\" + hashes
        start, position = position, quote.end()
        while position < len(text):
            if text.startswith(escape + "(", position):
                position += len(escape) + 1
                self._add("string", start, position)
                position = self._lex(position, ")")
                start = position - 1
            elif text.startswith(escape, position):
                position += len(escape) + 1
            elif text.startswith(end, position):
                position += len(end)
                break
            elif text[position] == "\n" and mark == '"':
                break
            else:
                position += 1
        self._add("string", start, position)
        return position
