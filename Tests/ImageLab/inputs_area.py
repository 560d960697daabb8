"""Bad inputs: unreadable settings, a full and a broken data partition, a card that turns read-only,
a clock in 1970."""

import contextlib
import json
import time

import card as cards
from lab import SETTINGS
from machine import Lines, Machine, MachineError
from receiver import Receiver
from served_card import ServedCard


def status(machine):
    return json.loads(machine.ssh("godwit status --json"))


def eventually(machine, holds, limit=180):
    """Waits until the daemon's status meets a condition, with a limit in seconds; the last
    status."""
    begin, report = time.monotonic(), None
    while time.monotonic() - begin < limit:
        try:
            report = status(machine)
            if holds(report):
                return True, report
        except MachineError:
            # For the first start or a restart.
            pass
        time.sleep(2)
    return False, report


def check_tracking(lab, machine, what):
    begin = status(machine)["fixes"]["accepted"] if eventually(machine, bool)[0] else 0
    tracks, report = eventually(machine, lambda now: now["fixes"]["accepted"] > begin + 2)
    lab.check(tracks, f"the board does not track {what}: {report}")


@contextlib.contextmanager
def tracking(lab, what, **options):
    """A board that has started and tracks."""
    with Machine(lab.folder, **options) as machine:
        listening(machine)
        machine.wait_ssh(600)
        check_tracking(lab, machine, what)
        yield machine


def listening(machine):
    receiver = Receiver(machine, Lines(machine))
    receiver.start()
    return receiver


def run(lab):
    bad_settings(lab)
    old_clock(lab)
    full_data(lab)
    broken_data(lab)
    read_only_card(lab)


def bad_settings(lab):
    """Mistakes among valid lines: the valid ones apply, the report lists the others. Then no file
    at all: the previous ones apply."""
    text = SETTINGS.replace('name = "continuous"', 'name = "continuous"\nnonsense = 3\n[policy')
    lab.new_card(text)
    with tracking(lab, "with mistakes in the settings") as machine:
        report = machine.boot_report()
        lab.check("nonsense" in report, f"the report does not name the mistake:\n{report}")
        lab.check("line 10: this header cannot be read" in report,
                  f"the report does not name the broken line:\n{report}")
        machine.ssh("systemctl poweroff", check=False)
        machine.wait_end(240)
    cards.remove_boot(lab.card, "godwit.toml")
    with tracking(lab, "when its settings are gone") as machine:
        report = machine.boot_report()
        lab.check("no settings on the boot partition; the settings of an earlier start" in report,
                  f"the report does not say it:\n{report}")
    # The content of a card that is removed while the file is saved.
    cards.write_boot(lab.card, "godwit.toml", "\0" * 512)
    with tracking(lab, "when its settings are empty") as machine:
        report = machine.boot_report()
        lab.check("an empty godwit.toml on the boot partition; the settings of an earlier start" in report,
                  f"the report does not say it:\n{report}")
        folder = machine.ssh("stat -c '%U %a' /data/system/updates").strip()
        lab.check(folder == "godwit-admin 700", f"nobody can put a bundle there: {folder}")
        groups = machine.ssh("id -nG godwit-admin").split()
        lab.check("godwit" in groups, f"godwit-admin may not read the store: {groups}")


def old_clock(lab):
    lab.new_card()
    with tracking(lab, "in 1970", date="1970-01-01T00:00:00") as machine:
        lab.figure("date of a board without a clock", machine.ssh("date -Iseconds").strip())


def full_data(lab):
    """Records wait in memory, and are written when there is space again."""
    lab.new_card(size="1900M")
    with Machine(lab.folder) as machine:
        machine.wait_ssh(600)
        machine.ssh("cat /dev/zero >/data/filler; sync; true", limit=300)
        machine.ssh("systemctl poweroff", check=False)
        machine.wait_end(240)
    with tracking(lab, "on a full data partition") as machine:
        failure = status(machine)["store"]["failure"]
        lab.figure("store on a full partition", failure)
        machine.ssh("rm /data/filler")
        written, report = eventually(
            machine, lambda now: now["store"]["failure"] is None)
        lab.check(written, f"the records are not written when there is room: {report}")


def broken_data(lab):
    """No superblock is left: the board runs with its records in memory and reports that."""
    lab.new_card()
    start = cards.partitions(lab.card)[3]["start"]
    with open(lab.card, "r+b") as file:
        file.seek(start)
        file.write(b"\xa5" * (100 << 20))
    with tracking(lab, "without a data partition") as machine:
        report = machine.boot_report()
        lab.check("in memory" in report, f"the report does not say it:\n{report}")


def read_only_card(lab):
    """The card refuses writes while the board tracks, then from the start, then no longer."""
    lab.new_card()
    with ServedCard(lab.folder) as card, Machine(lab.folder, card=card.address) as machine:
        listening(machine)
        machine.wait_ssh(600)
        check_tracking(lab, machine, "on a served card")
        committed = points(machine)
        card.refuse_writes()
        failed, report = eventually(
            machine, lambda now: now["store"]["failure"] is not None, limit=600)
        lab.check(failed, f"the store's failure is not told: {report}")
        lab.figure("a card that turned read-only", report["store"]["failure"])
        check_tracking(lab, machine, "on a card that turned read-only")
    with ServedCard(lab.folder) as card:
        card.refuse_writes()
        with tracking(lab, "when it starts from a card that is read-only", card=card.address):
            pass
    with tracking(lab, "on a card that takes writes again") as machine:
        lab.check(points(machine) >= committed, f"fewer points than the {committed} before")


def points(machine):
    """The number of track points in the store; the daemon commits its records first."""
    return len(json.loads(machine.ssh("godwit track --json")))
