"""Bad inputs: settings that cannot be read, a full and a broken data partition, a clock in 1970."""

import time

import card as cards
from lab import SETTINGS
from machine import Machine, in_tools


def is_recording(machine, limit=180):
    begin = time.monotonic()
    while time.monotonic() - begin < limit:
        if machine.ssh("systemctl is-active godwit", check=False).strip() == "active":
            return True
        time.sleep(2)
    return False


def run(lab):
    bad_settings(lab)
    old_clock(lab)
    full_data(lab)
    broken_data(lab)


def bad_settings(lab):
    """Mistakes among good lines: the good ones count, the report has the others."""
    text = SETTINGS.replace('name = "continuous"', 'name = "continuous"\nnonsense = 3\n[policy')
    lab.new_card(text)
    with Machine(lab.folder) as machine:
        machine.wait_ssh(600)
        lab.check(is_recording(machine), "the daemon is not up with mistakes in the settings")
        report = machine.ssh("cat /boot/firmware/godwit-report.txt")
        lab.check("nonsense" in report, f"the report does not name the mistake:\n{report}")


def old_clock(lab):
    lab.new_card()
    with Machine(lab.folder, date="1970-01-01T00:00:00") as machine:
        machine.wait_ssh(600)
        lab.check(is_recording(machine), "the daemon is not up in 1970")
        lab.figure("date of a board without a clock", machine.ssh("date -Iseconds").strip())


def full_data(lab):
    lab.new_card(size="1900M")
    with Machine(lab.folder) as machine:
        machine.wait_ssh(600)
        machine.ssh("cat /dev/zero >/data/filler; sync; true", limit=300)
        machine.ssh("systemctl poweroff", check=False)
        machine.wait_end(240)
    with Machine(lab.folder) as machine:
        machine.wait_ssh(600)
        lab.check(is_recording(machine), "the daemon is not up on a full data partition")
        machine.ssh("rm /data/filler")


def broken_data(lab):
    """No superblock is left: the board runs with its records in memory and says so."""
    lab.new_card()
    start = cards.partitions(lab.card)[3]["start"]
    with open(lab.card, "r+b") as file:
        file.seek(start)
        file.write(b"\xa5" * (100 << 20))
    with Machine(lab.folder) as machine:
        machine.wait_ssh(600)
        lab.check(is_recording(machine), "the daemon is not up without a data partition")
        report = machine.ssh("cat /boot/firmware/godwit-report.txt")
        lab.check("in memory" in report, f"the report does not say it:\n{report}")
