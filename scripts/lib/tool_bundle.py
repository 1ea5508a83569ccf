"""Makes artifact bundles of apollo-cli (Swift Evolution 0305).

    python3 tool_bundle.py make BUNDLE TOOL TRIPLE
    python3 tool_bundle.py merge BUNDLE PART…
    python3 tool_bundle.py zip BUNDLE FILE
    python3 tool_bundle.py checksum FILE
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import zipfile

NAME = "apollo-cli"


def write(bundle: pathlib.Path, version: str, variants: list[dict]) -> None:
    artifact = {"version": version, "type": "executable", "variants": variants}
    manifest = {"schemaVersion": "1.0", "artifacts": {NAME: artifact}}
    (bundle / "info.json").write_text(json.dumps(manifest, indent=2) + "\n")


def make(bundle: pathlib.Path, tool: pathlib.Path, triple: str) -> None:
    """Makes a bundle of a tool for one triple."""
    # A name without a folder would be looked for in PATH, while the file here is copied.
    tool = tool.absolute()
    version = subprocess.run([tool, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    path = pathlib.Path(f"{NAME}-{version}-{triple}", "bin", NAME)
    (bundle / path).parent.mkdir(parents=True)
    shutil.copy(tool, bundle / path)
    write(bundle, version, [{"path": str(path), "supportedTriples": [triple]}])


def merge(bundle: pathlib.Path, parts: list[pathlib.Path]) -> None:
    """Makes one bundle of several, which must have one version and triples of their own."""
    bundle.mkdir(parents=True)
    version, variants, owners = "", [], {}
    for part in parts:
        artifact = json.loads((part / "info.json").read_text())["artifacts"][NAME]
        if version and artifact["version"] != version:
            raise SystemExit(f"error: '{part}' has version {artifact['version']}, those before it have {version}.")
        version = artifact["version"]
        for variant in artifact["variants"]:
            for triple in variant["supportedTriples"]:
                if triple in owners:
                    raise SystemExit(f"error: both '{owners[triple]}' and '{part}' have a tool for {triple}.")
                owners[triple] = part
            (bundle / variant["path"]).parent.mkdir(parents=True)
            shutil.copy(part / variant["path"], bundle / variant["path"])
            variants.append(variant)
    write(bundle, version, sorted(variants, key=lambda variant: variant["path"]))


def archive(bundle: pathlib.Path, file: pathlib.Path) -> None:
    """Writes a zip file: the same bytes for the same bundle."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zipped:
        for path in sorted(path for path in bundle.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(str(path.relative_to(bundle.parent)), (2000, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if path.name == NAME else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            zipped.writestr(entry, path.read_bytes())


def main() -> None:
    command, *rest = sys.argv[1:]
    paths = [pathlib.Path(argument) for argument in rest]
    if command == "make":
        make(paths[0], paths[1], rest[2])
    elif command == "merge":
        merge(paths[0], paths[1:])
    elif command == "zip":
        archive(paths[0], paths[1])
    elif command == "checksum":
        # That of 'swift package compute-checksum'.
        print(hashlib.sha256(paths[0].read_bytes()).hexdigest())
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
