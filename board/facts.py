#!/usr/bin/env python3
"""Writes the tables of board/README.md from the board files: facts.py [--check]

Every value of a board file says behind it how it is known; what is not there is unknown.
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
README = HERE / "README.md"
BEGIN, END = "<!-- facts: make boards -->\n", "<!-- end of facts -->\n"
SOURCES = {"data sheet": "d", "measured": "m", "vendor": "v", "kernel": "k", "wiring": "w",
           "protocol": "p"}
TITLE = re.compile(r"# (Host|Switch|Receiver|Monitor): (.+)")
VALUE = re.compile(r"(\w+) = (.+?)  # ([a-z ]+): (.+)")

COLUMNS = {
    "Host": [("serial line", "receiver.device"), ("switch", "power_switch.supply"),
             ("I2C bus", "power_monitor.bus")],
    "Switch": [("kind", "power_switch.kind")],
    "Receiver": [
        ("family", "receiver.family"),
        ("searching", "gnss.acquiring_mA"), ("tracking", "gnss.tracking_mA"),
        ("asleep", "gnss.sleeping_mA"), ("off", "gnss.off_mA"), ("cold", "gnss.cold_start_s"),
        ("warm", "gnss.warm_start_s"), ("hot", "gnss.hot_start_s"),
        ("backup supply", "power_switch.backup_supply")],
    "Monitor": [("driver", "power_monitor.kind"), ("chip", "power_monitor.chip"),
                ("address", "power_monitor.address"), ("shunt / mΩ", "power_monitor.shunt_mOhm")],
}


def read(path):
    """The kind and title of a board, and its values: {key: (value, source)}."""
    lines = path.read_text().splitlines()
    title = TITLE.fullmatch(lines[0])
    if not title:
        sys.exit(f"{path}:1: write '# Host|Switch|Receiver|Monitor: Name' first")
    section, values = "", {}
    for number, line in enumerate(lines, 1):
        if line.startswith("["):
            section = line.strip("[]") + "."
        elif line and not line.startswith(("#", "replaces = ")):
            value = VALUE.fullmatch(line)
            if not value or value[3] not in SOURCES:
                sys.exit(f"{path}:{number}: say behind the value how it is known: "
                         f"'  # {', '.join(SOURCES)}: where'")
            values[section + value[1]] = (value[2].strip('"'), SOURCES[value[3]])
    return title[1], title[2], values


def table(kind, boards):
    columns = COLUMNS[kind]
    yield f"| {kind.lower()} | " + " | ".join(name for name, _ in columns) + " |"
    yield "|---" * (len(columns) + 1) + "|"
    for folder, title, values in boards:
        cells = [f"[{title}]({folder}/README.md)"]
        for _, key in columns:
            value, source = values.get(key, ("", ""))
            cells.append(f"{value} {source}" if value else "?" if key not in values else "-")
        yield "| " + " | ".join(cells) + " |"


def main():
    boards = {kind: [] for kind in COLUMNS}
    for path in sorted(HERE.glob("*/board.toml")):
        if not (path.parent / "README.md").exists():
            sys.exit(f"{path.parent}: there is no README.md")
        kind, title, values = read(path)
        boards[kind].append((path.parent.name, title, values))
    text = "\n".join("\n".join(table(kind, boards[kind])) + "\n" for kind in boards)
    old = README.read_text()
    head, rest = old.split(BEGIN)
    new = head + BEGIN + "\n" + text + "\n" + END + rest.split(END)[1]
    count = sum(map(len, boards.values()))
    if "--check" in sys.argv[1:]:
        if new != old:
            sys.exit("board/README.md: its tables are not those of the board files: make boards")
        print(f"boards: {count} parts, and the tables of board/README.md say what their files say")
    else:
        README.write_text(new)
        print(f"boards: {count} parts in the tables of board/README.md")


main()
