"""The supply goes at random moments: nothing that was acknowledged is lost, nothing is damaged.

The emulator is killed. What the guest has handed to its disk stays, what it has not is lost: like a
card that writes in order and keeps what it has taken. A card that reorders or loses what it took is
not imitated here (Tests/Siege, power-cut, does that for the store).
"""

import json
import random
import sqlite3
import subprocess
import threading
import time

import card as cards
from lab import SETTINGS, Failed
from machine import Lines, Machine, MachineError, key
from receiver import Receiver

# Every fix becomes a track point.
DENSE = SETTINGS.replace("[image]", """\
[trajectory]
sed_bound_m = 0.1
max_interval_s = 1

[image]""")

# In the guest: once a second what is committed, as the control socket and the store say it.
WITNESS = """
import json, socket, sqlite3, time
store = sqlite3.connect("file:/var/lib/godwit/godwit.gpkg?mode=ro", uri=True)
while True:
    link = socket.socket(socket.AF_UNIX)
    link.connect("/run/godwit/control.sock")
    link.sendall(b'{"command":"commit"}\\n')
    answer = json.loads(link.makefile().readline())
    if answer["store"]["waiting_records"] == 0 and answer["store"]["failure"] is None:
        print(*store.execute("SELECT count(*), max(id) FROM track_points").fetchone(), flush=True)
    time.sleep(1)
"""


class Witness(threading.Thread):
    """Follows what the guest acknowledges until the line goes dead."""

    def __init__(self, machine):
        super().__init__(daemon=True)
        self.machine = machine
        self.points = self.last = self.states = 0

    def run(self):
        process = subprocess.Popen(
            ["ssh", "-q", "-i", str(key()), "-p", str(self.machine.port), "-o", "BatchMode=yes",
             "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
             "-o", "ServerAliveInterval=5", "godwit-admin@127.0.0.1",
             "sudo python3 -u -"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        process.stdin.write(WITNESS.encode())
        process.stdin.close()
        for line in process.stdout:
            count, last = line.split()
            if last != b"None":
                self.points, self.last = int(count), int(last)
                self.states += 1


def stored(path):
    """How many points are stored, whether the last acknowledged one is, and what is damaged."""
    with sqlite3.connect(path) as store:
        state = "; ".join(row[0] for row in store.execute("PRAGMA integrity_check"))
        if state != "ok":
            raise Failed(f"the store: {state[:300]}")
        return [row[0] for row in store.execute("SELECT id FROM track_points")]


def one_cut(lab, chance, early):
    """Starts the board and cuts it off; what was acknowledged before that."""
    with Machine(lab.folder) as machine:
        receiver = Receiver(machine, Lines(machine), journey=lambda s: (3.0 * s, 3.0))
        receiver.start()
        witness = Witness(machine)
        if early:
            time.sleep(chance.uniform(2, lab.boot_s * 1.2))
        else:
            machine.wait_ssh(600)
            witness.start()
            begin = time.monotonic()
            while witness.states == 0 and time.monotonic() - begin < 120:
                time.sleep(0.2)
            time.sleep(chance.uniform(0, 8))
        machine.cut()
        receiver.ends.set()
    return witness


def check(lab, witness, turn):
    environment, right = cards.environment(lab.card)
    lab.check(right >= 1, f"cut {turn}: no copy of the environment is right")
    lab.check_file_system()
    path = lab.store()
    if not path.exists():
        lab.check(witness.points == 0, f"cut {turn}: the store is gone")
        return
    ids = stored(path)
    lab.check(len(ids) >= witness.points and (not witness.last or witness.last in ids),
              f"cut {turn}: {witness.points} points to {witness.last} were acknowledged, "
              f"{len(ids)} are there")
    return right


def run(lab):
    chance = random.Random(lab.options.seed)
    lab.new_card(DENSE)
    begin = time.monotonic()
    with Machine(lab.folder) as machine:
        machine.wait_ssh(600)
        lab.boot_s = time.monotonic() - begin
    tally = {"early": 0, "tracking": 0, "states": 0, "points": 0, "one copy": 0, "slots": 0}
    for turn in range(1, lab.options.cuts + 1):
        early = turn % 2 == 0
        witness = one_cut(lab, chance, early)
        right = check(lab, witness, turn)
        tally["early" if early else "tracking"] += 1
        tally["states"] += witness.states
        tally["points"] = max(tally["points"], witness.points)
        tally["one copy"] += right == 1
        print(f"  cuts: {turn} of {lab.options.cuts}: {'starting' if early else 'tracking'}, "
              f"{witness.points} points acknowledged", flush=True)
    environment, _ = cards.environment(lab.card)
    lab.figure("cuts", f"{tally['tracking']} while tracking, {tally['early']} while starting")
    lab.figure("acknowledged states / points", f"{tally['states']} / {tally['points']}, 0 lost")
    lab.figure("one copy of the environment torn", tally["one copy"])
    lab.figure("environment at the end", json.dumps(environment))
