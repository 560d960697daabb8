#!/usr/bin/env python3
"""Records on their way from a store to a collection, through a real mosquitto.

kills: kills writer, uplink, collector and broker at random, then lets all of them finish, and
compares: every record has to be there once. drain: how long a full outbox takes.

Usage: uplink_trials.py kills|drain GODWIT [--count N] [--seed S]. The last line is the verdict.
"""
import argparse
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

SETTINGS = """
[device]
name = "bike"
[store]
path = "{folder}/track.gpkg"
[receiver]
kind = "none"
[control]
socket = "{folder}/control"
[uplink]
path = "{folder}/uplink.db"
user = "ann"
receipt_s = 0
most_waiting = 1000000
[uplink.mqtt]
brokers = ["mqtt://127.0.0.1:{port}"]
owntracks = false
collector = true
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class World:
    def __init__(self, godwit, folder, seed):
        self.godwit, self.folder = godwit, folder
        self.random = random.Random(seed)
        self.port = free_port()
        self.settings = f"{folder}/godwit.toml"
        self.write(self.settings, SETTINGS.format(folder=folder, port=self.port))
        self.write(f"{folder}/mosquitto.conf",
                   f"listener {self.port} 127.0.0.1\nallow_anonymous true\n"
                   f"user {subprocess.check_output(['id', '-un'], text=True).strip()}\n")
        self.kills = dict.fromkeys(["writer", "uplink", "collector", "broker"], 0)
        self.running = {}
        self.written = 0

    @staticmethod
    def write(path, text):
        with open(path, "w") as file:
            file.write(text)

    def start(self, name):
        here = os.path.abspath(__file__)
        command = {
            "writer": [sys.executable, here, "--write", f"{self.folder}/track.gpkg",
                       str(self.random.randrange(1 << 30))],
            "uplink": [self.godwit, "uplink", "--config", self.settings],
            "collector": [self.godwit, "collect", "--config", self.settings,
                          "--store", f"{self.folder}/home.gpkg"],
            "broker": ["/usr/sbin/mosquitto", "-c", f"{self.folder}/mosquitto.conf"],
        }[name]
        log = open(f"{self.folder}/{name}.log", "a")
        self.running[name] = subprocess.Popen(command, stdout=log, stderr=log)

    def alive(self, name):
        return name in self.running and self.running[name].poll() is None

    def kill(self, name):
        if self.alive(name):
            self.running[name].send_signal(signal.SIGKILL)
            self.running[name].wait()
            self.kills[name] += 1

    def begin(self):
        """A store as the daemon makes it, with its log of changes."""
        daemon = subprocess.Popen(
            [self.godwit, "run", "--config", self.settings, "--no-power"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(2)
        daemon.terminate()
        daemon.wait()

    def harm(self, count):
        names = list(self.kills)
        while sum(self.kills.values()) < count:
            for name in names:
                if not self.alive(name):
                    self.start(name)
            time.sleep(self.random.uniform(0, 0.25))
            self.kill(self.random.choice(names))

    def finish(self, patience):
        """Everything runs once more, until nothing waits."""
        self.kill("writer")
        for name in ["broker", "collector"]:
            if not self.alive(name):
                self.start(name)
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if self.alive("uplink"):
                self.running["uplink"].wait()
            subprocess.run([self.godwit, "uplink", "--config", self.settings],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with sqlite3.connect(f"file:{self.folder}/uplink.db?mode=ro", uri=True) as outbox:
                if outbox.execute("SELECT count(*) FROM outbox WHERE state < 2").fetchone()[0] == 0:
                    break
            time.sleep(0.5)
        for name in ["collector", "broker"]:
            self.running[name].terminate()
            self.running[name].wait()

    def compare(self):
        """Problems, and how many records there are."""
        store = sqlite3.connect(f"{self.folder}/track.gpkg")
        home = sqlite3.connect(f"{self.folder}/home.gpkg")
        problems, records = [], 0
        for table in ["visits", "events", "power_segments"]:
            columns = [row[1] for row in store.execute(f"PRAGMA table_info({table})")][1:]
            names = ", ".join(columns)
            own = {row[0]: row[1:] for row in store.execute(f"SELECT id, {names} FROM {table}")}
            rows = home.execute(f"SELECT record, {names} FROM {table}").fetchall()
            there = {row[0]: row[1:] for row in rows}
            records += len(own)
            if len(rows) != len(there):
                problems.append(f"{table}: {len(rows) - len(there)} twice")
            if lost := own.keys() - there.keys():
                problems.append(f"{table}: {len(lost)} lost")
            if more := there.keys() - own.keys():
                problems.append(f"{table}: {len(more)} too many")
            if other := [key for key in own.keys() & there.keys() if own[key] != there[key]]:
                problems.append(f"{table}: {len(other)} different, such as {other[0]}")
        return problems, records


def write(path, seed):
    """What stands in for the daemon: records, and changes of earlier ones, for ever."""
    chance = random.Random(seed)
    store = sqlite3.connect(path, timeout=10, isolation_level=None)
    store.execute("PRAGMA synchronous = FULL")
    point = bytes.fromhex("47500001e6100000" "0101000000") + bytes(16)
    when = "2026-05-01T00:00:00.000Z"
    names = [row[1] for row in store.execute("PRAGMA table_info(visits)")]
    while True:
        store.execute("BEGIN IMMEDIATE")
        for _ in range(chance.randrange(1, 6)):
            store.execute(
                "INSERT INTO events (time, kind, reason, level) VALUES (?, 'kill', ?, 'info')",
                (when, str(chance.random())))
        last = store.execute("SELECT coalesce(max(id), 0) FROM visits").fetchone()[0]
        values = {"id": last + (chance.random() < 0.3 or last == 0), "geom": point, "arrival": when,
                  "arrival_earliest": when, "arrival_latest": when, "accuracy_m": chance.random(),
                  "confidence": 0.5, "locations": 3, "unwatched_s": 0.0}
        row = [values.get(name) for name in names]
        store.execute(f"INSERT OR REPLACE INTO visits VALUES ({', '.join('?' * len(row))})", row)
        store.execute("COMMIT")
        time.sleep(chance.uniform(0, 0.05))


def verdict(trial, problems, folder, text):
    if problems:
        print("\n".join(problems + [f"left in {folder}"]))
    else:
        shutil.rmtree(folder)
    print(f"uplink-{trial}: {'FAILED' if problems else 'passed'}: {text}")
    return 1 if problems else 0


def kills(world, count):
    start = time.monotonic()
    world.begin()
    world.harm(count)
    world.finish(patience=180)
    problems, records = world.compare()
    told = ", ".join(f"{name} {count}" for name, count in world.kills.items())
    return verdict(
        "kills", problems, world.folder, f"{records} records, each once, after "
        f"{sum(world.kills.values())} kills ({told}), {time.monotonic() - start:.0f} s")


def drain(world, count):
    world.begin()
    with sqlite3.connect(f"{world.folder}/track.gpkg") as store:
        store.executemany(
            "INSERT INTO events (time, kind, reason, level) VALUES (?, 'drain', ?, 'info')",
            [("2026-05-01T00:00:00.000Z", str(number)) for number in range(count)])
    for name in ["broker", "collector"]:
        world.start(name)
        time.sleep(1)
    start = time.monotonic()
    world.start("uplink")
    world.running["uplink"].wait()
    seconds = time.monotonic() - start
    world.finish(patience=60)
    problems, records = world.compare()
    return verdict(
        "drain", problems, world.folder,
        f"{records} records queued and handed over in {seconds:.1f} s, {records / seconds:.0f} a "
        "second, each once")


def main():
    if sys.argv[1:2] == ["--write"]:
        return write(sys.argv[2], int(sys.argv[3]))
    trials = {"kills": (kills, 100), "drain": (drain, 100_000)}
    parser = argparse.ArgumentParser()
    parser.add_argument("trial", choices=trials)
    parser.add_argument("godwit")
    parser.add_argument("--count", type=int, help="kills, or records")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    trial, usual = trials[options.trial]
    folder = tempfile.mkdtemp(prefix="godwit-uplink-")
    world = World(os.path.abspath(options.godwit), folder, options.seed)
    return trial(world, options.count or usual)


if __name__ == "__main__":
    sys.exit(main())
