#!/usr/bin/env python3
"""Checks that every target of a manifest depends on exactly the modules that its files import: of
Package.swift, and of Tests/Studies/Package.swift, where products of the first stand for their modules.

The compiler looks for what is missing with --explicit-target-dependency-import-check error; what is
no longer imported it does not see. A program may stand among the dependencies without being
imported: then it has to be built before the tests that run it.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMPORT = re.compile(
    r"^\s*(?:@\w+\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)", re.M)
# The header of a C target has its name.
INCLUDE = re.compile(r'^\s*#\s*include\s+"(\w+)\.h"', re.M)


def described(package, scratch):
    """The root's build folder contains the studies' too."""
    output = subprocess.run(
        ["swift", "package", "--package-path", package, "--scratch-path", scratch,
         "describe", "--type", "json"], check=True, capture_output=True, text=True)
    return json.loads(output.stdout)


def imported(folder, target):
    """The imports of a target's files. In C also headers other than those of targets."""
    folder = folder / target["path"]
    pattern = IMPORT if target["module_type"] == "SwiftTarget" else INCLUDE
    return {name for source in target["sources"]
            for name in pattern.findall((folder / source).read_text())}


def wrong_lists(folder, package, products):
    """The faults of a package's targets. Products of another package: their modules by name."""
    owners = {module: name for name, modules in products.items() for module in modules}
    kinds = {target["name"]: target["type"] for target in package["targets"]}
    for target in package["targets"]:
        listed = set(target.get("target_dependencies", []))
        listed |= set(target.get("product_dependencies", []))
        used = {owners.get(name, name) for name in imported(folder, target)} - {target["name"]}
        missing = (used & (kinds.keys() | products.keys())) - listed
        idle = {name for name in listed - used if kinds.get(name) != "executable"}
        for names, what in [(missing, "imports what it does not list"),
                            (idle, "lists what it does not import")]:
            if names:
                manifest = (folder / "Package.swift").relative_to(ROOT)
                yield f"{manifest}: {target['name']} {what}: {', '.join(sorted(names))}"


def main():
    root = described(ROOT, ROOT / ".build")
    studies = described(ROOT / "Tests/Studies", ROOT / ".build/studies")
    offered = {product["name"]: product["targets"] for product in root["products"]
               if "library" in product["type"]}
    wrong = [*wrong_lists(ROOT, root, {}), *wrong_lists(ROOT / "Tests/Studies", studies, offered)]
    if wrong:
        sys.exit("\n".join(wrong + [f"dependencies: {len(wrong)} lists are wrong"]))
    count = len(root["targets"]) + len(studies["targets"])
    print(f"dependencies: {count} targets list exactly what they import")


main()
