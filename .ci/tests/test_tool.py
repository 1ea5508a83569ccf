"""Tests of the tool that is built once: its version, and scripts/tool-bundle."""

import json
import pathlib
import re
import stat
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
