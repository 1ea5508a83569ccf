"""Compares with graphql-core what the generator sends for fragments with variables.

    fragments.py TOOL FOLDER COUNT SEED

Random operations spread fragments with variables. graphql-core 3.3 knows fragment arguments: it
executes each operation as it is written and as it is sent, with different values of its variables,
and each field returns its arguments. Ends with 1 and prints the shortest operations when there are
differences.
"""

import itertools
import json
import random
import re
import shutil
import sys

from graphql import build_schema, execute, parse, print_ast, specified_rules, validate

from sent import Tally, bodies, configure, generate

SDL = """
input Filter { int: Int, list: [Int], inner: Filter, must: Int! = 1 }
enum Kind { A B C }
directive @note(int: Int = 3) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
interface Node { echo(int: Int, list: [Int], filter: Filter, kind: Kind, flag: Boolean = true): String node: Node self: Query }
type Item implements Node { echo(int: Int, list: [Int], filter: Filter, kind: Kind, flag: Boolean = true): String node: Node self: Query must(int: Int!): String }
type Query { echo(int: Int, list: [Int], filter: Filter, kind: Kind, flag: Boolean = true): String must(int: Int!): String or(int: Int! = 5): String self: Query node: Node }
"""
FIELDS = {
    "Query": ["echo", "must", "or", "self", "node"], "Item": ["echo", "must", "node", "self"],
    "Node": ["echo", "node", "self"],
}
INNER = {"self": "Query", "node": "Node"}
ARGUMENTS = {
    "echo": {"int": "Int", "list": "[Int]", "filter": "Filter", "kind": "Kind", "flag": "Boolean"},
    "must": {"int": "Int!"}, "or": {"int": "Int"}, "self": {}, "node": {},
}
TYPES = ["Int", "Int!", "[Int]", "[Int!]", "Filter", "Kind", "Boolean", "Boolean!"]
# What the generator refuses and graphql-core does not: what only a server could do, and what
# graphql-core finds when it executes the operation.
ALLOWED = {
    "FragmentArguments", "OverlappingFieldsCanBeMerged", "ValuesOfCorrectType",
    "VariablesInAllowedPosition",
}


