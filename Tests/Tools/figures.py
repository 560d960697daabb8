#!/usr/bin/env python3
"""Compares the figures of the documents with what their commands print.

Usage: Tests/Tools/figures.py [--sample] [--programs FOLDER] [WORD ...]

In docs a comment before a table names the command that prints it:

    <!-- figures: Tests/Tools/bounds.py -->
    <!-- figures: Tests/Tools/bounds.py; sample: Tests/Tools/bounds.py --lives hiker -->

Each command is run once. The figures of every row have to stand, in their order, in one row that it
prints: a document may have its own words, and leave columns and rows out. Where rows that are printed
have the same first cell as the document's, it is one of these. With --sample only the samples are run,
which take seconds, and what they print has to be in the table. WORDs choose the commands that have one
of them. Scripts run the godwit of .build/release, or that in FOLDER. A study's program is built for release
(Tests/Studies); with --programs it is named and not run, and the exit code is 77. A command whose data is
not there (GODWIT_DATA) is named and not run.
"""

import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys

from results import DATA, ROOT

MARK = re.compile(r"<!-- figures: (?P<command>.*?)(?:; sample: (?P<sample>.*?))? -->")
# Commands that read labelled traces, which are not part of the project.
WITH_DATA = ("Tests/Tools/results.py", "Tests/Tools/alert_traces.py")

# The build folder is the root's, so that nothing built is among the sources.
STUDIES = ("--package-path", "Tests/Studies", "--scratch-path", ".build/studies")

NUMBER = re.compile(r"(?:(?<![\w.)])-)?\d[\d,]*(?:\.\d+)?")


class Table:
    def __init__(self, path, line, command, sample):
        self.place, self.command, self.sample = f"{path}:{line}", command, sample
        self.rows = []


def is_row(line):
    return line.startswith("|")


def is_rule(line):
    return is_row(line) and not line.strip("|-: \n")


def numbers(row):
    return [number.rstrip(",").replace(",", "") for number in NUMBER.findall(row)]


def holds(row, wanted):
    """Whether one row's figures are among those of another, in order."""
    there = iter(numbers(row))
    return all(number in there for number in numbers(wanted))


def label(row):
    """The first cell as plain text."""
    return " ".join(re.sub(r"[*`]", "", row.split("|")[1]).casefold().split())


def candidates(row, there, wanted):
    """The rows that may correspond: those of its label, or else those that no other row has."""
    alike = [other for other in there if label(other) == label(row)]
    named = {label(other) for other in wanted}
    return alike or [other for other in there if label(other) not in named]


def tables(path, text):
    """The tables whose command is named in a comment."""
    found = []
    mark = None
    for number, line in enumerate(text.split("\n"), 1):
        match = MARK.fullmatch(line.strip())
        if match:
            mark = Table(path, number, match["command"], match["sample"])
            found.append(mark)
        elif mark and is_row(line):
            mark.rows.append(line)
        elif mark and mark.rows:
            mark = None
    for table in found:
        table.rows = without_headings(table.rows)
        if not table.rows:
            sys.exit(f"{table.place}: no table follows {table.command}")
    return found


def without_headings(rows):
    below = rows[1:] + [""]
    return [row for row, after in zip(rows, below) if not is_rule(row) and not is_rule(after)]


def printed(output):
    return without_headings([line for line in output.split("\n") if is_row(line)])


def differences(table, rows, is_sample):
    """Table rows that were not printed; for a sample the reverse."""
    if is_sample and not rows:
        yield f"{table.place}: {table.sample} printed no row"
    wanted, there = (rows, table.rows) if is_sample else (table.rows, rows)
    what = "is printed" if is_sample else "is not printed"
    for row in wanted:
        # A sample's row in the table may have fewer columns.
        if any(holds(row, other) if is_sample else holds(other, row)
               for other in candidates(row, there, wanted)):
            continue
        near = difflib.get_close_matches(row, there, 1, 0.3)
        yield f"{table.place}: {row} {what}" + (f"; there is {near[0]}" if near else "")


def is_script(command):
    """All other commands are programs of the studies."""
    return command.startswith("Tests/Tools/")


def run(command, folder):
    words = shlex.split(command)
    if is_script(command):
        words.insert(1, os.path.join(folder, "godwit"))
    else:
        subprocess.run(["swift", "build", "-c", "release", *STUDIES, "--product", words[0]],
                       cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        words[0] = os.path.join(ROOT, ".build/studies/release", words[0])
    done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"figures: {command} failed with exit code {done.returncode}")
    return done.stdout


def documented():
    found = []
    for folder, folders, names in os.walk(os.path.join(ROOT, "docs")):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".md"):
                path = os.path.join(folder, name)
                with open(path) as document:
                    found += tables(os.path.relpath(path, ROOT), document.read())
    return found


def verdict(compared, count):
    """The mismatches of the compared tables, and their number."""
    commands = len({table.command for table in compared})
    rest = f", {count - len(compared)} tables not compared" if count > len(compared) else ""
    return f"figures: {commands} commands print what {len(compared)} tables say{rest}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--programs", metavar="FOLDER")
    parser.add_argument("words", nargs="*", metavar="WORD")
    options = parser.parse_args()
    commands = {}
    for table in documented():
        command = table.sample if options.sample else table.command
        if command and (not options.words or any(word in command for word in options.words)):
            commands.setdefault(command, []).append(table)
    if not commands:
        sys.exit("figures: no table has such a command")
    folder = os.path.abspath(options.programs or os.path.join(ROOT, ".build/release"))
    left_out = [command for command in commands if options.programs and not is_script(command)]
    found = []
    compared = []
    for command, named in commands.items():
        if command in left_out:
            continue
        if command.startswith(WITH_DATA) and not os.path.isdir(DATA):
            print(f"figures: NOT COMPARED: {command}: there is no {DATA}; set GODWIT_DATA")
            continue
        compared += named
        output = run(command, folder)
        if not options.sample:
            print(f"$ {command}\n{output}", flush=True)
        rows = printed(output)
        found += [line for table in named for line in differences(table, rows, options.sample)]
    if found:
        sys.exit("\n".join(found + [f"figures: {len(found)} rows differ from what is printed"]))
    print(verdict(compared, sum(len(named) for named in commands.values())))
    if left_out:
        print(f"figures: NOT RUN: {len(left_out)} commands of programs that make test does not build, "
              f"and make results does: {'; '.join(left_out)}")
        sys.exit(77)


if __name__ == "__main__":
    main()
