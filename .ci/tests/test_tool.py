"""Tests of the tool that is built once: its version, the plugins' choice, and scripts/tool-bundle."""

import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.dont_write_bytecode = True
root = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(root / "scripts" / "lib"))

import tool_bundle  # noqa: E402


class VersionTests(unittest.TestCase):
    def test_plugins_and_generator_have_one_version(self):
        """Plugins cannot import a library, so they repeat the version."""
        generator = (root / "Sources/ApolloCodegenLib/Output/PackageManifest.swift").read_text()
        plugin = (root / "Plugins/Shared/InstalledTool.swift").read_text()
        expected = re.search(r'let generatorVersion = "(.+)"', generator).group(1)
        self.assertEqual(re.search(r'static let version = "(.+)"', plugin).group(1), expected)


def modules():
    """The modules whose sources the plugins hash."""
    source = (root / "Plugins/Shared/ToolSources.swift").read_text()
    return re.findall(r'"([^"]+)"', re.search(r"static let modules = \[(.*?)\]", source, re.DOTALL).group(1))


class ToolSourcesTests(unittest.TestCase):
    def test_the_modules_are_those_of_the_tool(self):
        found, rest = set(), ["apollo-cli"]
        while rest:
            module = rest.pop()
            if module in found or not (root / "Sources" / module).is_dir():
                continue
            found.add(module)
            for file in (root / "Sources" / module).rglob("*.swift"):
                rest += re.findall(r"^[ \t@_a-z]*\bimport (?:\w+ )?([\w-]+)", file.read_text(), re.MULTILINE)
        self.assertEqual(modules(), sorted(found))


# Prints the tool that a plugin would run.
FIND = """
do {
  print(try InstalledTool.find()?.path ?? "none", InstalledTool.name ?? "none")
} catch {
  print(error)
}
"""


