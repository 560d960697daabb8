"""The service as systemd and its own program tell of it, and the findings of the laboratory."""

import json
import pathlib
import socket
import subprocess
import time

RESULTS = pathlib.Path("/results")
SETTINGS = RESULTS / "godwit.toml"
DROP_INS = pathlib.Path("/run/systemd/system/godwit.service.d")


class Findings:
    """What was looked at, and whether it is as it should be. Kept after every line."""

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
    """Exit code and what it said."""
    done = subprocess.run(["systemctl", *words], capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).strip()


def wait(seconds, condition):
    """The seconds until a condition holds; None if it does not within these."""
    start = time.monotonic()
    while time.monotonic() - start < seconds:
        if condition():
            return time.monotonic() - start
        time.sleep(0.1)
    return None


class Service:
    def __getattr__(self, name):
        """A property of the unit (systemctl show)."""
        return systemctl("show", "--value", f"--property={name}", "godwit.service")[1]

    @property
    def pid(self):
        return int(self.MainPID)

    @property
    def is_active(self):
        return self.ActiveState == "active"

    def ask(self, command):
        """What the daemon answers, over its control socket; nothing if it does not. (`godwit status`
        reads the settings, which the laboratory gets wrong on purpose.)"""
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
        """Has it write what waits; the status after it."""
        return self.ask("commit")

    def at(self, path):
        value = self.status()
        for part in path.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        return value

    def fixes(self):
        return self.at("fixes.accepted") or 0

    def add(self, name, text):
        """A drop-in that is gone after the next boot."""
        DROP_INS.mkdir(parents=True, exist_ok=True)
        (DROP_INS / name).write_text(text)
        systemctl("daemon-reload")

    def remove(self, name):
        (DROP_INS / name).unlink()
        systemctl("daemon-reload")

    def journal(self, *words):
        return subprocess.run(["journalctl", "--no-pager", "--output=cat", *words],
                              capture_output=True, text=True).stdout
