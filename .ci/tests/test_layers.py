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
        self.expect({"A/A.swift": "struct A { var b: B? }\n", "B/B.swift": "class B { var a: A }\n"}, order="M\n  A B  # one needs the other\n")

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

    def test_counts_extensions_in_other_folders_apart(self):
        files = {
            "Low/A.swift": "struct A { var b: B }\nstruct B {}\n",
            "High/C.swift": "struct C { var a: A }\nextension B { var c: C { C() } }\n",
        }
        order = "M with-extensions={}\n  Low\n  High\n"
        lines, _ = self.run_layers(order.format(3), files, "--groups", "--spread")
        self.assertEqual(lines[0], "M: 3 types; the largest group has 3.")
        self.assertEqual(self.run_layers(order.format(3), files)[1], 0)
        lines, status = self.run_layers(order.format(2), files)
        self.assertEqual((status, "with all extensions, 3 types reach each other, which is more than 2: A, B, C." in lines[0]), (1, True), lines)
        # The number is written down again when it has fallen.
        lines, status = self.run_layers(order.format(4), files)
        self.assertEqual((status, "write that in place of 4." in lines[0]), (1, True), lines)

    def test_with_extensions_does_not_rise_between_releases(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "Sources" / "M").mkdir(parents=True)
            (folder / "Sources" / "M" / "A.swift").write_text("struct A { var b: B }\nstruct B { var a: A? }\n", encoding="utf-8")

            def git(*words):
                names = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false"]
                subprocess.run(["git", "-C", folder, *names, *words], check=True, capture_output=True)

            def run(order):
                (folder / "layers.txt").write_text(order, encoding="utf-8")
                arguments = ["--order", folder / "layers.txt", "--sources", folder / "Sources", "M"]
                result = subprocess.run([command, *arguments], capture_output=True, text=True)
                return result.stdout.replace(f"{folder}/", "").strip(), result.returncode

            def commit():
                git("add", "layers.txt")
                git("commit", "--message", "One")

            passes = ("No folder refers upwards: M.", 0)
            raised, gone = "M with-extensions=2\n  .\n", "\nM\n  .\n"
            # Without a repository, without a tag, and if the release had no such file.
            self.assertEqual(run(raised), passes)
            git("init", "--quiet")
            git("commit", "--allow-empty", "--message", "None")
            self.assertEqual(run(raised), passes)
            git("tag", "0.9.0")
            self.assertEqual(run(raised), passes)
            # The module is new, or its number has stayed.
            run("Other with-extensions=1\n  .\n")
            commit()
            git("tag", "1.0.0")
            self.assertEqual(run(raised), passes)
            commit()
            git("tag", "1.1.0")
            self.assertEqual(run(raised), passes)
            expected = "It may only fall: '.ci/layers --groups --spread M' shows which types reach each other."
            self.assertEqual(
                run(gone), (f"Sources/M/.:2: error: 'with-extensions' of M is gone, and was 2 in 1.1.0. {expected}", 1)
            )
            run("M with-extensions=1\n  .\n")
            commit()
            git("tag", "1.2.0")
            self.assertEqual(
                run(raised), (f"Sources/M/.:1: error: 'with-extensions' of M is 2, and was 1 in 1.2.0. {expected}", 1)
            )

    def test_several_folders_on_a_line_need_a_reason(self):
        files = {"A/A.swift": "struct A {}\n", "B/B.swift": "struct B {}\n"}
        lines, status = self.run_layers("M\n  A B\n", files)
        self.assertEqual((status, ".ci/layers.txt has A and B on one line; say there why" in lines[0]), (1, True), lines)
        self.assertEqual(self.run_layers("M\n  A B  # one needs the other\n", files)[1], 0)

    def test_reports_members_that_an_extension_above_declares(self):
        files = {
            "Low/Block.swift": "struct Block { var size = 1 }\nfunc price(_ block: Block) -> Int { block.worth + block.size }\n",
            "High/Block+Worth.swift": "extension Block {\n  var worth: Int { 2 }\n  private var size2: Int { 1 }\n}\n",
        }
        lines, status = self.run_layers("M\n  Low\n  High\n", files)
        self.assertEqual(
            lines, ["Low/Block.swift:2: error: 'Low' is below 'High' and refers to the member 'worth' of High/Block+Worth.swift."]
        )
        self.assertEqual(status, 1)

    def test_members_that_others_declare_too_are_theirs(self):
        above = "extension Block { var worth: Int { 2 }; func first() {} }\nextension Array { func last() {} }\nextension Block { enum Kind { case a(x: Int, y: Int), b } }\n"
        for text in [
            # Its own folder has one of this name, as a case behind another one, and even a private
            # one in the same file.
            "struct Block {}\nstruct Stone { var worth = 1 }\nlet price = Stone().worth\n",
            "struct Block {}\nenum Stone { case cheap(_ a: Int, b: Int), worth }\nlet price = Stone.worth\n",
            "struct Block {}\nstruct Stone { private var worth = 1; var price: Int { self.worth } }\n",
            # The type that is extended is another module's.
            "struct Block {}\nlet end = [1].last()\n",
        ]:
            self.expect({"Low/A.swift": text, "High/B.swift": above})

    def test_lists_and_limits_names_of_several_modules(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for module, text in {"A": "struct One {}\nprivate struct Two {}\n", "B": "enum One { struct Three {} }\nstruct Two {}\n"}.items():
                (folder / module).mkdir()
                (folder / module / "X.swift").write_text(text, encoding="utf-8")
            output = subprocess.run([command, "--names", "--sources", folder], capture_output=True, text=True).stdout
            self.assertEqual(output.splitlines(), ["One: A (X.swift), B (X.swift)", "1 names of types are declared in several modules."])

            def run(limit):
                (folder / "layers.txt").write_text(f"* shared-names={limit}\nA\n  .\nB\n  .\n", encoding="utf-8")
                result = subprocess.run(
                    [command, "--order", folder / "layers.txt", "--sources", folder], capture_output=True, text=True
                )
                return result.stdout.strip(), result.returncode

            self.assertEqual(run(1), ("No folder refers upwards: A, B.", 0))
            output, status = run(0)
            self.assertEqual((status, "1 names of types are declared in several modules, which is more than 0" in output), (1, True), output)
            # The number is written down again when it has fallen.
            output, status = run(2)
            self.assertEqual((status, "write that in place of 2." in output), (1, True), output)


if __name__ == "__main__":
    unittest.main()