@unittest.skipUnless(shutil.which("swiftc"), "needs the Swift compiler")
class InstalledToolTests(unittest.TestCase):
    """Compiles the plugins' choice into a program, in a package of a few small sources."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name).resolve()
        cls.package = cls.folder / "package"
        plugin = cls.package / "Plugins/Shared"
        plugin.mkdir(parents=True)
        (cls.package / "Package.swift").touch()
        for name in ["InstalledTool.swift", "ToolSources.swift"]:
            shutil.copy(root / "Plugins/Shared" / name, plugin)
        (plugin / "main.swift").write_text(FIND)
        subprocess.run(["swiftc", *sorted(plugin.glob("*.swift")), "-o", cls.folder / "find"], check=True)

    def setUp(self):
        shutil.rmtree(self.package / "Sources", ignore_errors=True)
        for module in modules():
            self.source(f"{module}/A.swift", "1")
        self.home, self.bin = self.folder / "home", self.folder / "bin"
        for folder in [self.home, self.bin]:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()

    def source(self, name, text):
        file = self.package / "Sources" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def find(self, **variables):
        path = os.environ["PATH"].split(os.pathsep)
        # No tool of this machine.
        path = [str(self.bin)] + [each for each in path if not (pathlib.Path(each) / ".apollo-cli").exists()]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("APOLLO_")}
        environment |= {"HOME": str(self.home), "CFFIXED_USER_HOME": str(self.home), "PATH": os.pathsep.join(path)}
        result = subprocess.run(
            [self.folder / "find"], env=environment | variables, check=True, stdout=subprocess.PIPE, text=True
        )
        return result.stdout.strip()

    def name(self):
        return self.find().split()[1]

    def tool(self, path, version="0.1.0"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\necho {version}\n")
        path.chmod(0o755)
        return path

    def install(self, folder, name):
        copy = self.tool(folder / ".apollo-cli" / name)
        link = folder / "apollo-cli"
        link.unlink(missing_ok=True)
        link.symlink_to(f".apollo-cli/{name}")
        return copy

    def test_uses_the_copy_of_its_own_sources(self):
        name = self.name()
        self.assertRegex(name, r"^0\.1\.0-[0-9a-f]{16}$")
        for folder in [self.home / ".local/bin", self.bin]:
            copy = self.install(folder, name)
            # One of another revision was installed later.
            self.install(folder, "0.1.0-0123456789abcdef")
            self.assertEqual(self.find(), f"{copy} {name}")
            shutil.rmtree(folder)

    def test_does_not_use_a_copy_of_other_sources_with_the_same_version(self):
        self.install(self.bin, self.name())
        self.source("GraphQLSyntax/A.swift", "2")
        self.assertEqual(self.find(), f"none {self.name()}")

    def test_does_not_use_a_tool_without_a_hash_that_is_only_in_the_path(self):
        self.tool(self.bin / "apollo-cli")
        self.assertEqual(self.find(), f"none {self.name()}")

    def test_the_hash_is_that_of_all_sources_of_the_tool_and_of_nothing_else(self):
        names = [self.name()]
        for module in modules():
            self.source(f"{module}/A.swift", "3")
            names.append(self.name())
        self.source("apollo-cli/B/C.swift", "")
        names.append(self.name())
        (self.package / "Sources/apollo-cli/B/C.swift").rename(self.package / "Sources/apollo-cli/B/D.swift")
        names.append(self.name())
        self.assertEqual(len(set(names)), len(names))
        self.source("Apollo/A.swift", "1")
        self.source("apollo-cli/.A.swift.swp", "1")
        self.source("apollo-cli/.A.swift", "1")
        (self.package / "Sources/apollo-cli/A.swift").touch()
        self.assertEqual(self.name(), names[-1])

    def test_has_no_name_without_sources(self):
        self.install(self.bin, self.name())
        shutil.rmtree(self.package / "Sources/GraphQLSchema")
        self.assertEqual(self.find(), "none none")

    def test_the_variable_names_a_tool_of_this_package(self):
        name = self.name()
        copy = self.install(self.bin, name)
        link = str(self.bin / "apollo-cli")
        self.assertEqual(self.find(APOLLO_CLI=link), f"{copy} {name}")
        self.assertEqual(self.find(APOLLO_CLI="build"), f"none {name}")
        # One that was built in another way has a version only.
        other = self.tool(self.folder / "other")
        self.assertEqual(self.find(APOLLO_CLI=str(other)), f"{other} {name}")

    def test_refuses_another_tool_that_the_variable_names(self):
        self.install(self.bin, "0.1.0-0123456789abcdef")
        for tool, message in [
            (self.bin / "apollo-cli", "names an apollo-cli that was made of other sources than those of this package."),
            (self.tool(self.folder / "newer", "99.0.0"), "names apollo-cli 99.0.0, and this package has version 0.1.0."),
            (self.tool(self.folder / "program", "two words"), "which is no apollo-cli."),
            (self.folder / "nothing", "which is no apollo-cli."),
            # It would wait for input.
            (pathlib.Path("/bin/cat"), "which is no apollo-cli."),
        ]:
            with self.subTest(tool=tool):
                self.assertIn(message, self.find(APOLLO_CLI=str(tool)))


class BundleTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def bundle(self, name, triple, version="1.2.3"):
        tool = self.folder / f"{name}-tool"
        tool.write_text(f"#!/bin/sh\necho {version}\n")
        tool.chmod(0o755)
        tool_bundle.make(self.folder / name, tool, triple)
        return self.folder / name

    def artifact(self, bundle):
        return json.loads((bundle / "info.json").read_text())["artifacts"]["apollo-cli"]

    def test_has_the_tool_and_its_version(self):
        bundle = self.bundle("a", "x86_64-unknown-linux-gnu")
        path = "apollo-cli-1.2.3-x86_64-unknown-linux-gnu/bin/apollo-cli"
        variant = {"path": path, "supportedTriples": ["x86_64-unknown-linux-gnu"]}
        self.assertEqual(self.artifact(bundle), {"version": "1.2.3", "type": "executable", "variants": [variant]})
        self.assertTrue((bundle / path).stat().st_mode & stat.S_IXUSR)

    def test_asks_the_tool_that_is_named_and_not_one_of_the_path(self):
        for folder, version in [("here", "1.2.3"), ("path", "9.9.9")]:
            tool = self.folder / folder / "apollo-cli"
            tool.parent.mkdir()
            tool.write_text(f"#!/bin/sh\necho {version}\n")
            tool.chmod(0o755)
        script = root / "scripts/lib/tool_bundle.py"
        subprocess.run(
            [sys.executable, "-B", script, "make", self.folder / "a", "./apollo-cli", "x86_64-unknown-linux-gnu"],
            cwd=self.folder / "here",
            env={**os.environ, "PATH": f"{self.folder / 'path'}:{os.environ['PATH']}"},
            check=True,
        )
        self.assertEqual(self.artifact(self.folder / "a")["version"], "1.2.3")

    def test_merges_the_triples_of_several_machines(self):
        parts = [self.bundle("b", "x86_64-unknown-linux-gnu"), self.bundle("a", "aarch64-unknown-linux-gnu")]
        tool_bundle.merge(self.folder / "all", parts)
        variants = self.artifact(self.folder / "all")["variants"]
        triples = [variant["supportedTriples"][0] for variant in variants]
        self.assertEqual(triples, ["aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"])
        for variant in variants:
            self.assertTrue((self.folder / "all" / variant["path"]).exists())

    def test_rejects_parts_that_do_not_fit(self):
        first = self.bundle("a", "x86_64-unknown-linux-gnu")
        for other in [self.bundle("b", "x86_64-unknown-linux-gnu"), self.bundle("c", "arm64-apple-macosx", "1.2.4")]:
            with self.assertRaises(SystemExit):
                tool_bundle.merge(self.folder / f"all-{other.name}", [first, other])

    def test_zips_the_same_bundle_to_the_same_bytes(self):
        bundle = self.bundle("a.artifactbundle", "x86_64-unknown-linux-gnu")
        files = [self.folder / "1.zip", self.folder / "2.zip"]
        for file in files:
            tool_bundle.archive(bundle, file)
        self.assertEqual(files[0].read_bytes(), files[1].read_bytes())
        with zipfile.ZipFile(files[0]) as zipped:
            modes = {entry.filename.split("/")[-1]: entry.external_attr >> 16 for entry in zipped.infolist()}
        self.assertEqual(modes, {"apollo-cli": 0o100755, "info.json": 0o100644})


if __name__ == "__main__":
    unittest.main()
