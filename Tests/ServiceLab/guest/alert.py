"""The command for an alert: requested like the daemon does, from within its sandbox, and run by
systemd outside of it."""

import json
import pathlib
import pwd
import subprocess
import time

from service import SETTINGS, Service, systemctl, wait

SOCKET = "/run/godwit-alert.sock"
FOLDER = pathlib.Path("/run/lab-alert")
UNITS = "godwit-alert@*"
# The laboratory's settings, without a command.
GOOD = SETTINGS.read_text()
# Sends notices one after the other and prints the answers: CLIENT FIRST COUNT.
CLIENT = f"""
import json, socket, sys
first, count = int(sys.argv[1]), int(sys.argv[2])
for id in range(first, first + count):
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(60)
        link.connect({SOCKET!r})
        facts = {{"PLACE": "$(touch /run/lab-alert/evaluated)"}}
        link.sendall(json.dumps({{"id": id, "facts": facts}}).encode() + b"\\n")
        print(link.makefile().readline().strip() or "nothing", flush=True)
"""
QUICK = """#!/bin/sh
set -e
cat /proc/self/cgroup >/run/lab-alert/cgroup
id -un >/run/lab-alert/user
env >/run/lab-alert/env
touch /run/lab-alert/outside
echo "told $GODWIT_NOTICE"
"""
# Outside its process group, and ignoring SIGTERM.
HANGING = """#!/bin/sh
trap '' TERM
setsid sh -c 'trap "" TERM; echo $$ >/run/lab-alert/escaped; while :; do sleep 600; done' &
while :; do sleep 600; done
"""
service = Service()


def ask(first, count=1):
    """The answers to notices sent from within the daemon's sandbox, as its user."""
    namespaces = [f"--{kind}=/proc/{service.pid}/ns/{name}"
                  for kind, name in [("mount", "mnt"), ("net", "net")]]
    done = subprocess.run(
        ["nsenter", *namespaces, "setpriv", "--reuid=godwit", "--regid=godwit", "--init-groups",
         "python3", "-c", CLIENT, str(first), str(count)], capture_output=True, text=True)
    return done.stdout.splitlines() or [done.stderr.strip()[-300:]]


def use(program, text, limit=60):
    """Makes it the command, without notifying the daemon or systemd."""
    path = FOLDER / program
    path.write_text(text)
    path.chmod(0o755)
    SETTINGS.write_text(GOOD + f'[alerts]\ncommand = "{path}"\ncommand_timeout_s = {limit}\n')


def running():
    return systemctl("list-units", "--all", "--no-legend", "--plain", UNITS)[1]


def reaches(findings):
    state = pathlib.Path(SOCKET).stat()
    findings.check("the socket is the daemon's alone", state.st_mode & 0o777 == 0o600
                   and pwd.getpwuid(state.st_uid).pw_name == "godwit", oct(state.st_mode))
    done = subprocess.run(["setpriv", "--reuid=godwit-alert", "--clear-groups", "python3", "-c",
                           CLIENT, "1", "1"], capture_output=True, text=True)
    findings.check("nobody else reaches it", "PermissionError" in done.stderr, done.stderr[-200:])
    said = ask(1)
    findings.check("without a command in the settings that is answered",
                   "alerts.command" in said[0], said)


def runs(findings):
    use("quick", QUICK)
    said = ask(7)
    findings.check("the command is run, and answered",
                   said == ['{"id":7,"exit_status":0}'], said)
    user = (FOLDER / "user").read_text().strip()
    findings.check("as a user without rights", user == "godwit-alert", user)
    group = (FOLDER / "cgroup").read_text().strip()
    findings.check("in a unit of its own", "/godwit-alert@" in group
                   and "godwit.service" not in group, group)
    findings.check("outside of the daemon's sandbox", (FOLDER / "outside").exists())
    variables = (FOLDER / "env").read_text().splitlines()
    findings.check("with the facts in its environment, and no word of them evaluated",
                   "GODWIT_NOTICE=7" in variables
                   and "GODWIT_PLACE=$(touch /run/lab-alert/evaluated)" in variables
                   and not (FOLDER / "evaluated").exists(),
                   [line for line in variables if line.startswith("GODWIT")])
    findings.check("nothing of systemd's connection is among them",
                   not [line for line in variables if line.startswith(("LISTEN_", "NOTIFY_"))])
    said = service.journal("--identifier=godwit-alert")
    findings.check("its output is in the journal", "told 7" in said, said[-200:])
    findings.check("no unit is left of it", wait(10, lambda: running() == "") is not None,
                   running())


def hangs(findings):
    use("hanging", HANGING, limit=2)
    process = service.pid
    start = time.monotonic()
    said = ask(8)
    findings.check("one that hangs is killed when its time is over", "was killed" in said[0], said)
    findings.figure("s until that was answered, of 2 + 5", round(time.monotonic() - start, 1))
    escaped = (FOLDER / "escaped").read_text().strip()
    gone = wait(20, lambda: not pathlib.Path(f"/proc/{escaped}").exists())
    findings.check("with all that it has started", gone is not None)
    findings.check("the daemon has gone on meanwhile", service.pid == process
                   and service.at("state") is not None, service.status())


def crowds(findings, count):
    use("quick", QUICK)
    start = time.monotonic()
    said = ask(1000, count)
    expected = [json.dumps({"id": id, "exit_status": 0}, separators=(",", ":"))
                for id in range(1000, 1000 + count)]
    findings.check(f"{count} notices one after the other", said == expected, said[-3:])
    findings.figure("s for each of them", round((time.monotonic() - start) / count, 3))
    findings.check("the socket is up after that",
                   systemctl("is-active", "godwit-alert.socket")[1] == "active")


def alert(findings, form):
    wait(30, lambda: service.is_active)
    FOLDER.mkdir()
    FOLDER.chmod(0o777)
    reaches(findings)
    runs(findings)
    hangs(findings)
    crowds(findings, 200)
    SETTINGS.write_text(GOOD)
