#!/usr/bin/env python3
"""Runs the commands of README.md and docs/manual, and checks their settings.

Usage: Tests/Tools/manual.py PROGRAM [PAGE ...]

Every page has a new folder. In it each `$ ` line of a console block that begins with `godwit`, or with
`sudo -u godwit godwit`, is run by a shell, in the order of the page; `anna$ ` is the prompt of a board
with the address anna, which has a store of its own. The default settings file and the default store are
those of the folder. A line is continued after a backslash. `name=$(godwit ...)` is kept
for the lines that follow.

The exit status has to be 0, unless a comment on the line says `exit status N`. Lines below a command are
its output and have to be what it prints; `[...]` stands for any lines, and `...` or an ellipsis within a
line for any text. A comment `<!-- before: COMMAND -->` on a line of its own is run, too: it prepares what
the reader has already, as a store. What needs hardware, root, the network or a running daemon is not run
(NOT_RUN, OTHER_PROGRAMS): there the subcommand and its options have to exist, and the output is not
compared.

A block of toml is checked by `godwit config check`, one with the section [image] by `godwit image
apply`. If its first line is a comment that begins with a file's name, it is written to that file: an
energy test (section [test]) is then checked by the command that names it.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Why a subcommand is not run; the longest matching name is used.
NOT_RUN = {
    "run": "the daemon",
    "status": "asks the daemon",
    "watch": "asks the daemon",
    "near": "asks the daemon",
    "metrics": "asks the daemon",
    "gnss": "asks the daemon or the receiver",
    "coarse": "asks the daemon",
    "alerts test": "asks the daemon",
    "places device": "asks the daemon",
    "image ready": "asks the daemon",
    "doctor": "looks at the hardware",
    "power watch": "reads a power monitor",
    "power record": "reads a power monitor",
    "power test": "reads a power monitor",
    "power report": "reads a power monitor's recordings",
    "power fit": "reads a power monitor's recordings",
    "uplink run": "needs the network",
    "uplink status": "needs the outbox of a run",
    "uplink log": "needs the outbox of a run",
    "uplink queue": "needs the outbox of a run",
    "groups join": "needs a broker",
    "groups leave": "needs a broker",
    "meetings join": "needs a broker",
    "meetings leave": "needs a broker",
    "collect": "needs the network",
    "alerts execute": "runs the reader's program",
    "image apply": "writes the system's files",
}
# With this option they need none of that.
RUN_WITH = {"power test": "--dry-run", "power fit": "--simulated"}

# Other programs: they need root, the network or hardware, or the tests may not have them.
OTHER_PROGRAMS = {
    "apt", "cd", "cp", "curl", "echo", "for", "git", "journalctl", "make", "mosquitto_rr", "ogrinfo",
    "openssl", "psql", "raspi-config", "rm", "scp", "ssh", "sudo", "systemctl", "systemd-run", "zstdcat",
    "install", "mount", "printf", "gpsdctl", "lsusb", "sqlite3", "duckdb", "fw_printenv", "ls",
}
# These make their own store, or are about settings: they get the built-in defaults.
WITHOUT_STORE = {"simulate", "replay", "config"}
BUILT_IN = " --config /dev/null"
# These prepare a file of the folder.
PREPARING = {"echo", "printf"}
# Commands for which the tests have a script of their own.
INSTEAD = {"make demo": os.path.join(ROOT, "Tests/Tools/demo.sh")}

PREPARATION = re.compile(r"<!-- before: (.*) -->")
PROMPT = re.compile(r"(?P<board>[a-z]*)\$ +(?P<command>.*)")
# The shell keeps what a command prints for the lines that follow.
ASSIGNMENT = re.compile(r"([a-z]+)=\$\((godwit .*)\)")
STATUS = re.compile(r"#.*\bexit status (\d+)")


class Program:
    """The program's commands and their options, as it describes them itself."""

    def __init__(self, path, description=None):
        self.path = os.path.abspath(path)
        self.description = description or subprocess.run(
            [self.path, "--experimental-dump-help"], check=True, stdout=subprocess.PIPE).stdout
        self.commands = json.loads(self.description)["command"]

    def resolve(self, words):
        """The names of the subcommand, its description, and the words after it."""
        names, command, rest = [], self.commands, list(words)
        while command.get("subcommands"):
            below = {sub["commandName"]: sub for sub in command["subcommands"]}
            if rest and rest[0] in below:
                names.append(rest.pop(0))
            # The description omits the default of `destinations`; it is `list`, as for others.
            elif command.get("defaultSubcommand", "list") in below:
                names.append(command.get("defaultSubcommand", "list"))
            else:
                break
            command = below[names[-1]]
        return names, command, rest

    def complaint(self, words):
        """What is wrong with a command that is not run: its subcommand or an option does not exist."""
        names, command, rest = self.resolve(words)
        if command.get("subcommands") and rest and not rest[0].startswith("-"):
            return f"there is no subcommand {' '.join(names + rest[:1])}"
        known = options(command)
        for word in rest:
            name = word.split("=")[0]
            if re.match(r"--?[a-z]", name) and name not in known:
                return f"godwit {' '.join(names)} has no option {name}"
        return None


