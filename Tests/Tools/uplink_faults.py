"""The trial of the network: random kills, and a network that fails in between in its own ways."""
import base64
import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from datetime import datetime

from uplink_brokers import Mosquitto
from uplink_network import Network
from uplink_world import HERE, Board, Trial, brokers, told

MQTT_PORT, WEB_PORT, PORTAL_PORT, MUTE_PORT = 1883, 8080, 8880, 8881
WEB = """
[uplink.owntracks_http]
url = "http://{home}/pub"
[uplink.osmand]
url = "http://{home}/osmand"
[uplink.overland]
url = "http://{home}/overland"
"""
LINES = ["board", "home"]
# The effect of each fault on a line.
STATES = {
    "silent": {"there": False, "back": False},  # Half-open: the end is not reported to either side.
    "deaf": {"back": False},
    "lossy": {"loss": 0.3},
    "slow": {"delay_s": 0.3},
    "wretched": {"loss": 0.15, "delay_s": 0.15},
}
# "down": the device itself; "portal": a page for whatever is asked; "mute": accepts, says nothing.
KINDS = {"board": [*STATES, "down", "portal", "mute"], "home": [*STATES, "down"]}
# No process is killed during these: the uplink has to end by itself, and report the failure.
HOPELESS = ["silent", "portal", "deaf", "mute"]
# A minute for a broker to let the board in, 90 s for a web request; debug programs are slow.
MOST_SECONDS = 120


class Faults:
    """At most one fault on each line, for a while."""

    def __init__(self, network, seed):
        self.network = network
        self.random = random.Random(seed)
        self.current = {}
        self.counts = {}

    def strike(self, place, kind=None, longest=4):
        self.lift(place)
        kind = kind or self.random.choice(KINDS[place])
        if kind in STATES:
            self.network.set_line(place, **STATES[kind])
        elif kind == "down":
            self.network.lower_link(place)
        else:
            self.network.open_portal(
                [MQTT_PORT, WEB_PORT], PORTAL_PORT if kind == "portal" else MUTE_PORT)
        self.current[place] = kind, time.monotonic() + self.random.uniform(0.1, longest)
        self.counts[kind] = self.counts.get(kind, 0) + 1

    def lift(self, place):
        kind, _ = self.current.pop(place, (None, None))
        if kind in STATES:
            self.network.set_line(place)
        elif kind == "down":
            self.network.raise_link(place)
        elif kind:
            self.network.close_portal()

    def lift_what_is_over(self):
        for place, (_, end) in list(self.current.items()):
            if end < time.monotonic():
                self.lift(place)

    def lift_all(self):
        for place in LINES:
            self.lift(place)


