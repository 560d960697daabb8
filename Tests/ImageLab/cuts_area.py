"""The supply goes at random moments: nothing that was acknowledged is lost, nothing is damaged.

The emulator is killed. Its card is a qcow2 file: places that the guest has written for the first time
and not flushed are in the emulator's own cache (docs/qcow2-cache.txt of QEMU) and lost with it, others
stay, so that what was not flushed comes out of order, as from a card with a cache. A card that loses
what it has confirmed is not imitated here (Tests/Siege, power-cut, does that for the store).

Every second cut is while the board tracks: it goes on from a state that was saved once, which costs a
tenth of a start. The next one is while the board starts from the card which that cut left. One in 25
more is of the very first start of a new card.
"""

import json
import random
import sqlite3
import time

import card as cards
from lab import SETTINGS, Failed
from machine import Lines, Machine, MachineError, convert_card, copy_card
from receiver import Receiver

# Every fix becomes a track point.
DENSE = SETTINGS.replace("[image]", """\
[trajectory]
sed_bound_m = 0.1
max_interval_s = 1

[image]""")

# Runs in the guest once a second: prints the committed data, according to the control socket and
# the store, to the console, which is a file here.
WITNESS = """
import json, socket, sqlite3, time
store = sqlite3.connect("file:/var/lib/godwit/godwit.gpkg?mode=ro", uri=True)
console = open("/dev/console", "w")
while True:
    link = socket.socket(socket.AF_UNIX)
    link.connect("/run/godwit/control.sock")
    link.sendall(b'{"command":"commit"}\\n')
    answer = json.loads(link.makefile().readline())
    if answer["store"]["waiting_records"] == 0 and answer["store"]["failure"] is None:
        count, last = store.execute("SELECT count(*), max(id) FROM track_points").fetchone()
        print("witness", count, last or 0, "end", file=console, flush=True)
    time.sleep(1)
"""
CARD, SAVED, STATE = "card.qcow2", "saved.qcow2", "tracking"
LONGEST_S = 20


def journey(seconds):
    return 3.0 * seconds, 3.0


class Witnessed:
    """What the guest has acknowledged so far on its console: states, points, the last id."""

    def __init__(self, machine):
        words = [line.split() for line in machine.log().splitlines()]
        states = [line[1:3] for line in words if line[:1] == ["witness"] and line[-1:] == ["end"]]
        self.states = len(states)
        self.points, self.last = map(int, states[-1]) if states else (0, 0)


def save_state(lab):
    """Starts the board twice: to set it up and time it, and to save its state while it tracks."""
    begin = time.monotonic()
    with Machine(lab.folder) as machine:
        machine.wait_ssh(600)
        lab.boot_s = time.monotonic() - begin
        machine.ssh("systemctl poweroff", check=False)
        machine.wait_end(240)
    convert_card(lab.folder, "card.img", CARD)
    with Machine(lab.folder, card=f"/work/{CARD}") as machine:
        receiver = Receiver(machine, Lines(machine), journey=journey)
        receiver.start()
        machine.wait_ssh(600)
        machine.ssh("cat >/run/witness.py; systemd-run -q python3 -u /run/witness.py",
                    given=WITNESS.encode())
        begin = time.monotonic()
        while Witnessed(machine).points < 3:
            if time.monotonic() - begin > 300:
                raise MachineError("nothing is acknowledged at the console")
            time.sleep(0.5)
        machine.save_state(STATE)
        lab.moment, lab.elapsed = time.time(), time.monotonic() - receiver.started
        receiver.ends.set()
    (lab.folder / CARD).rename(lab.folder / SAVED)


