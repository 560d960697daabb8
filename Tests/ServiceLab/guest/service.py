"""The service as reported by systemd and its own program, and the findings of the laboratory."""

import json
import pathlib
import socket
import subprocess
import time

RESULTS = pathlib.Path("/results")
SETTINGS = RESULTS / "godwit.toml"


class Findings:
    """The checks, and whether each passed. Saved after every line."""

    def __init__(self):
        self.file = (RESULTS / "findings").open("w")

    def check(self, what, holds, seen=""):
        self.say("ok" if holds else "WRONG", what, seen)
        return holds

    def figure(self, what, value):
        self.say("is", what, value)

    def say(self, verdict, what, seen):
        seen = " ".join(str(seen)[:600].split())
        self.file.write(f"{verdict}\t{what}\t{seen}\n")
        self.file.flush()


def systemctl(*words):
    """The exit code and the output."""
    done = subprocess.run(["systemctl", *words], capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).strip()


def wait(seconds, condition):
    """The seconds until a condition is met; None if it is not met within the limit."""
    start = time.monotonic()
    while time.monotonic() - start < seconds:
        if condition():
            return time.monotonic() - start
        time.sleep(0.1)
    return None


def refusals():
    """The kernel's log of system calls that a filter has refused (AUDIT_SECCOMP is 1326)."""
    lines = journal("_TRANSPORT=audit", "+", "_TRANSPORT=kernel").splitlines()
    return [line for line in lines if line.startswith("SECCOMP ") or "type=1326" in line]


def journal(*words):
    return subprocess.run(["journalctl", "--no-pager", "--output=cat", *words],
                          capture_output=True, text=True).stdout


class Unit:
    """A service of this project."""

    def __init__(self, name):
        self.name = name

    def __getattr__(self, name):
        """A property of the unit (systemctl show)."""
        return systemctl("show", "--value", f"--property={name}", self.name)[1]

    @property
    def pid(self):
        return int(self.MainPID)

    @property
    def is_active(self):
        return self.ActiveState == "active"

    @property
    def exposure(self):
        """The exposure according to `systemd-analyze security`."""
        said = subprocess.run(["systemd-analyze", "security", "--no-pager", self.name],
                              capture_output=True, text=True).stdout.splitlines()[-1]
        return said.split(": ")[1].split()[0]

    def identity(self):
        """Whether it has no rights but its user's, and which it has."""
        text = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        fields = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
        uid = fields["Uid"].split()[0]
        powers = {fields[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}
        alright = uid != "0" and powers == {"0" * 16} and fields["NoNewPrivs"] == "1"
        return alright and fields["Seccomp"] == "2", f"uid {uid}, {powers}"

    def add(self, name, text):
        """A drop-in that disappears at the next boot."""
        folder = self.drop_ins
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
        systemctl("daemon-reload")

    def remove(self, name):
        (self.drop_ins / name).unlink()
        systemctl("daemon-reload")

    @property
    def drop_ins(self):
        return pathlib.Path(f"/run/systemd/system/{self.name}.d")

    def journal(self, *words):
        return journal(*words)


class Service(Unit):
    """The daemon."""

    def __init__(self):
        super().__init__("godwit.service")

    def ask(self, command):
        """The daemon's answer over its control socket; nothing without one. (`godwit status` reads
        the settings, which the laboratory makes wrong on purpose.)"""
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(20)
            try:
                link.connect("/run/godwit/control.sock")
                link.sendall(json.dumps({"command": command}).encode() + b"\n")
                return json.loads(link.makefile().readline())
            except (OSError, ValueError):
                return {}

    def status(self):
        return self.ask("status")

    def commit(self):
        """Makes it write the waiting records; the status after it."""
        return self.ask("commit")

    def at(self, path):
        value = self.status()
        for part in path.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        return value

    def fixes(self):
        return self.at("fixes.accepted") or 0