class Siege:
    """A board, a broker and a home on a network, and their faults."""

    def __init__(self, trial, network, options, stays=False):
        """`stays`: the uplink as the service runs it when it stays connected."""
        self.crew, self.network = trial.crew, network
        self.taken = f"{trial.folder}/taken"
        self.broker = Mosquitto(
            self.crew, network.address("broker"), MQTT_PORT, keeps=True,
            prefix=network.inside("broker"))
        home = f"{network.address('home')}:{WEB_PORT}"
        stay = f'delay_s = 0\nsocket = "{trial.folder}/call"\n' if stays else ""
        self.board = Board(
            options.godwit, trial.folder, stay + WEB.format(home=home)
            + brokers(self.broker.address, collector=True), options.seed)
        self.uplink = self.board.serve if stays else self.board.uplink
        self.random = random.Random(options.seed)
        self.faults = Faults(network, options.seed)
        self.problems = []
        self.waits = []
        for kind, port in [("portal", PORTAL_PORT), ("mute", MUTE_PORT)]:
            self.start_portal(kind, port)

    def start_portal(self, kind, port):
        portal = self.crew.start(
            kind, self.network.inside("hub") + [
                sys.executable, f"{HERE}/uplink_receivers.py", kind, "0.0.0.0", str(port),
                f"{self.crew.folder}/{kind}.taken"], stdout=subprocess.PIPE, text=True)
        if portal.stdout.readline() != "ready\n":
            raise RuntimeError("no portal")

    def command(self, name):
        return {
            "writer": self.board.writer,
            "daemon": self.network.inside("board") + self.board.run,
            "uplink": self.network.inside("board") + self.uplink,
            "collector": self.network.inside("home") + self.board.collect,
            "receivers": self.network.inside("home") + [
                sys.executable, f"{HERE}/uplink_receivers.py", "receivers", "0.0.0.0",
                str(WEB_PORT), self.taken],
        }[name]

    def ensure(self, *names):
        for name in names:
            if self.crew.alive(name):
                continue
            if name == "broker":
                self.broker.start()
            else:
                self.crew.start(name, self.command(name))

    @property
    def strikes(self):
        return sum(self.crew.kills.values()) + sum(self.faults.counts.values())

    def harm(self, count):
        names = ["writer", "daemon", "uplink", "collector", "broker", "receivers"]
        # Endurance is repeated so often that every kind of fault occurs.
        turns = [count * (number + 1) // (len(HOPELESS) + 1) for number in range(len(HOPELESS))]
        for kind, turn in zip(HOPELESS, turns):
            self.harm_until(turn, names)
            self.endure(kind)
        self.harm_until(count, names)

    def harm_until(self, count, names):
        while self.strikes < count:
            self.ensure(*names)
            self.faults.lift_what_is_over()
            time.sleep(self.random.uniform(0, 0.6))
            name = self.random.choice(names + LINES)
            if name in LINES:
                self.faults.strike(name)
            else:
                self.crew.kill(name)

    def endure(self, kind):
        """The uplink has to end by itself, and report why, in any state of the network."""
        self.faults.lift_all()
        self.ensure("broker", "collector", "receivers")
        self.faults.strike("board", kind)
        if self.crew.alive("uplink"):
            self.crew.running["uplink"].kill()
            self.crew.running["uplink"].wait()
        start = time.monotonic()
        uplink = self.crew.start("uplink", self.command("uplink"))
        try:
            if uplink.wait(MOST_SECONDS) == 0:
                self.problems.append(f"{kind}: the uplink did not say that it failed")
        except subprocess.TimeoutExpired:
            self.problems.append(f"{kind}: the uplink had not ended after {MOST_SECONDS} s")
        self.waits.append(f"{kind} {time.monotonic() - start:.0f} s")
        self.faults.lift("board")

    def finish(self, patience=300):
        """All faults are over, and everything runs until nothing waits."""
        self.faults.lift_all()
        for name in ["writer", "daemon"]:
            self.crew.stop(name)
        self.ensure("broker", "collector", "receivers")
        if self.crew.alive("uplink"):
            self.crew.running["uplink"].wait()
        start = time.monotonic()
        self.problems += self.board.drain(
            lambda: self.crew.start("uplink", self.command("uplink")).wait(), patience)
        self.waits.append(f"at the end {time.monotonic() - start:.0f} s")
        for name in ["collector", "broker", "receivers"]:
            self.crew.stop(name)


def expected(store):
    """The expected records of each receiver."""
    with sqlite3.connect(store) as file:
        times = {table: [row[0] for row in file.execute(f"SELECT time FROM {table}")]
                 for table in ["track_points", "crossings"]}
    seconds = {table: [int(datetime.fromisoformat(time).timestamp()) for time in list_]
               for table, list_ in times.items()}
    locations = {f"location {second}" for second in seconds["track_points"]}
    return {
        "owntracks_http": locations | {
            f"transition {second}" for second in seconds["crossings"]},
        "osmand": locations,
        "overland": {f"location {time.replace('.000Z', 'Z')}" for time in times["track_points"]},
    }


def compare_receivers(store, file):
    """Problems, how many records the receivers have, and how many requests were repeated."""
    taken = {}
    requests = 0
    with open(file, encoding="ascii") as lines:
        for line in lines:
            receiver, key, data = json.loads(line)
            taken.setdefault(receiver, {}).setdefault(key, set()).add(base64.b64decode(data))
            requests += 1
    problems, records = [], 0
    for receiver, keys in expected(store).items():
        there = taken.get(receiver, {})
        records += len(keys)
        if lost := keys - there.keys():
            problems.append(f"{receiver}: {len(lost)} lost, such as {min(lost)}")
        if more := there.keys() - keys:
            problems.append(f"{receiver}: {len(more)} too many, such as {min(more)}")
        if other := [key for key, forms in there.items() if len(forms) > 1]:
            problems.append(f"{receiver}: {len(other)} with other bytes, such as {min(other)}")
    return problems, records, requests - records


def network(options):
    """Kills processes and disturbs the network at random; board and home are in network
    namespaces."""
    if os.geteuid() != 0:
        sys.exit("uplink_trials.py network makes network namespaces: run it as root")
    with Trial("network") as trial, Network(trial.crew, options.seed) as net:
        siege = Siege(trial, net, options)
        siege.harm(options.count)
        siege.finish()
        problems, records = siege.board.compare()
        more, web, again = compare_receivers(siege.board.store, siege.taken)
        with open(f"{trial.folder}/portal.taken", "rb") as pages:
            portal = sum(1 for _ in pages)
        return trial.verdict(
            siege.problems + problems + more,
            f"{records} records, each once, and {web} of web receivers ({again} came again, with "
            f"the same bytes), after {siege.strikes} strikes: kills ({told(trial.crew.kills)}), "
            f"faults ({told(siege.faults.counts)}); the portal answered {portal} times; ended by "
            f"itself: {', '.join(siege.waits)}; seed {options.seed}, {trial.seconds:.0f} s")
