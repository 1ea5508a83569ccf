"""Compares with graphql-core what the generator sends.

    sent.py documents TOOL FOLDER COUNT SEED     random operations: are the documents valid?
    sent.py variables TOOL FOLDER COUNT SEED PACKAGE
                                                 random defaults: are the variables as sent those
                                                 that a server takes for omitted ones?
    sent.py corpus TOOL FOLDER CORPORA           the documents of the reference corpora

Ends with 1 and prints the shortest inputs when there are differences.
"""

import bisect
import json
import os
import random
import re
import shutil
import subprocess
import sys

import graphql
from graphql import (
    GraphQLError, build_schema, parse, specified_rules, validate,
)
from graphql.execution.values import get_variable_values

CLIENT = {"apollo_client_ios_localCacheMutation", "import"}
POLICY = "directive @typePolicy(keyFields: String!) on OBJECT | INTERFACE\n"
DEFER = "directive @defer(label: String, if: Boolean! = true) on FRAGMENT_SPREAD | INLINE_FRAGMENT\n"


# Random schemas ---------------------------------------------------------------------------------

class Schema:
    """A schema whose interfaces, unions and key fields get into each other's way."""

    scalars = ["Int", "Float", "String", "Boolean", "ID"]

    def __init__(self, r):
        self.r = r
        self.fields = {}      # type -> {field: (type text, named type, arguments)}
        self.kinds = {}
        self.possible = {}
        self.policies = {}
        objects = [f"O{i}" for i in range(r.randint(3, 6))]
        interfaces = [f"I{i}" for i in range(r.randint(1, 3))]
        unions = [f"U{i}" for i in range(r.randint(1, 2))]
        for name in objects:
            self.kinds[name] = "type"
            self.possible[name] = {name}
        shared = {}
        for name in interfaces:
            self.kinds[name] = "interface"
            self.possible[name] = set()
            shared[name] = {}
        for name in unions:
            self.kinds[name] = "union"
            self.possible[name] = set(r.sample(objects, r.randint(1, len(objects))))
        composites = objects + interfaces + unions
        names = ["id", "key", "name", "a", "b", "c", "link", "links", "node", "o0Id", "o1Id"]

        def field(name):
            if name in ("link", "links", "node"):
                inner = r.choice(composites)
                text = {"links": "[%s!]!", "node": "%s!"}.get(name, "%s") % inner
                return text, inner, "(first: Int)" if r.random() < 0.2 else ""
            inner = r.choice(["ID", "ID", "String", "Int"]) if name in ("id", "key") else r.choice(
                self.scalars)
            return inner + r.choice(["", "!", "!"]), None, "(x: Int)" if r.random() < 0.2 else ""

        for name in interfaces:
            shared[name] = {n: field(n) for n in r.sample(names, r.randint(2, 6))}
        # A field that two interfaces have is the same in both, so that objects can have both.
        common = {}
        for fields in shared.values():
            for n in fields:
                fields[n] = common.setdefault(n, fields[n])
        for name in interfaces:
            self.fields[name] = shared[name]
        self.implements = {}
        for name in objects:
            self.implements[name] = [i for i in interfaces if r.random() < 0.6]
            fields = {}
            for i in self.implements[name]:
                self.possible[i].add(name)
                for n, (text, inner, arguments) in shared[i].items():
                    if not text.endswith("!") and r.random() < 0.3:
                        text += "!"  # may be narrower
                    fields[n] = (text, inner, arguments)
            for n in r.sample(names, r.randint(3, 7)):
                fields.setdefault(n, field(n))
            self.fields[name] = fields
        for name in unions:
            self.fields[name] = {}
        self.fields["Query"] = {f"q{i}": (t, t, "") for i, t in enumerate(composites)}
        self.kinds["Query"] = "type"
        self.possible["Query"] = {"Query"}
        # Key fields, which objects and their interfaces have to agree on.
        if r.random() < 0.85:
            for name in objects + (interfaces if r.random() < 0.4 else []):
                keys = [n for n in ("id", "key") if n in self.fields[name]
                        and not self.fields[name][n][2]]
                if keys and r.random() < 0.8:
                    self.policies[name] = " ".join(r.sample(keys, r.randint(1, len(keys))))
        for name in objects:
            related = [t for t in [name] + self.implements[name] if t in self.policies]
            if len({frozenset(self.policies[t].split()) for t in related}) > 1:
                for t in related[1:]:
                    del self.policies[t]
        for name in list(self.policies):
            if self.kinds[name] == "interface":
                # An object that inherits several policies has to find them the same.
                for o in self.possible[name]:
                    others = {frozenset(self.policies[i].split()) for i in self.implements[o]
                              if i in self.policies}
                    if len(others) > 1 and name in self.policies:
                        del self.policies[name]

    def text(self):
        parts = []
        for name, kind in self.kinds.items():
            if kind == "union":
                parts.append(f"union {name} = {' | '.join(sorted(self.possible[name]))}")
                continue
            implements = self.implements.get(name, []) if kind == "type" else []
            head = f"{kind} {name}" + (f" implements {' & '.join(implements)}" if implements else "")
            if name in self.policies:
                head += f' @typePolicy(keyFields: "{self.policies[name]}")'
            body = " ".join(f"{n}{a}: {t}" for n, (t, _, a) in self.fields[name].items())
            parts.append(f"{head} {{ {body} }}")
        return "\n".join(parts) + "\n"


