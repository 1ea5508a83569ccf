#!/usr/bin/env python3
"""Writes the inputs of the reference corpora as files, one a case, for the fuzz targets to start from.

    fuzz-seeds.py CORPUS TARGET FOLDER [SIZE]

CORPUS is the folder of the corpora, TARGET one of the targets of Fuzz/. Inputs of more than SIZE bytes are left out.
"""

import hashlib
import json
import pathlib
import sys

corpus, target, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
limit = int(sys.argv[4]) if len(sys.argv) > 4 else 4096


def load(name):
    return json.loads((corpus / name).read_text(encoding="utf-8"))


def inputs(key, *names):
    """The texts of a member of all cases of some files."""
    for name in names:
        for case in load(name)["cases"]:
            if isinstance(case.get(key), str):
                yield case[key]


def operations():
    """The operations and fragments of real projects."""
    for path in sorted((corpus / "real").glob("*/operations/**/*.graphql")):
        yield path.read_text(encoding="utf-8")


def introspections():
    """Introspection JSON without the types of introspection itself, which are most of it."""
    for name in ("introspection.json", "introspection_invalid.json", "introspection_servers.json"):
        for case in load(name)["cases"]:
            result = case.get("introspection")
            schema = ((result or {}).get("data") or result or {}).get("__schema") if isinstance(result, dict) else None
            if isinstance(schema, dict) and isinstance(schema.get("types"), list):
                schema["types"] = [
                    kind
                    for kind in schema["types"]
                    if not (isinstance(kind, dict) and str(kind.get("name")).startswith("__"))
                ]
            yield json.dumps(result, ensure_ascii=False, separators=(",", ":"))


def documents():
    """Schemas and documents, with a line of hyphens between them."""
    for name in ("validation.json", "validation_nonspec.json", "validation_experimental.json", "apollo_kotlin_validation.json"):
        file = load(name)
        for case in file["cases"]:
            schema = file["schemas"].get(case["schema"], "")
            yield schema + "\n---\n" + case["document"]


def responses():
    """Responses of servers, each after a byte that chooses the operation it is read for."""
    for name in ("execution.json", "malformed_responses.json"):
        for index, case in enumerate(load(name)["cases"]):
            yield chr(ord("0") + index % 8) + json.dumps(case["response"], ensure_ascii=False)


def texts():
    syntax = ("parser.json", "parser_experimental.json", "strip_ignored.json", "apollo_rs_parser.json")
    if target == "Lexer":
        yield from inputs("input", "lexer.json", *syntax)
    elif target == "Parser":
        yield from inputs("input", *syntax)
        yield from inputs("text", "spec_examples.json")
        yield from operations()
    elif target == "Schema":
        yield from inputs("document", "validation_sdl.json", "apollo_kotlin_schema_validation.json")
        yield from inputs("sdl", "schema_validation.json", "schema_print.json")
        yield from introspections()
    elif target == "Validation":
        yield from documents()
        yield from operations()
    elif target == "Decoder":
        yield from responses()


folder.mkdir(parents=True, exist_ok=True)
for text in texts():
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= limit:
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)