class Operation:
    def __init__(self, r, index):
        self.r, self.index, self.alias = r, index, 0
        self.variables = self.declare("xyzv", 0.5)
        self.fragments = {}
        for number in reversed(range(r.randint(1, 4))):
            name = f"F{index}_{number}"
            on = r.choice(["Query", "Query", "Node", "Item"])
            own = self.declare("xyab", 0.6) if r.random() < 0.8 else {}
            body = self.set(on, 2, own, spreads=0.35)
            if r.random() < 0.95:
                own = {n: v for n, v in own.items() if re.search(rf"\${n}\b", body)}
            self.fragments[name] = (on, own, body)
        self.body = self.set("Query", 3, self.variables, spreads=0.5)

    def declare(self, names, chance):
        """Returns the types and default values of variables by their names."""
        r = self.r
        result = {}
        for name in names:
            if r.random() < chance:
                text = r.choice(TYPES)
                default = ""
                if r.random() < 0.4:
                    default = " = " + self.value(text, {}, 1)
                result[name] = (text, default)
        return result

    def value(self, text, scope, depth):
        """Returns a value for a type, with variables in scope."""
        r = self.r
        if scope and r.random() < 0.55:
            # A variable of the operation is in scope as well. Not every choice is valid.
            known = {**self.variables, **scope} if r.random() < 0.3 else scope
            fits = [n for n, (t, _) in known.items()
                    if t.rstrip("!").replace("!]", "]") == text.rstrip("!").replace("!]", "]")]
            if fits:
                return "$" + r.choice(fits)
        if not text.endswith("!") and r.random() < 0.15:
            return "null"
        text = text.rstrip("!")
        if text.startswith("["):
            if r.random() < 0.15:
                return self.value("Int!", {}, depth)
            items = [self.value(text[1:-1], scope, depth) for _ in range(r.randint(0, 3))]
            return "[" + ", ".join(items) + "]"
        if text == "Filter":
            parts = []
            for name, inner in (("int", "Int"), ("list", "[Int]"), ("must", "Int!")):
                if r.random() < 0.4:
                    parts.append(f"{name}: {self.value(inner, scope, depth)}")
            if depth > 0 and r.random() < 0.3:
                parts.append(f"inner: {self.value('Filter', scope, depth - 1)}")
            return "{" + ", ".join(parts) + "}"
        return {"Int": str(r.randint(0, 9)), "Kind": r.choice("ABC"),
                "Boolean": r.choice(["true", "false"])}[text]

    def directives(self, scope):
        r = self.r
        text = ""
        if r.random() < 0.2:
            name = r.choice(["skip", "include"])
            text += f" @{name}(if: {self.value('Boolean!', scope, 0)})"
        if r.random() < 0.1:
            text += " @note" + (f"(int: {self.value('Int', scope, 0)})" if r.random() < 0.7 else "")
        return text

    def set(self, on, depth, scope, spreads):
        r = self.r
        parts = []
        for _ in range(r.randint(1, 3)):
            if r.random() < spreads and self.fragments:
                name = r.choice(list(self.fragments))
                to, own, _ = self.fragments[name]
                arguments = ", ".join(
                    f"{n}: {self.value(t, scope, 1)}" for n, (t, d) in own.items()
                    if r.random() < (0.5 if d or not t.endswith("!") else 0.97))
                call = f"...{name}" + (f"({arguments})" if arguments else "") + self.directives(scope)
                # Beside other spreads of the fragment, its fields would often conflict.
                inner = {"Query": "self", "Node": "node", "Item": "node"}[to]
                if inner in FIELDS[on] and r.random() < 0.8:
                    self.alias += 1
                    parts.append(f"s{self.alias}: {inner} {{ __typename {call} }}")
                elif (on == "Query") == (to == "Query"):
                    parts.append(call)
                continue
            if depth > 0 and r.random() < 0.15:
                to = r.choice([on, "Item", "Node"]) if on != "Query" else on
                condition = f" on {to}" if r.random() < 0.8 else ""
                inner = self.set(to if condition else on, depth - 1, scope, spreads)
                parts.append(f"...{condition}{self.directives(scope)} {inner}")
                continue
            name = r.choice(FIELDS[on])
            self.alias += 1
            arguments = ", ".join(
                f"{n}: {self.value(t, scope, 1)}" for n, t in ARGUMENTS[name].items()
                if r.random() < (0.35 if not t.endswith("!") else 0.97))
            call = f"f{self.alias}: {name}" + (f"({arguments})" if arguments else "")
            call += self.directives(scope)
            if name in INNER:
                if depth == 0:
                    continue
                call += " " + self.set(INNER[name], depth - 1, scope, spreads)
            parts.append(call)
        return "{ " + (" ".join(parts) or "__typename") + " }"

    def text(self):
        used = {}

        def reach(body):
            for name in re.findall(rf"\.\.\.(F{self.index}_\d+)", body):
                if name not in used:
                    used[name] = self.fragments[name]
                    reach(self.fragments[name][2])

        reach(self.body)
        everything = self.body + "".join(body for _, _, body in used.values())
        head = self.head({n: v for n, v in self.variables.items() if re.search(rf"\${n}\b", everything)})
        lines = [f"query Q{self.index}{head} {self.body}"]
        for name, (on, own, body) in used.items():
            lines.append(f"fragment {name}{self.head(own)} on {on} {body}")
        return " ".join(lines)

    @staticmethod
    def head(variables):
        parts = [f"${n}: {t}{d}" for n, (t, d) in variables.items()]
        return f"({', '.join(parts)})" if parts else ""


def resolve(source, info, **arguments):
    if info.field_name in INNER:
        return {}
    return json.dumps(arguments, sort_keys=True)


def values(definition):
    """Returns the values of a variable to try. An empty list stands for no value."""
    text = print_ast(definition.type)
    some = {"Int": [7], "[Int]": [[1, None]], "[Int!]": [[1, 2]], "Filter": [{"int": 1, "must": 2}],
            "Kind": ["B"], "Boolean": [False]}[text.rstrip("!")]
    found = [[value] for value in some]
    if not text.endswith("!"):
        found += [[None]]
    if not text.endswith("!") or definition.default_value is not None:
        found += [[]]
    return found