def options(command):
    names = set()
    for argument in command.get("arguments", []):
        for name in argument.get("names", []):
            names.add(("-" if name["kind"] == "short" else "--") + name["name"])
    return names


def reason_not_to_run(names, words):
    for length in range(len(names), 0, -1):
        name = " ".join(names[:length])
        if name in NOT_RUN and RUN_WITH.get(name) not in words:
            return NOT_RUN[name]
    return None


def run_as_default():
    """The `godwit` of a page's folder: with the folder's settings, where a command takes settings."""
    program, description, config, *words = sys.argv[2:]
    with open(description, "rb") as file:
        names, command, rest = Program(program, file.read()).resolve(words)
    if names[:1] and names[0] in WITHOUT_STORE:
        config = BUILT_IN.split()[1]
    known = options(command)
    given = {word.split("=")[0] for word in rest}
    if "--config" in known and "--config" not in given and "--help" not in given:
        end = words.index("--") if "--" in words else len(words)
        words[end:end] = ["--config", config]
    os.execv(program, [os.path.basename(program), *words])


class Block:
    def __init__(self, kind, line):
        self.kind, self.line, self.text = kind, line, []


def blocks(path):
    found, block, indent = [], None, 0
    with open(path) as page:
        for number, line in enumerate(page, 1):
            line = line.rstrip("\n")
            fence = re.match(r"( *)```(\w*)", line)
            if fence and block is None:
                block, indent = Block(fence[2], number), len(fence[1])
                found.append(block)
            elif fence:
                block = None
            elif block is not None:
                block.text.append(line[indent:])
            elif preparation := PREPARATION.fullmatch(line):
                found.append(Block("console", number - 1))
                found[-1].text.append("$ " + preparation[1])
    return found


class Command:
    def __init__(self, board, text, line):
        self.board, self.text, self.line, self.expected = board, text, line, []

    @property
    def status(self):
        said = STATUS.search(self.text)
        return int(said[1]) if said else 0


def commands(block):
    found, is_continued = [], False
    for number, line in enumerate(block.text, block.line + 1):
        prompt = PROMPT.fullmatch(line)
        if is_continued:
            found[-1].text += "\n" + line
        elif prompt:
            found.append(Command(prompt["board"], prompt["command"], number))
        elif found:
            found[-1].expected.append(line)
        else:
            sys.exit(f"{block.line}: a console block begins with a prompt")
        is_continued = (is_continued or bool(prompt)) and line.endswith("\\")
    return found


def is_printed(expected, output):
    """Whether the page's lines equal the output."""
    pattern = ""
    for line in expected:
        if line.strip() == "[...]":
            pattern += r"(?:.*\n)*"
        else:
            parts = [re.escape(part) for part in re.split(r"\.\.\.|…", line.rstrip())]
            pattern += ".*".join(parts) + r"[ ]*\n"
    text = "".join(line.rstrip() + "\n" for line in output.splitlines())
    return re.fullmatch(pattern + r"\n*", text) is not None


