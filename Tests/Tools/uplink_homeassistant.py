"""The trial of Home Assistant: its view of a board, by discovery and by OwnTracks' messages."""
import json
import os
import sqlite3
import subprocess

from uplink_brokers import Mosquitto
from uplink_recorder import locations, transitions
from uplink_world import HERE, Board, Trial, await_that, brokers, free_port
from uplink_writer import Writer

CROSSINGS = 50
WEBHOOK = "godwit-trial"
HTTP = """
[uplink.owntracks_http]
url = "http://127.0.0.1:{port}/api/webhook/{webhook}"
"""
# By transport: the board's owner, and so Home Assistant's name of its tracker.
USERS = {"MQTT": "ann", "HTTP": "eve"}


class House:
    """Home Assistant in a separate process (uplink_homeassistant_end.py)."""

    def __init__(self, trial, python, broker):
        self.port = free_port()
        folder = f"{trial.folder}/house"
        os.mkdir(folder)
        self.process = trial.crew.start(
            "house", [python, f"{HERE}/uplink_homeassistant_end.py", folder, str(broker),
                      str(self.port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError(f"no Home Assistant: look at {trial.folder}/house.log")

    def report(self):
        self.process.stdin.write("report\n")
        return json.loads(self.process.stdout.readline())

    def seen(self, user):
        """The positions of OwnTracks' tracker, in order of arrival."""
        name = f"device_tracker.{user}_bike"
        return [state[1:] for state in self.report()["states"] if state[0] == name]


def expected(store):
    """All locations, and then the positions of the crossings: after a message that the board is at
    a place Home Assistant accepts no more locations."""
    with sqlite3.connect(store) as file:
        messages = [*locations(file).values(), *transitions(file).values()]
    return [[message["lat"], message["lon"], message["acc"]] for message in messages]


def check_tracker(way, own, seen):
    """Problems: every position once, in order, with the same numbers."""
    if own == seen:
        return []
    first = next((number for number, (one, other) in enumerate(zip(own, seen)) if one != other),
                 min(len(own), len(seen)))
    return [f"{way}: {len(seen)} positions instead of {len(own)}; number {first + 1} is "
            f"{seen[first:first + 1]} instead of {own[first:first + 1]}"]


def check_discovery(entities, newest):
    """Problems, the sensors with a value, and all of them."""
    mqtt = {name: rest for name, rest in entities.items() if rest[0] == "mqtt"}
    trackers = [name for name in mqtt if name.startswith("device_tracker.")]
    if len(trackers) != 1:
        return [f"discovery: trackers {trackers} instead of one"], {}, {}
    problems = []
    attributes = mqtt[trackers[0]][2]
    there = [attributes.get(name) for name in ("latitude", "longitude")]
    if there != newest:
        problems.append(f"discovery: the tracker is at {there} instead of {newest}")
    sensors = {name.split("bike_")[-1]: state for name, (_, state, _) in mqtt.items()
               if name not in trackers}
    known = {name: state for name, state in sensors.items()
             if state not in (None, "unknown", "unavailable")}
    if not known:
        problems.append(f"discovery: nothing is known of {', '.join(sensors)}")
    return problems, known, sensors


def hand_on(way, trial, options, house, settings):
    """Transfers a store with locations, then crossings, by one transport. Problems, and the last
    location."""
    folder = f"{trial.folder}/{way}"
    os.mkdir(folder)
    board = Board(options.godwit, folder, settings, options.seed, USERS[way])
    writer, problems = Writer(board.store, options.seed), []
    with board.daemon():  # It reports the board's state.
        for part in [(options.count, 0), (0, CROSSINGS)]:
            writer.write(*part)
            problems += board.drain(
                lambda: trial.crew.start("uplink", board.uplink).wait(), patience=120)
    own = expected(board.store)
    try:
        await_that(lambda: len(house.seen(USERS[way])) >= len(own), "Home Assistant", pause=0.2)
    except TimeoutError:
        pass  # The comparison reports what is missing.
    return problems + check_tracker(way, own, house.seen(USERS[way])), own[options.count - 1][:2]


def home_assistant(options):
    """Home Assistant discovers a board, and receives it as OwnTracks by MQTT and by its webhook."""
    version = subprocess.check_output(
        [options.python, "-c", "from homeassistant import const; print(const.__version__)"],
        text=True).strip()
    with Trial("homeassistant") as trial:
        broker = Mosquitto(trial.crew)
        broker.start()
        broker.await_ready()
        house = House(trial, options.python, broker.port)
        broker.await_subscription("owntracks/#")
        problems, newest = hand_on(
            "MQTT", trial, options, house,
            brokers(broker.address, owntracks=True, home_assistant=True))
        problems += hand_on(
            "HTTP", trial, options, house, HTTP.format(port=house.port, webhook=WEBHOOK))[0]
        report = house.report()
        more, known, sensors = check_discovery(report["entities"], newest)
        problems += more + [f"it complains: {text}" for text in report["complaints"]]
        return trial.verdict(
            problems, f"Home Assistant {version} has {options.count} locations and {CROSSINGS} "
            f"transitions by MQTT and by its webhook, each once, and has found a tracker and "
            f"{len(sensors)} sensors, of which it knows {', '.join(known)}; seed {options.seed}, {trial.seconds:.0f} s")
