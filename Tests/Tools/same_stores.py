#!/usr/bin/env python3
"""Proves that two programs store the same, but for the words in renamed.tsv beside this file.

Usage: Tests/Tools/same_stores.py BEFORE AFTER [--jobs N] [--show] [--without TABLE.COLUMN]...

Runs both over seven synthetic days under every policy (with and without a coarse source, with
receivers that sleep by command and with a switch that cuts), and over the labelled traces. Each
store is dumped canonically: every table with its columns and types, every row, and every value of
every JSON text in it. The words of BEFORE are put through the map; then the dumps, and the
summaries that the commands print, have to be the same to the last digit. Schema texts, comments,
the order of tables and columns and the programs' versions do not count. --show prints the first
lines that differ. --without leaves out the values of a column whose words have changed by intent.
"""

import argparse
import difflib
import glob
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TRACES = os.path.join(
    os.environ.get("GODWIT_DATA", os.path.join(ROOT, "..", "shared", "data")), "trajectories")
BOARDS = {
    "cut": ["--set", "power_switch.kind=virtual"],
    "asleep": ["--set", "power_switch.kind=virtual", "--set", "receiver.family=ubloxM8"],
    "plain": [],
}
POLICIES = ["continuous", "periodic", "hybrid"]


class Renaming:
    """What is called otherwise in AFTER: lines of kind, old, new, separated by tabs. Kinds: table;
    column and word (of a value of a column), both with TABLE.COLUMN before the old word, of the
    old names; key (of any JSON object); text (part of any text)."""

    def __init__(self, path):
        self.tables, self.columns, self.words, self.keys, self.texts = {}, {}, {}, {}, []
        self.left_out = frozenset()
        with open(path) as lines:
            for line in lines:
                if not line.strip() or line.startswith("#"):
                    continue
                kind, *names = line.rstrip("\n").split("\t")
                if kind == "table":
                    self.tables[names[0]] = names[1]
                elif kind == "column":
                    self.columns[names[0]] = names[1]
                elif kind == "word":
                    self.words[names[0], names[1]] = names[2]
                elif kind == "key":
                    self.keys[names[0]] = names[1]
                elif kind == "text":
                    self.texts.append((names[0], names[1]))
                else:
                    sys.exit(f"same_stores: {path}: there is no kind '{kind}'")

    def blind_to_version_of(self, program):
        """The dump with the version that the program writes into its stores replaced by a fixed
        one."""
        version = subprocess.run(
            [program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        self.texts.append((version, "VERSION"))
        return self

    def without(self, columns):
        self.left_out = frozenset(columns)
        return self

    def text(self, value):
        for old, new in self.texts:
            value = value.replace(old, new)
        return value

    def json(self, value):
        if isinstance(value, dict):
            return {self.keys.get(key, key): self.json(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self.json(part) for part in value]
        return self.text(value) if isinstance(value, str) else value

    def value(self, table, column, value):
        if f"{table}.{column}" in self.left_out:
            return ""
        if isinstance(value, bytes):
            return value.hex()
        if not isinstance(value, str):
            return repr(value)
        value = self.words.get((f"{table}.{column}", value), value)
        if value.startswith(("{", "[")):
            try:
                return json.dumps(self.json(json.loads(value)), sort_keys=True)
            except ValueError:
                pass
        return self.text(value)


class Identity(Renaming):
    def __init__(self):
        super().__init__(os.devnull)


def dump(path, renaming):
    """The store's lines, in an order that depends only on its contents."""
    lines = []
    store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    tables = [row[0] for row in store.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]
    for table in tables:
        name = renaming.tables.get(table, table)
        columns = list(store.execute(f'PRAGMA table_info("{table}")'))
        titles = [renaming.columns.get(f"{table}.{column[1]}", column[1]) for column in columns]
        order = sorted(range(len(columns)), key=lambda index: titles[index])
        for index in order:
            _, _, kind, required, default, key = columns[index]
            lines.append(f"{name}: {titles[index]} {kind} {required} {default} {key}")
        rows = []
        for row in store.execute(f'SELECT * FROM "{table}"'):
            values = [renaming.value(table, columns[index][1], row[index]) for index in order]
            # GeoPackage's own tables name tables and columns, too.
            if table.startswith("gpkg_"):
                values = [renaming.tables.get(value, value) for value in values]
            rows.append(f"{name} | " + " | ".join(values))
        lines += sorted(rows)
    store.close()
    return sorted(lines)


def outcome(program, command, renaming):
    """The command's new store and its output."""
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "store.gpkg")
        done = subprocess.run(
            [program, *command, "--store", store, "--json"], capture_output=True, text=True,
            check=False)
        if done.returncode != 0:
            return [f"exit code {done.returncode}: {done.stderr.strip()}"]
        summary = renaming.json(json.loads(done.stdout))
        said = [f"summary: {key} = {json.dumps(value, sort_keys=True)}"
                for key, value in sorted(summary.items())]
        return said + dump(store, renaming)


def commands():
    for board, settings in BOARDS.items():
        for policy in POLICIES:
            for coarse in ([], ["--coarse"]):
                yield ["simulate", "--days", "7", "--seed", "1", "--policy", policy,
                       *settings, *coarse]
    traces = sorted(glob.glob(f"{TRACES}/utrecht-diary/Utrecht*.csv")
                    + glob.glob(f"{TRACES}/mobilitynet/locations/*.csv"))
    for trace in traces:
        yield ["replay", trace]
    # A closed loop takes longer: every tenth trace under the default policy.
    for trace in traces[::10]:
        yield ["simulate", trace, *BOARDS["asleep"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--map", default=os.path.join(HERE, "renamed.tsv"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--without", action="append", default=[], metavar="TABLE.COLUMN")
    options = parser.parse_args()
    renaming = Renaming(options.map).blind_to_version_of(options.before).without(options.without)
    unchanged = Identity().blind_to_version_of(options.after).without(options.without)
    if not os.path.isdir(TRACES):
        print(f"same_stores: SKIPPED the labelled traces: there are none in {TRACES}")

    def compare(command):
        before = outcome(options.before, command, renaming)
        after = outcome(options.after, command, unchanged)
        return command, before, after

    differing = lines = runs = 0
    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        for command, before, after in pool.map(compare, list(commands())):
            runs += 1
            lines += len(before)
            # A trace that both refuse is no difference, but proves nothing either.
            if before == after and not before[0].startswith("exit code"):
                continue
            differing += 1
            print("differs: godwit " + " ".join(command))
            if options.show:
                changes = [line for line in difflib.unified_diff(before, after, lineterm="", n=0)
                           if line[0] in "+-"]
                print("\n".join("  " + line[:300] for line in changes[2:12]))
    print(f"same_stores: {'FAILED' if differing else 'passed'}: {runs} runs, {lines:,} lines, "
          f"{differing} of the runs differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