def outcome(schema, document, variables):
    result = execute(
        schema, document, root_value={}, variable_values=variables, field_resolver=resolve)
    return without_typename(result.data), sorted(str(e.path) for e in result.errors or [])


def without_typename(value):
    """Returns data without the names of types, which the generator adds."""
    if isinstance(value, dict):
        return {k: without_typename(v) for k, v in value.items() if k != "__typename"}
    return value


def compare(schema, text, sent, r, tally):
    written, other = parse(text, experimental_fragment_arguments=True), parse(sent)
    errors = validate(schema, other)
    if errors:
        tally.differences.append(f"{text}\nsent: {sent}\n{errors[0].message}")
        return
    # graphql-core compares the arguments of spreads, and executes one of two that differ. The
    # generator compares the fields.
    if validate(schema, written):
        return
    definitions = written.definitions[0].variable_definitions or []
    choices = list(itertools.product(*[values(d) for d in definitions]))
    for choice in r.sample(choices, min(4, len(choices))):
        variables = {
            d.variable.name.value: v[0] for d, v in zip(definitions, choice) if v}
        expected, found = (outcome(schema, d, variables) for d in (written, other))
        # A null in place of a default value can reach a non-null variable of a fragment. It is an
        # error of the spread as it is written, and of a field as it is sent.
        is_null = any(v == [None] and d.default_value for d, v in zip(definitions, choice))
        if expected[1] and is_null:
            continue
        if expected != found:
            tally.differences.append(
                f"{text}\nsent: {sent}\nvariables: {variables}\nexpected: {expected}\nfound: {found}")
            return


def main(tool, scratch, count, seed):
    schema = build_schema(SDL)
    schema.get_type("Node").resolve_type = lambda *_: "Item"
    rules = [rule for rule in specified_rules if rule.__name__ != "OverlappingFieldsCanBeMergedRule"]
    tally = Tally()
    number = 0
    while tally.checked + tally.refused < count:
        r = random.Random(seed * 1_000_003 + number)
        number += 1
        texts = [Operation(r, index).text() for index in range(200)]
        valid = {}
        for text in texts:
            document = parse(text, experimental_fragment_arguments=True)
            valid[text] = not validate(schema, document, rules)
        check(tool, f"{scratch}/{number % 2}", schema, texts, valid, r, tally)
        print(f"\r{tally.checked} checked, {tally.refused} refused", end="", file=sys.stderr)
    print(file=sys.stderr)
    tally.finish()


def check(tool, folder, schema, texts, valid, r, tally):
    shutil.rmtree(folder, ignore_errors=True)
    configure(
        folder, "API", {"path": "out", "moduleType": {"other": {}}},
        {"experimentalFeatures": {"fragmentArguments": True}})
    with open(f"{folder}/schema.graphqls", "w") as file:
        file.write(SDL)
    rest = list(texts)
    while rest:
        with open(f"{folder}/operations.graphql", "w") as file:
            file.write("\n".join(rest) + "\n")
        run = generate(tool, folder)
        if run.returncode == 0:
            break
        errors = re.findall(
            r"^operations\.graphql:(\d+):\d+: error: (.*) \[(\w+)\]$", run.stderr, re.M)
        if not errors:
            tally.differences.append(run.stderr)
            return
        faulty = {int(line) - 1 for line, _, _ in errors}
        for line, message, rule in errors:
            text = rest[int(line) - 1]
            if valid[text]:
                tally.refusals[rule] = tally.refusals.get(rule, 0) + 1
                if rule not in ALLOWED:
                    tally.differences.append(f"{text}\nrefused: {message} [{rule}]")
        tally.refused += sum(valid[rest[index]] for index in faulty)
        rest = [text for index, text in enumerate(rest) if index not in faulty]
    if not rest:
        return
    sent = bodies(folder)
    for text in rest:
        name = re.match(r"query (\w+)", text).group(1)
        tally.checked += 1
        if not valid[text]:
            tally.differences.append(f"{text}\naccepted, and graphql-core refuses it")
        else:
            compare(schema, text, sent[name], r, tally)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
