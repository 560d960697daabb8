"""The start beside the same image without Godwit, and `simulate` beside x86-64."""

import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import time

import card as cards
from machine import PROJECT, Machine, copy_card, in_tools, key
from receiver import Receiver

UNITS = ("godwit", "godwit-settings", "godwit-good", "godwit-self-test")
# Where `make deb` builds for Debian 13.
TREE = pathlib.Path(
    os.environ.get("GODWIT_TREES", pathlib.Path.home() / ".cache/godwit/packages")) / "trixie"
STORE = "/data/week.gpkg"
OTHER = "without.img"


def run(lab):
    start(lab)
    week(lab)


def boot(lab, card):
    """Seconds from the kernel's start to the daemon's first decision, and to multi-user.target."""
    with Machine(lab.folder, card=f"/work/{card}") as machine:
        # A silent one would delay the system's confirmation, and so the end of the start.
        Receiver(machine).start()
        machine.wait_ssh(600)
        machine.ssh("systemctl is-system-running --wait", limit=300, check=False)
        moments = machine.ssh(
            "systemctl show -P ActiveEnterTimestampMonotonic godwit.service multi-user.target")
        machine.ssh("systemctl poweroff", check=False)
        machine.wait_end(240)
        return [int(word) / 1e6 for word in moments.split()]


def start(lab, pairs=3):
    """The daemon has decided when it notifies systemd that it is ready (Daemon.swift). Alternates
    with and without Godwit, so that the host's load affects both."""
    lab.new_card()
    boot(lab, lab.card.name)
    copy_card(lab.card, lab.folder / OTHER)
    remove_units(lab)
    boots = [boot(lab, lab.card.name) + boot(lab, OTHER) for _ in range(pairs)]
    (lab.folder / "boots.json").write_text(json.dumps(boots))
    lab.check(all(pair[0] > 0 for pair in boots), "the daemon is not ready")
    lab.check(all(pair[2] == 0 for pair in boots), "Godwit runs where it was removed")
    decided, up, _, without = (statistics.median(column) for column in zip(*boots))
    lab.figure("first decision / system up, after the kernel's start",
               f"{decided:.1f} / {up:.1f} s; without Godwit up after {without:.1f} s")
    lab.check(decided - without <= 5, f"Godwit takes too long: {decided} s, {without} s without it")
    lab.figure("first decision after the same image without Godwit is up",
               f"{decided - without:+.1f} s")


def remove_units(lab):
    """Makes the other card the same image without Godwit: nothing starts its units; slot A is changed in
    place, and has the laboratory's key, which godwit-settings puts there otherwise."""
    offset = cards.partitions(lab.card)[1]["start"]
    for unit in UNITS:
        for target in ("multi-user", "sysinit"):
            link = f"/etc/systemd/system/{target}.target.wants/{unit}.service"
            in_tools(lab.folder, "debugfs", "-w", "-R", f"rm {link}",
                     f"{OTHER}?offset={offset}", check=False)
    shutil.copy(key().with_suffix(".pub"), lab.folder / "key.pub")
    in_tools(lab.folder, "debugfs", "-w", "-R",
             "write key.pub /etc/ssh/authorized_keys.d/godwit-admin", f"{OTHER}?offset={offset}")


def simulated(run_command, policy, days):
    """Runs `simulate`; its visits, the fixes it accepted, and the seconds that it took."""
    begin = time.monotonic()
    told = run_command(f"rm -f {STORE}; godwit simulate --policy {policy} --days {days} --seed 7 "
                       f"--coarse --store {STORE}")
    seconds = time.monotonic() - begin
    fixes = int(re.search(r"(\d+) fixes accepted", told)[1])
    return json.loads(run_command(f"godwit visits --json --store {STORE}")), fixes, seconds


def host_program(lab):
    """Runs a command with the package for x86-64 of the same build, in a tree of Debian 13."""
    debs = PROJECT / ".build/deb/trixie-amd64"
    package = next(iter(sorted(debs.glob("godwit_*_amd64.deb"))), None)
    lab.check(package, f"there is no package for x86-64 in {debs}: make deb")
    subprocess.run(["dpkg-deb", "-x", package, lab.folder / "host"], check=True)
    (lab.folder / "data").mkdir(exist_ok=True)

    def command(text):
        text = text.replace("godwit simulate", "/host/usr/bin/godwit simulate").replace(
            "godwit visits", "/host/usr/bin/godwit visits")
        return subprocess.run(
            [PROJECT / ".ci/tree", "run", TREE, PROJECT, "sh", "-c", text],
            env=os.environ | {
                "TREE_BINDS": f"{lab.folder / 'host'}:/host {lab.folder / 'data'}:/data"},
            capture_output=True, text=True, check=True).stdout
    return command


def week(lab):
    """Seven days give the same visits; a day of continuous tracking is timed."""
    host = host_program(lab)
    lab.new_card()
    with Machine(lab.folder) as machine:
        machine.wait_ssh(600)
        machine.ssh("systemctl stop godwit")

        def guest(text):
            return machine.ssh(text, limit=3600)
        theirs, _, _ = simulated(guest, "adaptive", 7)
        ours, _, _ = simulated(host, "adaptive", 7)
        lab.check(theirs == ours, f"the visits differ:\n{theirs}\n{ours}")
        lab.figure("a week of simulate", f"{len(ours)} visits, the same to the last digit")
        _, fixes, slow = simulated(guest, "continuous", 1)
        _, _, fast = simulated(host, "continuous", 1)
        lab.figure("simulated fixes a second, ARM emulated / x86-64",
                   f"{fixes / slow:.0f} / {fixes / fast:.0f}")
