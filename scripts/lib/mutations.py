"""Small changes to Swift sources that a test should notice: one token, one condition or one statement each."""

import collections
import re

from swift_source import Source

Mutation = collections.namedtuple("Mutation", "kind start end replacement line")
"""The replacement of the characters from `start` to `end` by other text."""

OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "+", "/": "*", "&+": "&-", "&-": "&+", "+=": "-=", "-=": "+=", "&+=": "&-=", "&-=": "&+=",
    "<<": ">>", ">>": "<<", "&": "|", "|": "&", "..<": "...", "...": "..<",
}  # fmt: skip
WORDS = {"true": "false", "false": "true", "continue": "break", "min": "max", "max": "min", "first": "last", "last": "first"}
OPENING, CLOSING = {"(", "[", "{"}, {")", "]", "}"}
# Statements without an effect that a test could see: checks for mistakes of programmers, and hints.
INVISIBLE = re.compile(r"(precondition|preconditionFailure|assert|assertionFailure|fatalError|_fixLifetime|withExtendedLifetime)\b")
HINTS = re.compile(r"reserveCapacity|minimumCapacity|keepingCapacity")
INITIALIZES = re.compile(r"self\.(\w+) = \1$")
STARTS_EXPRESSION = {"self", "try", "super", "await"}


def mutations(text):
    """All mutations of a file, in the order of its text."""
    source = Source(text)
    code = [token for token in source.tokens if token.kind != "comment"]
    lines = text.split("\n")
    found = []
    for index, token in enumerate(code):
        line = lines[token.line - 1].strip()
        if line.startswith(("#", "@", "import ", "public import", "package import")) or HINTS.search(line):
            continue
        if INVISIBLE.match(line):
            continue
        found += _tokens(source, code, index)
        found += _conditions(source, code, index)
        found += _returns(source, code, index)
    found += _statements(source, code, lines)
    return sorted(set(found), key=lambda one: (one.start, one.end, one.replacement))


def _replace(token, kind, text):
    return Mutation(kind, token.start, token.start + len(token.text), text, token.line)


def _tokens(source, code, index):
    """An operator, a number or a word by its opposite or neighbour."""
    token, text = code[index], source.text
    before = code[index - 1] if index > 0 else None
    if token.kind == "operator" and token.text in OPERATORS:
        end = token.start + len(token.text)
        spaced = text[token.start - 1 : token.start].isspace() and text[end : end + 1].isspace()
        after = code[index + 1] if index + 1 < len(code) else None
        if "string" in (before and before.kind, after and after.kind):
            return  # such as the concatenation of texts, which has no opposite
        if token.text in ("..<", "...") or spaced:
            if not (token.text == "..." and not (text[token.start - 1].isalnum() and text[end : end + 1].isalnum())):
                yield _replace(token, "operator", OPERATORS[token.text])
    elif token.kind == "number" and re.fullmatch(r"\d{1,6}", token.text) and (before is None or before.text not in (".", "@")):
        value = int(token.text)
        yield _replace(token, "constant", str(value + 1))
        if value > 1:
            yield _replace(token, "constant", str(value - 1))
    elif token.text in WORDS and token.kind in ("keyword", "name"):
        called = index + 1 < len(code) and code[index + 1].text == "("
        member = before is not None and before.text == "."
        if token.text in ("min", "max") and not (called and not member):
            return
        if token.text in ("first", "last") and (not member or called):
            return
        yield _replace(token, "word", WORDS[token.text])


def _conditions(source, code, index):
    """The opposite of the condition of an `if`, `guard` or `while` that binds nothing."""
    if code[index].text not in ("if", "guard", "while") or code[index].kind != "keyword":
        return
    end = {"guard": "else"}.get(code[index].text, "{")
    depth, position, clauses = 0, index + 1, [index + 1]
    while position < len(code) and not (depth == 0 and code[position].text == end):
        depth += (code[position].text in OPENING) - (code[position].text in CLOSING)
        if depth == 0 and code[position].text == ",":
            clauses.append(position + 1)
        position += 1
    if position >= len(code):
        return
    clauses.append(position + 1)
    for first, following in zip(clauses, clauses[1:]):
        inside = code[first : following - 1]
        if not inside or any(token.text in ("let", "var", "case", "#available", "#unavailable", "{") for token in inside):
            continue
        start, stop = inside[0].start, inside[-1].start + len(inside[-1].text)
        yield Mutation("condition", start, stop, f"!({source.text[start:stop]})", inside[0].line)


def _returns(source, code, index):
    """`return nil` and the opposite, of what is returned on one line."""
    if code[index].text != "return" or code[index].kind != "keyword":
        return
    end = source.text.find("\n", code[index].start) % (len(source.text) + 1)
    start = code[index].start + len("return ")
    inside = [token for token in code[index + 1 : index + 60] if token.start < end]
    depth = sum((token.text in OPENING) - (token.text in CLOSING) for token in inside)
    while inside and depth < 0:
        depth += inside.pop().text in CLOSING
    if not inside or depth != 0 or inside[0].text in ("nil", "true", "false", "if", "switch"):
        return
    stop = inside[-1].start + len(inside[-1].text)
    if _returns_optional(code, index):
        yield Mutation("returned value", start, stop, "nil", code[index].line)
    if any(token.text in ("==", "!=", "<", ">", "<=", ">=", "&&", "||", "!") for token in inside):
        yield Mutation("returned value", start, stop, f"!({source.text[start:stop]})", code[index].line)


def _returns_optional(code, index):
    """Whether the nearest result type before a position ends in a question mark."""
    while index > 0 and code[index].text != "->":
        index -= 1
    end = index
    while index > 0 and end < len(code) and code[end].text != "{":
        end += 1
    return end > 0 and code[end - 1].text == "?"


def _statements(source, code, lines):
    """Statements of one line that are left out: calls and assignments."""
    by_line = collections.defaultdict(list)
    for token in code:
        by_line[token.line].append(token)
    depth = 0
    depths = {}
    for token in code:
        depths.setdefault(token.line, depth)
        depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
    numbers = sorted(by_line)
    for position, number in enumerate(numbers):
        tokens, line = by_line[number], lines[number - 1]
        if position == 0 or depths[number] != 0 or INVISIBLE.match(line.strip()) or HINTS.search(line) or INITIALIZES.match(line.strip()):
            continue
        before, after = by_line[numbers[position - 1]][-1], by_line[numbers[position + 1]][0] if position + 1 < len(numbers) else None
        balance = 0
        for token in tokens:
            balance += (token.text in OPENING) - (token.text in CLOSING)
            if balance < 0:
                break
        if balance != 0 or tokens[0].kind not in ("name", "keyword") or tokens[0].text.startswith(("@", "#")):
            continue
        if tokens[0].kind == "keyword" and tokens[0].text not in STARTS_EXPRESSION:
            continue
        if before.kind == "operator" or before.text in (",", "(", "[", ":", ".", "->", "=", "return", "else"):
            continue
        if after is not None and (after.kind == "operator" or after.text in (".", "?", ":", "{", ",")):
            continue
        is_call = tokens[-1].text in (")", "}") and len(tokens) > 2
        is_assignment = any(token.text in ("=", "+=", "-=", "&+=", "&-=", "|=", "&=") for token in tokens)
        if len(tokens) > 1 and tokens[1].text == ":" or not (is_call or is_assignment):
            continue
        start, end = tokens[0].start, tokens[-1].start + len(tokens[-1].text)
        yield Mutation("removed statement", start, end, "", number)
