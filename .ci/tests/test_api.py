"""Tests of .ci/api."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
path = pathlib.Path(__file__).resolve().parent.parent / "api"
loader = importlib.machinery.SourceFileLoader("api", str(path))
api = importlib.util.module_from_spec(importlib.util.spec_from_loader("api", loader))
loader.exec_module(api)


def symbol(precise, path, text, kind="swift.method", constraints=()):
    result = {
        "identifier": {"precise": precise},
        "kind": {"identifier": kind},
        "pathComponents": path.split("."),
        "declarationFragments": [{"spelling": part} for part in text],
    }
    if constraints:
        result["swiftExtension"] = {"constraints": list(constraints)}
    return result


def relationship(kind, source, target, fallback=None):
    return {"kind": kind, "source": source, "target": target, **({"targetFallback": fallback} if fallback else {})}


class APITests(unittest.TestCase):
    def test_writes_one_line_for_each_declaration_and_conformance(self):
        graph = {
            "symbols": [
                symbol("C", "Client", ["final class ", "Client"]),
                symbol("f", "Client.fetch(_:)", ["@discardableResult\n", "func fetch(_ ", "query", ": Query)\n  throws"]),
                symbol("e", "Array.sum()", ["func sum() -> Int"], constraints=[{"kind": "sameType", "lhs": "Element", "rhs": "Int"}]),
            ],
            "relationships": [
                relationship("conformsTo", "C", "s8Sendable", "Swift.Sendable"),
                relationship("conformsTo", "C", "s8Copyable", "Swift.Copyable"),
            ],
        }
        self.assertEqual(
            sorted(api.lines([graph])),
            [
                "Array: func sum() -> Int where Element == Int",
                "Client: conforms to Sendable",
                "Client: func fetch(_ query: Query) throws",
                "final class Client",
            ],
        )

    def test_names_requirements_without_a_default(self):
        graph = {
            "symbols": [
                symbol("P", "P", ["protocol P"]),
                symbol("a", "P.a()", ["func a()"]),
                symbol("b", "P.b()", ["func b()"]),
                symbol("d", "P.b()", ["func b()"]),
            ],
            "relationships": [
                relationship("requirementOf", "a", "P"),
                relationship("requirementOf", "b", "P"),
                relationship("defaultImplementationOf", "d", "b"),
            ],
        }
        self.assertEqual(sorted(api.lines([graph])), ["P: func b()", "P: requires func a()", "protocol P"])

    def test_reports_what_breaks_users_and_nothing_else(self):
        before = {"protocol P", "P: func a()", "enum E", "E: case one"}
        after = {"protocol P", "P: requires func a()", "enum E", "E: case one", "E: case two", "struct New", "New: case a", "E: var b: Int"}
        self.assertEqual(api.changes(before, after), ["- P: func a()", "+ E: case two", "+ P: requires func a()"])
        self.assertEqual(api.changes(before, before), [])

    def test_knows_what_is_for_generated_code(self):
        for line in [
            "Model: var __object: ResponseObject { get }",
            "struct _Layout",
            "_Layout: var size: Int",
            "Month: init(_jsonValue value: JSONValue) throws",
            "Model: static func _make<T>() -> T",
            "Model: conforms to _SlotValue",
        ]:
            self.assertTrue(api.is_underscored(line), line)
        for line in ["Model: init(_ value: Int)", "Model: func make(_ value: Int)", "struct Model", "Model: subscript(_ index: Int) -> Int"]:
            self.assertFalse(api.is_underscored(line), line)


if __name__ == "__main__":
    unittest.main()