def cut_first_starts(lab, chance):
    """A new card whose very first start is cut while it grows, makes its folders and ssh's key: the
    next start must allow logins."""
    count = -(-lab.options.cuts // 25)
    for turn in range(1, count + 1):
        lab.new_card()
        with Machine(lab.folder) as machine:
            Receiver(machine).start()
            time.sleep(chance.uniform(5, 70))
            machine.cut()
        lab.check_file_system()
        with Machine(lab.folder) as machine:
            Receiver(machine).start()
            machine.wait_ssh(600)
            machine.ssh("systemctl is-active godwit")
        print(f"  cuts: first start {turn} of {count}", flush=True)
    lab.figure("cuts of the very first start", f"{count}, all let their people in afterwards")


def cut_while_tracking(lab, chance):
    copy_card(lab.folder / SAVED, lab.folder / CARD)
    with Machine(lab.folder, card=f"/work/{CARD}", state=STATE) as machine:
        receiver = Receiver(machine, Lines(machine), journey=journey, moment=lab.moment,
                            elapsed=lab.elapsed)
        receiver.start()
        begin = time.monotonic()
        while Witnessed(machine).states == 0 and time.monotonic() - begin < 120:
            time.sleep(0.1)
        time.sleep(chance.uniform(0, LONGEST_S))
        machine.cut()
        receiver.ends.set()
        return Witnessed(machine)


def cut_while_starting(lab, chance):
    with Machine(lab.folder, card=f"/work/{CARD}") as machine:
        receiver = Receiver(machine, Lines(machine), journey=journey)
        receiver.start()
        time.sleep(chance.uniform(2, lab.boot_s * 1.2))
        machine.cut()
        receiver.ends.set()


def stored_ids(path):
    with sqlite3.connect(path) as store:
        state = "; ".join(row[0] for row in store.execute("PRAGMA integrity_check"))
        if state != "ok":
            raise Failed(f"the store: {state[:300]}")
        return [row[0] for row in store.execute("SELECT id FROM track_points")]


def check(lab, witnessed, turn):
    """The result of the cut: how many copies of U-Boot's environment are valid, how many points."""
    convert_card(lab.folder, CARD, "card.img")
    _, right = cards.environment(lab.card)
    lab.check(right >= 1, f"cut {turn}: no copy of the environment is right")
    lab.check_file_system()
    path = lab.store()
    lab.check(path.exists(), f"cut {turn}: the store is gone")
    ids = stored_ids(path)
    lab.check(len(ids) >= witnessed.points and (not witnessed.last or witnessed.last in ids),
              f"cut {turn}: {witnessed.points} points to {witnessed.last} were acknowledged, "
              f"{len(ids)} are there")
    return right, len(ids)


def run(lab):
    chance = random.Random(lab.options.seed)
    cut_first_starts(lab, chance)
    lab.new_card(DENSE)
    save_state(lab)
    tally = {"starting": 0, "tracking": 0, "states": 0, "points": 0, "torn": 0, "beyond": 0}
    witnessed = None
    for turn in range(1, lab.options.cuts + 1):
        kind = "tracking" if turn % 2 else "starting"
        if kind == "tracking":
            witnessed = cut_while_tracking(lab, chance)
            tally["states"] += witnessed.states
            tally["points"] += witnessed.points
        else:
            # Data acknowledged before the last cut is still there after this one.
            cut_while_starting(lab, chance)
        right, points = check(lab, witnessed, turn)
        tally[kind] += 1
        tally["torn"] += right == 1
        tally["beyond"] += kind == "tracking" and points > witnessed.points
        print(f"  cuts: {turn} of {lab.options.cuts}: {kind}, {witnessed.points} points "
              f"acknowledged, {points} stored", flush=True)
    environment, _ = cards.environment(lab.card)
    lab.figure("cuts", f"{tally['tracking']} while tracking, {tally['starting']} while starting")
    lab.figure("acknowledged states / points", f"{tally['states']} / {tally['points']}, 0 lost")
    lab.figure("cuts between storing and acknowledging", tally["beyond"])
    lab.figure("one copy of the environment torn", tally["torn"])
    lab.figure("environment at the end", json.dumps(environment))
