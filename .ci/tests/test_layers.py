"""Tests of .ci/layers: small modules, and what must be found in them."""

import pathlib
import subprocess
import tempfile
import textwrap
import unittest

command = pathlib.Path(__file__).resolve().parent.parent / "layers"


class LayersTests(unittest.TestCase):
    def run_layers(self, order, files, *arguments):
        """Writes a module `M`, runs the check on it, and returns its output, with paths below the module."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for name, text in files.items():
                path = folder / "Sources" / "M" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(textwrap.dedent(text), encoding="utf-8")
            (folder / "layers.txt").write_text(textwrap.dedent(order), encoding="utf-8")
            result = subprocess.run(
                [command, "--order", folder / "layers.txt", "--sources", folder / "Sources", *arguments, "M"],
                capture_output=True,
                text=True,
            )
            output = (result.stdout + result.stderr).replace(f"{folder}/Sources/M/", "")
            return output.strip().splitlines(), result.returncode

    def expect(self, files, *expected, order="M\n  Low\n  High\n"):
        """Expects exactly these references, each written as `file:line Type`."""
        lines, status = self.run_layers(order, files)
        found = [f"{line.split(': ')[0]} {line.split(chr(39))[5]}" for line in lines if ": error: " in line]
        self.assertEqual(found, list(expected), "\n".join(lines))
        self.assertEqual(status, 1 if expected else 0)

    def test_reports_an_upward_reference_with_its_line(self):
        lines, status = self.run_layers(
            "M\n  Low\n  High\n",
            {"Low/Block.swift": "struct Block {\n  var roof: Roof\n}\n", "High/Roof.swift": "struct Roof {}\n"},
        )
        self.assertEqual(lines, ["Low/Block.swift:2: error: 'Low' is below 'High' and refers to 'Roof' of High/Roof.swift."])
        self.assertEqual(status, 1)

    def test_accepts_a_downward_reference(self):
        self.expect({"Low/Block.swift": "struct Block {}\n", "High/Roof.swift": "struct Roof { var block: Block }\n"})

    def test_folders_of_one_line_may_refer_to_each_other(self):
        self.expect({"A/A.swift": "struct A { var b: B? }\n", "B/B.swift": "class B { var a: A }\n"}, order="M\n  A B\n")

    def test_ignores_comments_and_strings(self):
        self.expect(
            {
                "Low/A.swift": '// Roof /* \n/* Roof /* Roof */ Roof */\nlet text = "Roof \\" Roof" + """\n  Roof " Roof\n  """ + #"Roof"#\n',
                "High/Roof.swift": "struct Roof {}\n",
            }
        )

    def test_an_import_of_one_type_declares_nothing(self):
        self.expect({"Low/A.swift": "let roof: Roof\n", "High/B.swift": "import enum Roof.Tile\n"})

    def test_reads_what_is_interpolated(self):
        self.expect(
            {"Low/A.swift": 'let text = "\\(Roof().name(")")) Roof"\n', "High/Roof.swift": "struct Roof {}\n"},
            "Low/A.swift:1 Roof",
        )

    def test_reports_an_extension_of_a_type_above(self):
        self.expect(
            {"Low/A.swift": "extension Roof {}\nextension Roof.Tile {}\n", "High/Roof.swift": "struct Roof { struct Tile {} }\n"},
            "Low/A.swift:1 Roof",
            "Low/A.swift:2 Roof.Tile",
        )

    def test_resolves_nested_types(self):
        self.expect(
            {
                "Low/A.swift": """\
                    struct Block {
                      enum State { case solid }
                      var state: State
                    }
                    extension Block {
                      func next(_ state: State) -> State { .solid }
                    }
                    var roof: Block.Cover
                    """,
                "High/State.swift": "enum State {}\nextension Block { struct Cover {} }\n",
            },
            "Low/A.swift:8 Block.Cover",
        )

    def test_generic_parameters_hide_types(self):
        self.expect(
            {
                "Low/A.swift": """\
                    func first<Roof>(_ roof: Roof) -> Roof { roof }
                    struct Box<Roof: Equatable> { var roof: Roof }
                    extension Box { var other: Roof? { nil } }
                    protocol Covered {
                      associatedtype Roof
                      func cover<Tile>(_ tile: Tile) -> Roof
                      var tile: Tile { get }
                    }
                    func second(_ roof: Roof) {}
                    """,
                "High/Roof.swift": "struct Roof {}\nstruct Tile {}\n",
            },
            "Low/A.swift:7 Tile",
            "Low/A.swift:9 Roof",
        )

    def test_private_types_hide_those_of_other_files(self):
        self.expect(
            {
                "Low/A.swift": "private struct Roof {}\nprivate let roof = Roof()\n",
                "Low/B.swift": "let roof = Roof()\n",
                "High/Roof.swift": "struct Roof {}\nfileprivate struct Tile {}\n",
                "Low/C.swift": "let tile = Tile()\n",
            },
            "Low/B.swift:1 Roof",
        )

    def test_reads_paths_through_the_module(self):
        self.expect({"Low/A.swift": "let roof = M.Roof()\n", "High/Roof.swift": "struct Roof {}\n"}, "Low/A.swift:1 Roof")

    def test_aliases_are_types(self):
        self.expect({"Low/A.swift": "let roof: Roof = 1\n", "High/Roof.swift": "typealias Roof = Int\n"}, "Low/A.swift:1 Roof")

    def test_exempt_files_may_refer_to_everything(self):
        self.expect(
            {"Low/Registry.swift": "let all = [Roof()]\n", "High/Roof.swift": "struct Roof {}\n"},
            order="M\n  Low\n  High\n  except Low/Registry.swift # names everything\n",
        )

    def test_reports_a_folder_without_a_place(self):
        lines, status = self.run_layers("M\n  Low\n", {"Other/A.swift": "struct A {}\n", "Low/Deep/B.swift": "struct B {}\n"})
        self.assertEqual(lines, ["Other/A.swift:1: error: the folder 'Other' is not in .ci/layers.txt; say there where it belongs."])
        self.assertEqual(status, 1)

    def test_groups_are_what_reaches_itself(self):
        files = {
            "Low/A.swift": "struct A { var b: B }\nstruct B { var c: C.Part }\nstruct C { struct Part { var a: A } }\nstruct D { var a: A }\n",
            # What is added in another folder is no part of the type.
            "High/A+D.swift": "extension A { var d: D }\n",
        }
        lines, _ = self.run_layers("M\n  Low\n  High\n", files, "--groups")
        self.assertEqual(lines[0], "M: 4 types; the largest group has 3.")
        lines, status = self.run_layers("M largest-group=2\n  Low\n  High\n", files)
        self.assertEqual((status, "3 types all reach each other, which is more than 2: A, B, C." in lines[0]), (1, True), lines)


if __name__ == "__main__":
    unittest.main()
