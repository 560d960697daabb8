#!/usr/bin/env python3
"""Besieges the finished program, area by area, and ends with a verdict.

Usage: Tests/Siege/siege.py [GODWIT] [--area NAME[,NAME]] [--size full|short] [--seed N]
                            [--jobs N] [--table] [--list]

Black box: only the command line, the control socket, devices and files. Every area runs in
namespaces of its own, so that nothing is left behind and nothing leaves the machine. Recordings are
read from ../shared/data, or from GODWIT_DATA; an area that needs them and has none is skipped,
and says so. Exit code 0: everything held; 1: a bound was broken.
"""

import argparse
import datetime
import importlib
import os
import pkgutil
import platform
import shutil
import signal
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True  # the source tree stays clean

import areas
from field import AREAS, Siege
from findings import Skipped
from isolation import Child

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DATA = os.environ.get("GODWIT_DATA", os.path.join(ROOT, "..", "shared", "data"))


def besiege(area, options, folder):
    """The findings of one area as JSON; runs inside its namespaces."""
    siege = Siege(area.name, options.godwit, DATA, folder, options.seed, options.size == "full")
    try:
        area.function(siege)
    except Skipped as why:
        return {"skipped": str(why)}
    return siege.found.json()


class Campaign:
    """The chosen areas, their scratch folder, and what came out so far."""

    def __init__(self, options, chosen):
        self.options, self.chosen = options, chosen
        self.folder = tempfile.mkdtemp(prefix="siege-")
        self.children, self.rows, self.is_over = {}, [], False

    def attack(self, area):
        start = time.monotonic()
        folder = os.path.join(self.folder, area.name)
        os.mkdir(folder)
        child = Child(lambda: besiege(area, self.options, folder))
        self.children[area.name] = child
        found = child.result(limit_s=60 + 240 * area.minutes)
        shutil.rmtree(folder, ignore_errors=True)
        if self.is_over:
            return
        self.tell(area, found or {"error": "did not end in time"}, time.monotonic() - start)

    def tell(self, area, found, seconds):
        if "skipped" in found:
            verdict, text = "SKIPPED", found["skipped"]
        elif "error" in found:
            verdict, text = "BROKEN", found["error"].strip()
        else:
            verdict = "BROKEN" if found["broken"] else "held"
            text = f"{found['tried']} | {found['outcome']}"
            text += "".join(f" | BROKEN: {broken}" for broken in found["broken"])
            text += "".join(f" | SKIPPED: {gap}" for gap in found["gaps"])
        self.rows.append((area, verdict, found, seconds))
        print(f"{verdict}: {area.name}: {text} ({seconds:.0f} s)", flush=True)

    def end(self):
        self.is_over = True
        for child in list(self.children.values()):
            child.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def verdict(self):
        count = {word: sum(row[1] == word for row in self.rows)
                 for word in ("held", "BROKEN", "SKIPPED")}
        gaps = sum(len(row[2].get("gaps", [])) for row in self.rows)
        names = ", ".join(row[0].name for row in self.rows if row[1] == "BROKEN")
        minutes = sum(row[3] for row in self.rows) / 60
        return (f"siege: {count['held']} areas held, {count['BROKEN']} broken"
                f"{names and f' ({names})'}, {count['SKIPPED']} skipped and {gaps} in part, size "
                f"{self.options.size}, seed {self.options.seed}, {minutes:.1f} minutes of siege")

    def table(self):
        """The rows as Markdown, for the README."""
        order = {name: index for index, name in enumerate(AREAS)}
        lines = [f"{datetime.date.today()}, {platform.machine()}, {os.cpu_count()} cores, Linux "
                 f" {platform.release()}, size {self.options.size}, seed {self.options.seed}.",
                 "", "| area | tried | outcome | s |", "|---|---|---|---|"]
        for area, verdict, found, seconds in sorted(self.rows, key=lambda row: order[row[0].name]):
            outcome = found.get("skipped") or found.get("error") or found.get("outcome", "")
            broken = "; ".join(found.get("broken", []))
            gaps = "; ".join(found.get("gaps", []))
            cells = outcome + (broken and f". **Broken:** {broken}")
            cells += gaps and f". Skipped: {gaps}"
            prefix = "skipped: " if verdict == "SKIPPED" else ""
            cells = cells.replace("|", "\\|").replace("\n", " ")
            lines.append(f"| {area.name} | {found.get('tried', '')} | {prefix}{cells} "
                         f"| {seconds:.0f} |")
        return "\n".join(lines)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("godwit", nargs="?", default=os.path.join(ROOT, ".build/release/godwit"))
    parser.add_argument("--area", default="", help="names, separated by commas; all without")
    parser.add_argument("--size", choices=("full", "short"), default="short")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="areas at the same time")
    parser.add_argument("--table", action="store_true", help="print the rows as Markdown, too")
    parser.add_argument("--list", action="store_true", help="print the areas and their minutes")
    return parser.parse_args()


def load():
    for module in sorted(pkgutil.iter_modules(areas.__path__), key=lambda module: module.name):
        importlib.import_module(f"areas.{module.name}")


def main():
    options = arguments()
    load()
    if options.list:
        for one in AREAS.values():
            print(f"{one.name:20} {one.minutes:5.1f} min  {one.title}")
        minutes = sum(one.minutes for one in AREAS.values())
        print(f"siege: {len(AREAS)} areas, {minutes:.0f} minutes at full size")
        return 0
    options.godwit = os.path.abspath(options.godwit)
    names = [name for name in options.area.split(",") if name] or list(AREAS)
    unknown = [name for name in names if name not in AREAS]
    if unknown or not os.access(options.godwit, os.X_OK):
        why = (f"area {', '.join(unknown)}; --list names them" if unknown
               else f"program {options.godwit}; run make build")
        print(f"siege: there is no {why}", file=sys.stderr)
        return 2
    campaign = Campaign(options, [AREAS[name] for name in names])

    def interrupted(number, _):
        print(f"siege: interrupted by {signal.Signals(number).name}", file=sys.stderr)
        campaign.end()
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    try:
        with ThreadPoolExecutor(max_workers=max(1, options.jobs)) as pool:
            list(pool.map(campaign.attack, campaign.chosen))
    finally:
        campaign.end()
    if options.table:
        print(campaign.table())
    print(campaign.verdict())
    return 1 if any(row[1] == "BROKEN" for row in campaign.rows) else 0


if __name__ == "__main__":
    sys.exit(main())