class Page:
    def __init__(self, program, path):
        self.program, self.path = program, path
        self.name = os.path.relpath(path, ROOT)
        self.folder = tempfile.mkdtemp(prefix="godwit-manual.")
        self.faults, self.counts, self.not_run = [], Counter(), Counter()
        self.variables = {}
        self.description = os.path.join(self.folder, ".commands.json")
        with open(self.description, "wb") as file:
            file.write(program.description)

    def fault(self, line, text):
        self.faults.append(f"{self.name}:{line}: {text}")

    def config(self, board):
        """The folder's default settings, or those of a named board."""
        name = board or "godwit"
        path = os.path.join(self.folder, f".{name}.toml")
        if not os.path.exists(path):
            keys = {"store.path": f"{name}.gpkg", "control.socket": f"{name}.sock",
                    "uplink.path": f"{name}-uplink.db"}
            lines = [f'{key} = "{os.path.join(self.folder, file)}"' for key, file in keys.items()]
            lines.append('device.name = "tracker"')
            if board:
                lines.append(f'people.address = "{board}"')
            with open(path, "w") as settings:
                settings.write("\n".join(lines) + "\n")
        return path

    def environment(self, board):
        config = self.config(board)
        bin = os.path.join(self.folder, f".bin-{board}")
        os.makedirs(bin, exist_ok=True)
        script = os.path.join(bin, "godwit")
        with open(script, "w") as wrapper:
            wrapper.write("#!/bin/sh\nexec " + shlex.join(
                [sys.executable, os.path.abspath(__file__), "--as-default", self.program.path,
                 self.description, config])
                + ' "$@"\n')
        os.chmod(script, 0o755)
        return {**os.environ, "PATH": f"{bin}:{os.environ['PATH']}", "TZ": "UTC", "LC_ALL": "C.UTF-8",
                "HOME": self.folder, "COLUMNS": "80", "GODWIT_BOARDS": os.path.join(ROOT, "board"),
                "GODWIT_PROGRAM": self.program.path, "PYTHONDONTWRITEBYTECODE": "1", **self.variables}

    def shell(self, text, board):
        return subprocess.run(["bash", "-o", "pipefail", "-c", text], cwd=self.folder,
                              env=self.environment(board), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)

    def check(self):
        for block in blocks(self.path):
            if block.kind == "console":
                for command in commands(block):
                    self.check_command(command)
            elif block.kind == "toml":
                self.check_settings(block)
        shutil.rmtree(self.folder)

    def check_command(self, command):
        text = re.sub(r"^sudo (-u \S+ )?(?=godwit )", "", command.text)
        assignment = ASSIGNMENT.fullmatch(text.split(" #")[0].strip())
        if assignment:
            text = assignment[2]
        words = shlex.split(text.replace("\\\n", " "), comments=True)
        if text.split(" #")[0].strip() in INSTEAD:
            self.run(command, INSTEAD[text.split(" #")[0].strip()])
            return
        for number, word in enumerate(words):
            if word != "godwit" or not is_command(words, number):
                continue
            end = next((i for i, other in enumerate(words) if i > number and is_operator(other)),
                       len(words))
            wrong = self.program.complaint(words[number + 1:end])
            if wrong:
                self.fault(command.line, wrong)
                return
        if words[0] in PREPARING and "sudo" not in words:
            self.shell(text, command.board)
        elif words[0] != "godwit":
            if words[0] in OTHER_PROGRAMS:
                self.not_run[words[0]] += 1
            else:
                self.fault(command.line, f"{words[0]} is in no list of this script")
        if words[0] != "godwit":
            return
        names, _, rest = self.program.resolve(words[1:])
        why = reason_not_to_run(names, rest)
        if why:
            self.not_run["godwit " + " ".join(names)] += 1
        else:
            printed = self.run(command, text)
            if assignment:
                self.variables[assignment[1]] = printed.strip()

    def run(self, command, text):
        done = self.shell(text, command.board)
        # The reader's store is the daemon's.
        output = done.stdout.replace(self.folder, "/var/lib/godwit").replace(BUILT_IN, "")
        self.counts["commands"] += 1
        if done.returncode != command.status:
            self.fault(command.line, f"{text}: exit status {done.returncode}, not {command.status}: "
                       + output.strip())
        elif command.expected and not is_printed(command.expected, output):
            self.fault(command.line, f"{text} prints something else:\n{output.rstrip()}")
        elif command.expected:
            self.counts["outputs"] += 1
        return output

    def check_settings(self, block):
        named = re.match(r"# ([\w-]+\.toml)\b", block.text[0])
        name = named[1] if named else f".block-{block.line}.toml"
        with open(os.path.join(self.folder, name), "w") as settings:
            settings.write("\n".join(block.text) + "\n")
        if any(line.startswith(("[image", "[[image")) for line in block.text):
            self.check_image(block, name)
        elif "[test]" not in block.text:
            done = self.shell(f"godwit config check --config {name}", "")
            if done.returncode:
                self.fault(block.line, done.stdout.strip())
        self.counts["settings"] += 1

    def check_image(self, block, name):
        boards = os.path.join(self.folder, ".root/usr/share/godwit/boards")
        os.makedirs(os.path.dirname(boards), exist_ok=True)
        if not os.path.exists(boards):
            os.symlink(os.path.join(ROOT, "board"), boards)
        done = self.shell(
            f"godwit image apply --settings {name} --root .root --report .report && "
            "! grep -A9 'TO CORRECT' .report", "")
        if done.returncode:
            self.fault(block.line, done.stdout.strip())


def is_command(words, number):
    """Whether a word is the program that is run, not the user of `-u godwit` or a unit's name."""
    before = words[:number]
    return (not before or is_operator(before[-1]) or before[-1] == "sudo" or before[-2:-1] == ["-u"]
            or before[:1] == ["ssh"] and number == 2)


def is_operator(word):
    return word in ("|", "||", "&&", "&", ";", "do", "done", ">", "<") or word.startswith((">", "<"))


def pages():
    found = [os.path.join(ROOT, "README.md")]
    for folder, folders, names in os.walk(os.path.join(ROOT, "docs/manual")):
        folders.sort()
        found += [os.path.join(folder, name) for name in sorted(names) if name.endswith(".md")]
    return found


def main():
    if sys.argv[1:2] == ["--as-default"]:
        run_as_default()
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__.strip())
    program = Program(sys.argv[1])
    counts, not_run, faults = Counter(), Counter(), []
    checked = [Page(program, path) for path in
               [os.path.abspath(page) for page in sys.argv[2:]] or pages()]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(Page.check, checked))
    for page in checked:
        counts.update(page.counts)
        not_run.update(page.not_run)
        faults += page.faults
    if not_run:
        print("manual: not run: " + ", ".join(f"{name} {count}" for name, count in sorted(not_run.items())))
    if faults:
        sys.exit("\n".join(faults + [f"manual: {len(faults)} faults"]))
    print(f"manual: {counts['commands']} commands run, the output of {counts['outputs']} compared, "
          f"{sum(not_run.values())} not run, {counts['settings']} blocks of settings checked")


if __name__ == "__main__":
    main()
