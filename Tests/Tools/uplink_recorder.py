"""The trial of OwnTracks' Recorder, built from its source: its records against the store."""
import glob
import json
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
from datetime import datetime

from uplink_brokers import Mosquitto
from uplink_world import Board, Trial, await_that, brokers, free_port, listens
from uplink_writer import Writer

CROSSINGS = 50
HTTP = """
[uplink.owntracks_http]
url = "http://127.0.0.1:{port}/pub"
"""


def build(source, folder):
    """In a copy: the source stays unchanged."""
    shutil.copytree(source, folder)
    shutil.copy(f"{folder}/config.mk.in", f"{folder}/config.mk")
    with open(f"{folder}/make.log", "w", encoding="utf-8") as log:
        subprocess.run(["make", "-C", folder, "WITH_ENCRYPT=yes", "WITH_TZ=no"], check=True,
                       stdout=log, stderr=log)
    return f"{folder}/ot-recorder"


class Recorder:
    """A Recorder that subscribes at a broker (`mqtt`), or accepts requests (`http`)."""

    def __init__(self, trial, program, mqtt=0, http=0):
        self.crew = trial.crew
        self.storage = f"{trial.folder}/store-{'mqtt' if mqtt else 'http'}"
        self.http = http
        os.makedirs(f"{self.storage}/htdocs")
        self.command = [
            program, "--storage", self.storage, "--norevgeo", "--clientid", "recorder",
            "--host", "127.0.0.1", "--port", str(mqtt), "--http-host", "127.0.0.1",
            "--http-port", str(http), "--doc-root", f"{self.storage}/htdocs",
            "--viewsdir", f"{self.storage}/htdocs"]

    def start(self):
        subprocess.run(self.command + ["--initialize"], check=True, stdout=subprocess.DEVNULL)
        self.crew.start("recorder", self.command + (["owntracks/#"] if not self.http else []))
        if self.http:
            await_that(lambda: listens(self.http), "the Recorder")

    def lines(self):
        """Its records of each kind of message. By HTTP it files all of them as locations."""
        lines = {}
        for path in sorted(glob.glob(f"{self.storage}/rec/ann/bike/*.rec")):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    message = json.loads(line.rstrip("\n").split("\t")[2])
                    lines.setdefault(message["_type"], []).append(message)
        return lines


def whole(value):
    """As it is sent: OwnTracks' apps send whole numbers."""
    return float(f"{value:.0f}")


def position(geometry):
    longitude, latitude = struct.unpack_from("<dd", geometry, 13)
    return {"lat": float(f"{latitude:.7f}"), "lon": float(f"{longitude:.7f}")}


def seconds(time):
    return int(datetime.fromisoformat(time).timestamp())


def locations(store):
    """The messages that the Recorder must have, by their second."""
    messages = {}
    for geometry, time, accuracy, altitude, speed, course in store.execute(
            "SELECT geom, time, accuracy_m, altitude_m, speed_m_s, track_deg FROM track_points"):
        message = {"_type": "location", "tst": seconds(time), "tid": "gw",
                   "acc": whole(max(accuracy, 1)), **position(geometry)}
        if altitude is not None:
            message |= {"alt": whole(altitude), "vel": whole(speed * 3.6),
                        "cog": whole(course if course < 359.5 else 0)}
        messages[message["tst"]] = message
    return messages


def transitions(store):
    return {
        seconds(time): {
            "_type": "transition", "tst": seconds(time), "tid": "gw", "desc": name, "rid": uuid,
            "event": "leave" if change == "left" else "enter", "acc": whole(max(accuracy, 1)),
            **position(geometry)}
        for geometry, time, accuracy, change, name, uuid in store.execute(
            "SELECT geom, time, accuracy_m, change, place_name, place_uuid FROM crossings")}


# Added by the Recorder about a message.
ADDED = {"_http", "cc", "addr", "ghash", "isotst", "isorcv", "tzname", "isolocal", "disptst",
         "topic", "t", "_id", "created_at"}


def compare(kind, own, there):
    """Problems: every message once, with the same members and numbers."""
    problems = []
    found = {}
    for message in there:
        found.setdefault(message.get("tst"), []).append(
            {name: value for name, value in message.items() if name not in ADDED})
    if lost := own.keys() - found.keys():
        problems.append(f"{kind}: {len(lost)} lost, such as {min(lost)}")
    if more := found.keys() - own.keys():
        problems.append(f"{kind}: {len(more)} too many, such as {more.pop()}")
    if twice := [key for key, forms in found.items() if len(forms) > 1]:
        problems.append(f"{kind}: {len(twice)} twice, such as {twice[0]}")
    for key in own.keys() & found.keys():
        if own[key] != found[key][0]:
            problems.append(f"{kind}: {found[key][0]} instead of {own[key]}")
            break
    return problems


def check(way, board, recorder, trial):
    """Transfers the store by one transport, and compares. Problems."""
    recorder.start()
    problems = board.drain(lambda: trial.crew.start("uplink", board.uplink).wait(), patience=120)
    with sqlite3.connect(board.store) as store:
        own = {"location": locations(store), "transition": transitions(store)}
    if way == "MQTT":  # The broker has it; the Recorder receives it from there.
        wanted = sum(map(len, own.values()))
        try:
            await_that(lambda: sum(map(len, recorder.lines().values())) >= wanted, "the Recorder")
        except TimeoutError:
            pass  # The comparison reports what is missing.
    trial.crew.stop("recorder")
    lines = recorder.lines()
    for kind, messages in own.items():
        problems += compare(f"{way} {kind}", messages, lines.get(kind, []))
    return problems


def recorder(options):
    """Transfers a store to OwnTracks' Recorder, by MQTT and by HTTP, and compares."""
    if not options.source:
        sys.exit("uplink_trials.py recorder takes --source, the folder of the Recorder's source")
    with Trial("recorder") as trial:
        program = build(options.source, f"{trial.folder}/source")
        broker, port, problems = Mosquitto(trial.crew), free_port(), []
        broker.start()
        broker.await_ready()
        ways = {
            "MQTT": (Recorder(trial, program, mqtt=broker.port),
                     brokers(broker.address, owntracks=True)),
            "HTTP": (Recorder(trial, program, http=port), HTTP.format(port=port))}
        for way, (receiver, settings) in ways.items():
            folder = f"{trial.folder}/{way}"
            os.mkdir(folder)
            board = Board(options.godwit, folder, settings, options.seed)
            Writer(board.store, options.seed).write(options.count, CROSSINGS)
            problems += check(way, board, receiver, trial)
        return trial.verdict(
            problems, f"{options.count} locations and {CROSSINGS} transitions by "
            f"{' and by '.join(ways)}, each once in the Recorder's files, with the store's digits; "
            f"seed {options.seed}, {trial.seconds:.0f} s")