class Operations:
    """Random operations and fragments. Not all of them are valid."""

    def __init__(self, schema, r, count):
        self.s, self.r = schema, r
        self.fragments = {}
        composites = [t for t in schema.kinds if t != "Query"]
        for i in range(max(2, count // 4)):
            on = r.choice(composites)
            self.fragments[f"F{i}"] = (on, self.set(on, 2, f"F{i}", i))
        self.operations = {}
        for i in range(count):
            body = self.set("Query", r.randint(2, 4), f"Q{i}", len(self.fragments))
            self.operations[f"Q{i}"] = body

    def condition(self):
        r = self.r
        if r.random() > 0.22:
            return ""
        names = r.sample(["skip", "include"], r.choice([1, 1, 1, 2]))
        return "".join(
            f" @{name}(if: {r.choice(['true', 'false', '$v0', '$v1', '$v0'])})" for name in names)

    def set(self, on, depth, owner, limit):
        r, s = self.r, self.s
        parts = []
        for _ in range(r.randint(1, 4)):
            choice = r.random()
            fields = s.fields[on]
            if choice < 0.62 and fields:
                name = r.choice(list(fields))
                _, inner, arguments = fields[name]
                alias = r.choice(["id", "key", "x", "y", "o0Id"]) + ": " if r.random() < 0.12 else ""
                call = ""
                if arguments and r.random() < 0.6:
                    call = arguments.replace("Int", r.choice(["1", "2", "$n"]))
                if inner is None:
                    parts.append(alias + name + call + self.condition())
                elif depth > 0:
                    parts.append(
                        alias + name + call + self.condition() + " "
                        + self.set(inner, depth - 1, owner, limit))
            elif choice < 0.82:
                others = [t for t in s.kinds if s.possible[t] & s.possible[on]] or [on]
                to = r.choice(others)
                if depth > 0:
                    condition = f" on {to}" if r.random() < 0.8 else ""
                    parts.append(
                        f"...{condition}{self.condition()} "
                        + self.set(to if condition else on, depth - 1, owner, limit))
            else:
                fits = [f for f, (t, _) in self.fragments.items()
                        if s.possible[t] & s.possible[on] and int(f[1:]) < limit]
                if fits:
                    parts.append(f"...{r.choice(fits)}{self.condition()}")
        if not parts:
            parts = ["__typename"]
        return "{ " + " ".join(parts) + " }"

    def reach(self, body, seen):
        for name in re.findall(r"\.\.\.(F\d+)", body):
            if name not in seen:
                seen.add(name)
                self.reach(self.fragments[name][1], seen)
        return seen

    def document(self, name):
        body = self.operations[name]
        used = sorted(self.reach(body, set()))
        everything = body + "".join(self.fragments[f][1] for f in used)
        types = {"v0": "Boolean! = true", "v1": "Boolean!", "n": "Int"}
        variables = [f"${v}: {t}" for v, t in types.items() if re.search(rf"\${v}\b", everything)]
        head = f"query {name}" + (f"({', '.join(variables)})" if variables else "")
        return f"{head} {body}", [
            f"fragment {f} on {self.fragments[f][0]} {self.fragments[f][1]}" for f in used]


# Running the generator --------------------------------------------------------------------------

def configure(folder, namespace, output, options="", manifest=True):
    os.makedirs(folder, exist_ok=True)
    members = {
        "schemaNamespace": namespace,
        "input": {"schemaSearchPaths": ["schema.graphqls"], "operationSearchPaths": ["*.graphql"]},
        "output": {"schemaTypes": output},
    }
    if manifest:
        members["operationManifest"] = {"path": "manifest.json", "version": "persistedQueries"}
    members.update(options or {})
    with open(f"{folder}/apollo-codegen-config.json", "w") as file:
        json.dump(members, file)


def generate(tool, folder, command="generate-operation-manifest"):
    run = subprocess.run(
        [tool, command, "--quiet"], cwd=folder, capture_output=True, text=True)
    if run.returncode < 0 or run.returncode > 2:
        print(f"error: the generator ended with {run.returncode} in {folder}\n{run.stderr}")
        sys.exit(1)
    return run


def bodies(folder):
    with open(f"{folder}/manifest.json") as file:
        return {o["name"]: o["body"] for o in json.load(file)["operations"]}


class Tally:
    def __init__(self):
        self.checked = self.refused = 0
        self.refusals = {}
        self.differences = []

    def finish(self):
        for rule, count in sorted(self.refusals.items()):
            print(f"  refused by {rule}: {count}")
        self.differences.sort(key=len)
        for text in self.differences[:5]:
            print(f"\n--- a difference\n{text}")
        print(f"{self.checked} checked, {self.refused} refused, {len(self.differences)} differ")
        sys.exit(1 if self.differences else 0)


# Documents --------------------------------------------------------------------------------------

BATCH = 200
# In one batch of so many, graphql-core decides which operations are valid. In the others the
# generator does, which is faster.
BATCHES_PER_REFERENCE = 20
# What the generator may refuse: names that another field has in the response.
ALLOWED = {"AddedFields"}


def documents(tool, scratch, count, seed):
    tally = Tally()
    number = 0
    while tally.checked + tally.refused < count:
        r = random.Random(seed * 1_000_003 + number)
        number += 1
        schema = Schema(r)
        sdl = schema.text()
        known = build_schema(POLICY + sdl)
        operations = Operations(schema, r, BATCH)
        operations = {name: operations.document(name) for name in operations.operations}
        is_reference = number % BATCHES_PER_REFERENCE == 1
        if is_reference:
            operations = valid_operations(known, operations)
        check_batch(
            tool, f"{scratch}/{number % 2}", known, sdl, operations, is_reference, r, tally)
        print(f"\r{tally.checked} checked, {tally.refused} refused", end="", file=sys.stderr)
    print(file=sys.stderr)
    tally.finish()


def valid_operations(known, operations):
    """Returns operations without errors.

    All are validated as one document, and those with errors are left out until none has any. A
    fragment with an error takes the operations along that use it.
    """
    while operations:
        texts = {}
        for name, (text, fragments) in operations.items():
            texts[text] = name
            for fragment in fragments:
                texts.setdefault(fragment, fragment.split()[1])
        document = parse("\n".join(texts))
        names = [d.name.value for d in document.definitions]
        starts = [d.loc.start for d in document.definitions]
        errors = validate(known, document, max_errors=1_000_000)
        if not errors:
            break
        faulty = set()
        for error in errors:
            found = {names[bisect.bisect(starts, n.loc.start) - 1] for n in error.nodes}
            faulty |= found & set(operations) or found
        operations = {
            name: (text, fragments) for name, (text, fragments) in operations.items()
            if name not in faulty and not any(f.split()[1] in faulty for f in fragments)}
    return operations


def check_sent(known, sent, rest, sdl, tally):
    """Validates the documents as they are sent, first all at once."""
    tally.checked += len(sent)
    texts = dict.fromkeys(line for body in sent.values() for line in body.split("\n"))
    if not validate(known, parse("\n".join(texts))):
        # Each document by itself has all of its fragments, and no others.
        fragments = {}
        for line in texts:
            name = line.split()[1].split("(")[0]
            fragments[name] = set(re.findall(r"\.\.\.(\w+)", line.split("{", 1)[1])) - {"on"}
        if all(is_whole(body, fragments) for body in sent.values()):
            return
    for name, body in sent.items():
        errors = validate(known, parse(body))
        if errors:
            tally.differences.append(
                f"{sdl}\n" + "\n".join([rest[name][0]] + rest[name][1])
                + f"\nsent: {body}\n{errors[0].message}")


def is_whole(body, fragments):
    operation, *others = [line.split()[1] for line in body.split("\n")]
    operation = operation.split("(")[0]
    used = set()
    pending = [operation]
    while pending:
        for name in fragments.get(pending.pop(), set()):
            if name not in used:
                used.add(name)
                pending.append(name)
    return sorted(used) == sorted(others)


def check_batch(tool, folder, known, sdl, operations, are_valid, r, tally):
    legacy = r.random() < 0.3
    configure(
        folder, "API", {"path": "out", "moduleType": {"other": {}}},
        {"experimentalFeatures": {"legacySafelistingCompatibleOperations": legacy}})
    with open(f"{folder}/schema.graphqls", "w") as file:
        file.write(sdl)
    rest = dict(operations)
    while rest:
        lines = []
        owners = []
        texts = {}
        for name, (text, fragments) in rest.items():
            texts[text] = name
            for fragment in fragments:
                texts.setdefault(fragment, fragment.split()[1])
        for text, name in texts.items():
            owners.append(name)
            lines.append(text)
        with open(f"{folder}/operations.graphql", "w") as file:
            file.write("\n".join(lines) + "\n")
        run = generate(tool, folder)
        if run.returncode == 0:
            break
        found = re.findall(
            r"^operations\.graphql:(\d+):\d+: error: (.*) \[(\w+)\]$", run.stderr, re.M)
        errors = [(line, rule) for line, _, rule in found]
        # Errors of the source, not of what is added to it.
        invalid = not are_valid and not any(
            "as it is sent" in message or rule in ALLOWED for _, message, rule in found)
        notes = re.findall(r"^operations\.graphql:(\d+):", run.stderr, re.M)
        if not errors:
            tally.differences.append(f"{sdl}\n{run.stderr}")
            return
        faulty = {owners[int(line) - 1] for line, _ in errors}
        faulty |= {owners[int(line) - 1] for line in notes} if not faulty else set()
        for line, rule in errors if not invalid else []:
            tally.refusals[rule] = tally.refusals.get(rule, 0) + 1
            if rule not in ALLOWED:
                tally.differences.append(f"{sdl}\n{lines[int(line) - 1]}\n{run.stderr[:400]}")
        before = len(rest)
        for name in list(rest):
            used = {name} | {f.split()[1] for f in rest[name][1]}
            if used & faulty:
                del rest[name]
                tally.refused += not invalid
        if len(rest) == before:
            tally.differences.append(f"{sdl}\n{run.stderr}")
            return
    if not rest:
        return
    sent = bodies(folder)
    if set(sent) != set(rest):
        tally.differences.append(f"{sdl}\nnot sent: {set(rest) - set(sent)}")
    check_sent(known, sent, rest, sdl, tally)


# Variables --------------------------------------------------------------------------------------

AWKWARD = (
    "NONE SOME NULL UNKNOWN CASE INIT SELF TYPE RAW_VALUE ALL_CASES none some case init self Self "
    "Type Protocol RawValue AllCases allCases rawValue hash unknown value Value T Wrapped in default "
    "description LARGE SMALL a b").split()


class Defaults:
    """A schema of inputs, and operations whose variables have defaults."""

    def __init__(self, r, count):
        self.r = r
        self.enums = {f"E{i}": r.sample(AWKWARD, r.randint(2, 12)) for i in range(3)}
        for values in self.enums.values():
            if r.random() < 0.7 and "NONE" not in values:
                values.append("NONE")
        self.inputs = {}
        for i in range(4):
            one_of = i == 3
            fields = {}
            for j in range(r.randint(1, 5)):
                named = r.choice(["Int", "Float", "String", "Boolean", "ID", "Date"]
                                 + list(self.enums) * 2 + list(self.inputs))
                text = self.wrapped(named, nullable=one_of)
                default = ""
                if not one_of and r.random() < 0.3:
                    default = " = " + self.literal(text, 1)
                fields[f"f{j}"] = (text, default)
            self.inputs[f"N{i}"] = (one_of, fields)
        self.operations = [self.operation(i) for i in range(count)]

    def wrapped(self, named, nullable=False):
        r = self.r
        text = named + ("!" if r.random() < 0.4 else "")
        for _ in range(r.choice([0, 0, 0, 1, 1, 2])):
            text = f"[{text}]" + ("!" if r.random() < 0.4 else "")
        return text.rstrip("!") if nullable else text

    def literal(self, text, depth):
        r = self.r
        if text.endswith("!"):
            text = text[:-1]
        elif r.random() < 0.12:
            return "null"
        if text.startswith("["):
            inner = text[1:-1]
            if r.random() < 0.25:
                value = self.literal(inner, depth)
                if value != "null":
                    return value
            items = [self.literal(inner, depth - 1) for _ in range(r.randint(0, 3))]
            return "[" + ", ".join(items) + "]"
        if text in self.enums:
            return r.choice(self.enums[text])
        if text in self.inputs:
            one_of, fields = self.inputs[text]
            if one_of:
                name = r.choice(list(fields))
                return f"{{{name}: {self.literal(fields[name][0] + '!', depth - 1)}}}"
            members = [
                f"{n}: {self.literal(t, depth - 1)}" for n, (t, default) in fields.items()
                if (t.endswith("!") and not default) or (depth > 0 and r.random() < 0.6)]
            return "{" + ", ".join(members) + "}"
        return {
            "Int": lambda: r.choice(["0", "-1", "2147483647", "-2147483648", "7"]),
            "Float": lambda: r.choice(
                ["0", "1", "-2.5", "1e10", "10000000000000000000", "-123456789012345678901234567890",
                 "9007199254740993", "0.1", "1e-7", "3.141592653589793238462643", "0.0", "-0"]),
            "String": lambda: r.choice(
                ['""', '"a"', r'"\"q\" \\(x)"', r'"\u0041\n"', '"""block "x" """', '"null"',
                 '"NONE"', '"é"']),
            "Boolean": lambda: r.choice(["true", "false"]),
            "ID": lambda: r.choice(["1", "-7", '"x"', "123456789012345678901234567890"]),
            "Date": lambda: r.choice(['"2020"', "5", "{a: [1]}", "true"]),
        }[text]()

    def operation(self, index):
        r = self.r
        variables = []
        for i in range(r.randint(1, 5)):
            named = r.choice(["Int", "Float", "String", "ID", "Boolean", "Date"]
                             + list(self.enums) * 3 + list(self.inputs) * 2)
            text = self.wrapped(named)
            variables.append((f"v{i}", text, self.literal(text, 2)))
        head = ", ".join(f"${n}: {t} = {d}" for n, t, d in variables)
        uses = " ".join(f"{n}: f{self.slot(t)}(x: ${n})" for n, t, _ in variables)
        return f"query D{index}({head}) {{ {uses} }}"

    def slot(self, text):
        if not hasattr(self, "slots"):
            self.slots = {}
        return self.slots.setdefault(text, len(self.slots))

    def schema(self):
        parts = ["scalar Date", "directive @oneOf on INPUT_OBJECT"]
        if graphql.version_info >= (3, 3):
            parts.pop()
        parts += [f"enum {n} {{ {' '.join(v)} }}" for n, v in self.enums.items()]
        for name, (one_of, fields) in self.inputs.items():
            body = " ".join(f"{n}: {t}{d}" for n, (t, d) in fields.items())
            parts.append(f"input {name}{' @oneOf' if one_of else ''} {{ {body} }}")
        fields = " ".join(f"f{i}(x: {t}): Int" for t, i in self.slots.items())
        parts.append(f"type Query {{ {fields} }}")
        return "\n".join(parts) + "\n"


def variables(tool, scratch, count, seed, package):
    """Generates, compiles and runs the code of projects of 100 operations each."""
    tally = Tally()
    shutil.rmtree(f"{scratch}/Sources", ignore_errors=True)
    projects = []
    number = 0
    while sum(len(p[2]) for p in projects) < count:
        r = random.Random(seed * 1_000_003 + number)
        namespace = f"P{number}"
        number += 1
        defaults = Defaults(r, min(100, count))
        sdl = defaults.schema()
        known = build_schema(sdl)
        operations = [o for o in defaults.operations if not validate(known, parse(o))]
        folder = f"{scratch}/projects/{namespace}"
        shutil.rmtree(folder, ignore_errors=True)
        output = {"path": "out", "moduleType": {
            "embeddedInTarget": {"name": "check", "accessModifier": "public"}}}
        strategy = r.choice(["camelCase", "none"])
        configure(folder, namespace, output, {
            "options": {"conversionStrategies": {"enumCases": strategy}}}, manifest=False)
        with open(f"{folder}/schema.graphqls", "w") as file:
            file.write(sdl)
        with open(f"{folder}/operations.graphql", "w") as file:
            file.write("\n".join(operations) + "\n")
        run = generate(tool, folder, "generate")
        if run.returncode:
            tally.differences.append(f"{sdl}\n{run.stderr[:1000]}")
            continue
        projects.append((namespace, known, operations, strategy))
        target = f"{scratch}/Sources/check/{namespace}"
        os.makedirs(target)
        for place, _, files in os.walk(f"{folder}/out"):
            for name in files:
                # The files of a module need different names.
                shutil.copy(f"{place}/{name}", f"{target}/{namespace}_{name}")
    compile_and_compare(scratch, projects, package, tally)


def compile_and_compare(scratch, projects, package, tally):
    calls = []
    for namespace, _, operations, _ in projects:
        names = [re.match(r"query (\w+)", o).group(1) for o in operations]
        shown = " ".join(f'show("{namespace}.{n}", {namespace}.{n}Query().__variables)\n' for n in names)
        calls.append(f"func {namespace.lower()}() {{\n{shown}}}\n")
    with open(f"{scratch}/Sources/check/main.swift", "w") as file:
        file.write(
            "import ApolloAPI\nimport Foundation\n\n"
            "func show(_ name: String, _ variables: ApolloAPI.Variables?) {\n"
            "  let bytes = try! JSONEncoder().encode(variables?.jsonValue ?? .object([:]))\n"
            '  print(name, String(decoding: bytes, as: UTF8.self), separator: "\\t")\n}\n'
            + "".join(calls) + "".join(f"{p[0].lower()}()\n" for p in projects))
    with open(f"{scratch}/Package.swift", "w") as file:
        file.write(f'''// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "check",
  dependencies: [.package(name: "apollo-swift", path: "{package}")],
  targets: [
    .executableTarget(
      name: "check", dependencies: [.product(name: "ApolloAPI", package: "apollo-swift")])
  ],
  swiftLanguageModes: [.v6]
)
''')
    build = subprocess.run(
        ["swift", "build", "--package-path", scratch, "-Xswiftc", "-suppress-warnings"],
        capture_output=True, text=True)
    if build.returncode:
        errors = [l for l in build.stdout.splitlines() if "error:" in l]
        print("error: the code does not compile\n" + "\n".join(errors[:10]))
        sys.exit(1)
    output = subprocess.run(
        [f"{scratch}/.build/debug/check"], capture_output=True, text=True, check=True).stdout
    sent = dict(line.split("\t", 1) for line in output.splitlines())
    for namespace, known, operations, strategy in projects:
        for operation in operations:
            name = re.match(r"query (\w+)", operation).group(1)
            compare(known, operation, json.loads(sent[f"{namespace}.{name}"]), strategy, tally)
    tally.finish()


def coerced(known, operation, values):
    definitions = parse(operation).definitions[0].variable_definitions
    result = get_variable_values(known, definitions, values)
    if isinstance(result, list):
        raise GraphQLError("; ".join(e.message for e in result))
    return getattr(result, "coerced", result)


def compare(known, operation, sent, strategy, tally):
    tally.checked += 1
    try:
        expected = coerced(known, operation, {})
        found = coerced(known, operation, sent)
    except GraphQLError as error:
        tally.differences.append(f"{operation}\nsent: {json.dumps(sent)}\n{error.message}")
        return
    # `JSONEncoder`, which prints the values here, writes a zero without its sign.
    shown = [re.sub(r"-0\.0(?!\d)", "0.0", repr(values)) for values in (expected, found)]
    if shown[0] != shown[1]:
        tally.differences.append(
            f"{operation}\nenum cases: {strategy}\nsent: {json.dumps(sent)}\n"
            f"expected: {expected}\nfound: {found}")


# Corpora ----------------------------------------------------------------------------------------

def corpus(tool, scratch, corpora):
    """The documents of all real projects and of the fixtures of other generators."""
    tally = Tally()
    units = []
    for entry in sorted(os.listdir(f"{corpora}/real")):
        folder = f"{corpora}/real/{entry}"
        if not os.path.exists(f"{folder}/schema.graphql") or not os.path.isdir(f"{folder}/operations"):
            continue
        with open(f"{folder}/schema.graphql") as file:
            sdl = file.read()
        texts = []
        for place, _, files in sorted(os.walk(f"{folder}/operations")):
            for name in sorted(files):
                if name.endswith(".graphql"):
                    with open(f"{place}/{name}") as file:
                        texts.append(file.read())
        units.append((entry, sdl, texts))
    with open(f"{corpora}/codegen_fixtures.json") as file:
        fixtures = json.load(file)
    for case in fixtures["cases"]:
        if case.get("valid"):
            units.append((case["id"], fixtures["schemas"][case["schema"]],
                          [d["text"] for d in case["documents"]]))
    schemas = {}
    for number, (name, sdl, texts) in enumerate(units):
        known = schemas.get(sdl)
        if known is None:
            known = schemas[sdl] = build_schema(
                with_client_directives(sdl), assume_valid=True, assume_valid_sdl=True)
        groups = [texts] if whole(known, texts) else [[t] for t in texts]
        for group in groups:
            check_unit(tool, f"{scratch}/{number % 2}", name, known, sdl, group, tally)
    tally.finish()


def with_client_directives(sdl):
    extra = [t for n, t in (("typePolicy", POLICY), ("defer", DEFER)) if f"directive @{n}" not in sdl]
    return sdl + "\n" + "".join(extra)


def whole(known, texts):
    try:
        document = parse("\n".join(texts))
    except GraphQLError:
        return False
    names = [d.name.value for d in document.definitions if getattr(d, "name", None)]
    return len(names) == len(document.definitions) == len(set(names))


def check_unit(tool, folder, name, known, sdl, texts, tally):
    shutil.rmtree(folder, ignore_errors=True)
    configure(folder, "API", {"path": "out", "moduleType": {"other": {}}})
    with open(f"{folder}/schema.graphqls", "w") as file:
        file.write(sdl)
    with open(f"{folder}/operations.graphql", "w") as file:
        file.write("\n".join(texts))
    run = generate(tool, folder)
    if run.returncode:
        tally.refused += 1
        for rule in set(re.findall(r"error: .*\[(\w+)\]$", run.stderr, re.M)):
            tally.refusals[rule] = tally.refusals.get(rule, 0) + 1
        return
    # The specification has no rules for `@defer` yet.
    rules = [r for r in specified_rules if "Defer" not in r.__name__]
    for operation, body in bodies(folder).items():
        tally.checked += 1
        errors = validate(known, parse(body), rules)
        if errors:
            tally.differences.append(f"{name} {operation}\nsent: {body}\n{errors[0].message}")


if __name__ == "__main__":
    mode, tool, scratch, *rest = sys.argv[1:]
    if mode == "documents":
        documents(tool, scratch, int(rest[0]), int(rest[1]))
    elif mode == "variables":
        variables(tool, scratch, int(rest[0]), int(rest[1]), rest[2])
    else:
        corpus(tool, scratch, rest[0])
