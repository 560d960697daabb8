#!/usr/bin/env python3
"""Checks that every target of Package.swift depends on exactly the modules that its files import.

The compiler looks for what is missing with --explicit-target-dependency-import-check error; what
nobody imports any more it does not see. A program may stand among the dependencies without being
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


def imported(target):
    """What a target's files name. In C other headers than those of targets, too."""
    folder = ROOT / target["path"]
    pattern = IMPORT if target["module_type"] == "SwiftTarget" else INCLUDE
    return {name for source in target["sources"]
            for name in pattern.findall((folder / source).read_text())}


def main():
    described = subprocess.run(
        ["swift", "package", "--package-path", ROOT, "describe", "--type", "json"],
        check=True, capture_output=True, text=True)
    targets = json.loads(described.stdout)["targets"]
    kinds = {target["name"]: target["type"] for target in targets}
    wrong = 0
    for target in targets:
        listed = set(target.get("target_dependencies", []))
        products = set(target.get("product_dependencies", []))
        used = imported(target)
        missing = (used & kinds.keys()) - listed - {target["name"]}
        idle = {name for name in listed - used if kinds[name] != "executable"}
        idle |= products - used
        for names, what in [(missing, "imports what it does not list"),
                            (idle, "lists what it does not import")]:
            if names:
                wrong += 1
                print(f"Package.swift: {target['name']} {what}: {', '.join(sorted(names))}")
    if wrong:
        sys.exit(f"dependencies: {wrong} lists are wrong")
    print(f"dependencies: {len(targets)} targets list exactly what they import")


main()
