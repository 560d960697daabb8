"""Upgrades and fall-back: a bundle into slot B; a system that is never ready goes back to A; a torn
environment is no obstacle; an older system has a store to write to."""

import json
import time

import card as cards
from lab import newest
from machine import Lines, Machine
from receiver import Receiver

BUNDLE = "/data/system/updates/bundle.raucb"


def slot(machine):
    return machine.ssh("sed -n 's/.*rauc.slot=\\([AB]\\).*/\\1/p' /proc/cmdline").strip()


def confirmed(machine, letter, limit=900):
    begin = time.monotonic()
    while time.monotonic() - begin < limit:
        if machine.ssh(f"fw_printenv -n BOOT_{letter}_LEFT").strip() == "3":
            return True
        time.sleep(3)
    return False


def newest_bundle(lab):
    bundle = newest(lab.image.parent, "*-qemu-virt.raucb")
    lab.check(bundle, f"there is no bundle beside {lab.image}")
    return bundle


def run(lab):
    lab.new_card()
    upgrade(lab)
    fall_back(lab)
    torn_environment(lab)
    older_system(lab)


def upgrade(lab):
    """Installed into B, and confirmed there when the receiver sends data."""
    bundle = newest_bundle(lab)
    # A board without a clock and a network: its time is that of the image.
    with Machine(lab.folder, memory=1024, date="2020-01-01T00:00:00") as machine:
        machine.wait_ssh(600)
        lab.check(slot(machine) == "A", "the first start is slot A")
        nowhere_to_fall_back_to(lab, machine)
        receiver = Receiver(machine, Lines(machine))
        receiver.start()
        machine.ssh("systemctl restart godwit-good")
        lab.check(confirmed(machine, "A"), "slot A was not confirmed")
        machine.copy_in(bundle, BUNDLE)
        begin = time.monotonic()
        machine.ssh(f"rauc install {BUNDLE}", limit=1800)
        lab.figure("bundle installed in", f"{time.monotonic() - begin:.0f} s")
        machine.ssh("echo kept >/data/system/updates/witness; sync; systemctl poweroff",
                    check=False)
        machine.wait_end(240)
    environment, _ = cards.environment(lab.card)
    lab.check(environment["BOOT_ORDER"].startswith("B"), f"B is not first: {environment}")
    with Machine(lab.folder) as machine:
        receiver = Receiver(machine, Lines(machine))
        receiver.start()
        machine.wait_ssh(600)
        lab.check(slot(machine) == "B", "the upgraded system does not run from B")
        lab.check(machine.ssh("cat /data/system/updates/witness").strip() == "kept",
                  "the data partition changed")
        # Bundle and image are the same system: make it one that was never confirmed.
        machine.ssh("rm -rf /data/system/good/*; fw_setenv BOOT_B_LEFT 2; "
                    "systemctl restart godwit-good")
        lab.check(confirmed(machine, "B"), "slot B was not confirmed")


def nowhere_to_fall_back_to(lab, machine):
    """A receiver that is silent from the first start on, and a slot B with attempts but without a
    system: the board stays."""
    machine.ssh("echo 20 >/data/system/ready-limit; fw_setenv BOOT_ORDER 'A B'; "
                "fw_setenv BOOT_B_LEFT 3; systemctl restart godwit-good")
    begin = time.monotonic()
    while machine.ssh("systemctl is-active godwit-good", check=False).strip() != "inactive":
        lab.check(time.monotonic() - begin < 180, "godwit-good does not end")
        time.sleep(3)
    report = machine.boot_report()
    lab.check("There is no other slot" in report, f"the report does not say it:\n{report}")
    machine.ssh("rm /data/system/ready-limit; fw_setenv BOOT_ORDER A; fw_setenv BOOT_B_LEFT 0")


def fall_back(lab):
    """A system that never receives data from its receiver uses up its attempts; then the other one
    runs."""
    with Machine(lab.folder) as machine:
        machine.wait_ssh(600)
        machine.ssh("rm -rf /data/system/good/*; fw_setenv BOOT_A_LEFT 3; "
                    "fw_setenv BOOT_B_LEFT 2; sync; systemctl poweroff", check=False)
        machine.wait_end(240)
    # The receiver stays silent; a file on the data partition shortens the limit of ten minutes.
    with Machine(lab.folder) as machine:
        machine.wait_ssh(600)
        lab.check(slot(machine) == "B", "B is still first")
        machine.ssh("echo 20 >/data/system/ready-limit; systemctl restart godwit-good")
        machine.wait_log("godwit: slot A", 1500)
        receiver = Receiver(machine, Lines(machine))
        receiver.start()
        machine.wait_ssh(600)
        lab.check(slot(machine) == "A", "the board did not fall back")
        tries = machine.log().count("godwit: slot B")
        lab.figure("starts of B before A", tries)
        report = machine.boot_report()
        lab.check("slot" in report.lower(), f"the report does not name the slot:\n{report}")
        machine.ssh("rm -f /data/system/ready-limit")


def torn_environment(lab):
    """One copy destroyed, then both: the board starts."""
    for places in ((0,), (0, 1)):
        with open(lab.card, "r+b") as file:
            for index in places:
                file.seek(cards.ENVIRONMENTS[index] + 100)
                file.write(b"\xa5" * 512)
        with Machine(lab.folder) as machine:
            machine.wait_ssh(600)
            machine.ssh("fw_printenv BOOT_ORDER")
        environment, right = cards.environment(lab.card)
        lab.check(environment is not None, f"the environment was not written anew ({right} right)")


# A step of a later version, as Sources/Store/Store/Migration.swift marks it.
FUTURE = """
import sqlite3
store = sqlite3.connect("/var/lib/godwit/godwit.gpkg")
store.execute("INSERT INTO migrations (id, name) VALUES (999, 'of the future')")
store.commit()
"""


def older_system(lab):
    """The store was migrated by a system that is gone: the copy is used, or a new one."""
    with Machine(lab.folder) as machine:
        Receiver(machine, Lines(machine)).start()
        machine.wait_ssh(600)
        for copy in (True, False):
            machine.ssh("systemctl stop godwit; cd /var/lib/godwit; rm -f *.before-*; "
                        + ("cp -p godwit.gpkg godwit.gpkg.before-future; " if copy else "")
                        + "echo another >/data/system/last-system")
            machine.ssh("runuser -u godwit -- python3 -", given=FUTURE.encode())
            machine.ssh("systemctl start godwit", limit=300)
            failure = json.loads(machine.ssh("godwit status --json"))["store"]["failure"]
            lab.check(failure is None, f"the store cannot be written: {failure}")
            files = machine.ssh("ls /var/lib/godwit")
            lab.check(("before-restore" if copy else "of-newer-system") in files,
                      f"the newer store was not kept: {files}")
            report = machine.boot_report()
            lab.check("a newer system's" in report, f"the report does not say it:\n{report}")
