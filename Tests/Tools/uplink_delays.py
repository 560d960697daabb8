"""What a delay of the uplink saves: connections, bytes, time and energy a day on the made-up lives.

What became durable when is read out of each simulated store, and grouped as the daemon calls the
uplink. What a visit takes is measured: the program, through TLS, at mosquitto. The energy is
modelled; the constants below say from what.
"""
import json
import math
import os
import select
import socket
import sqlite3
import statistics
import struct
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

from alert_study import LIVES, places_of
from lives import BOARD
from results import seconds
from uplink_brokers import Mosquitto
from uplink_secure import Door, make_certificates
from uplink_world import Board, Trial, await_that, brokers, free_port, write

DAY = 86_400
DELAYS = [0, 60, 900, 3600]  # s, uplink.delay_s
ALERT_DELAY = 0  # s, uplink.alert_delay_s as it is by default
SIZES = [0, 1, 2, 5, 10, 50, 100]  # messages of a visit that is measured
REPETITIONS = 2
RADIUS = 100  # m, of a circle round each place where a life stays
PINGS = 3  # of a connection that stays, measured

KEEP_ALIVE = 60  # s, as the program asks of a broker
WINDOW = 20  # messages under way at once, as BrokerSession has it
# Assumed: between a board on a mobile network and its broker.
ROUND_TRIP = 0.1  # s
# Assumed: the name, TCP, TLS 1.3 and MQTT; on loopback they take nothing.
ROUND_TRIPS_TO_CONNECT = 4


@dataclass(frozen=True)
class Radio:
    """The additional power of a radio. Between connections it is off (0 W)."""
    active: float  # W, while anything passes, and through the tail
    tail: float  # s, that it stays so after the last byte
    rest: float  # W, while it is attached and nothing passes
    start: float  # s, active, until a visit can begin

    def __str__(self):
        return (f"{self.active} W while anything passes and {self.tail} s after it, {self.rest} W "
                f"while it stays connected, off between visits, {self.start} s to begin one")


# The order of a telephone's LTE in Huang et al., "A Close Examination of Performance and Power
# Characteristics of 4G LTE Networks", MobiSys 2012; assumed: 1 s out of power saving mode.
LTE = Radio(active=1.0, tail=10, rest=0.03, start=1)
# Assumed: a small module in power save, and 3 s to find and join its network.
WIFI = Radio(active=0.3, tail=0, rest=0.05, start=3)


def energy(radio, spans, days, stays):
    """In J a day. Modelled. `spans`: (begin, end) in s of what passes, in the order of time."""
    start = 0 if stays else radio.start
    active, until = 0, -math.inf
    for begin, end in spans:
        # Still active from the time before: no start, and the tail begins anew.
        begin = max(until, begin - start)
        until = max(until, end + radio.tail)
        active += until - begin
    rest = radio.rest * (days * DAY - active) if stays else 0
    return (radio.active * active + max(rest, 0)) / days


# MARK: What became durable when


@dataclass
class Commit:
    time: float  # s, Unix
    messages: int = 0  # locations and crossings: what OwnTracks gets
    pause: float = math.inf  # s, that the first of its records may wait; infinite: no recipient


@dataclass
class Log:
    """The transactions of a store, out of its write-ahead log, which a reader keeps whole.

    The file alone does not tell: rows have the times of what happened, and the daemon commits many
    together. (sqlite.org/fileformat2.html, "The Write-Ahead Log")
    """
    path: str
    known: dict = field(default_factory=lambda: {"points": 0, "crossings": 0, "notices": 0})
    visits: list = field(default_factory=list)

    def commits(self, log):
        page, count = struct.unpack_from(">II", log, 8)
        salt = log[16:24]
        if count:
            raise ValueError("the store's log began anew before it was read")
        with open(self.path, "w+b") as file:
            for at in range(32, len(log) - page - 23, page + 24):
                number, size = struct.unpack_from(">II", log, at)
                if log[at + 8:at + 16] != salt:
                    break
                content = bytearray(log[at + 24:at + 24 + page])
                if number == 1:
                    content[18:20] = b"\1\1"  # No log: it is in the file now.
                file.seek((number - 1) * page)
                file.write(content)
                if size:
                    file.flush()
                    if commit := self.look():
                        yield commit

    def look(self):
        """The changes since the previous call; none before the tracker has written any."""
        store = sqlite3.connect(f"file:{self.path}?immutable=1", uri=True)
        try:
            state = store.execute(
                "SELECT value FROM meta WHERE key = 'tracker_state'").fetchone()
            now = store.execute(
                "SELECT (SELECT count(*) FROM track_points), "
                "(SELECT count(*) FROM crossings), (SELECT count(*) FROM notices)").fetchone()
            visits = store.execute(
                "SELECT * FROM visits ORDER BY id DESC LIMIT 4").fetchall()
        except sqlite3.OperationalError:  # Its tables are not there yet.
            return None
        finally:
            store.close()
        if state is None or not (moment := json.loads(state[0]).get("time")):
            return None
        now = dict(zip(self.known, now))
        more = {name: now[name] - self.known[name] for name in now}
        # A withdrawal reveals earlier ones, which are not new.
        is_visit = any(visit not in self.visits for visit in visits[:2])
        self.known, self.visits = now, visits
        commit = Commit(seconds(moment), more["points"] + more["crossings"])
        if more["crossings"] or more["notices"]:
            commit.pause = ALERT_DELAY
        elif more["points"] or is_visit:
            commit.pause = sys.float_info.max  # As long as uplink.delay_s.
        return commit


def simulate(trial, godwit, life, options, more=()):
    """The commits of a life. The store that it leaves is at `store` in the trial's folder."""
    folder = f"{trial.folder}/life"
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        os.remove(f"{folder}/{name}")
    process = trial.crew.start("simulate", [
        godwit, "simulate", "--life", life, "--seed", str(options.seed), *BOARD,
        "--days", str(options.days), *more, "--store", f"{folder}/made.gpkg", "--json"])

    def log():
        return next((name for name in os.listdir(folder) if name.endswith("-wal")
                     and os.path.getsize(f"{folder}/{name}") > 32), None)

    await_that(lambda: log() or process.poll() is not None, f"the store of {life}", pause=0.002)
    if not (name := log()):
        raise RuntimeError(f"{life}: ended without a store")
    with open(f"{folder}/{name}", "rb") as file:
        # While a reader keeps the first snapshot, nothing is moved out of the log.
        reader = sqlite3.connect(
            f"file:{folder}/{name.removesuffix('-wal')}?mode=ro", uri=True, isolation_level=None)
        try:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if process.wait() != 0:
                raise RuntimeError(f"{life}: the simulation failed")
            return list(Log(f"{trial.folder}/store").commits(file.read()))
        finally:
            reader.close()


def calls(commits, delay):
    """(time, messages) of each call of the uplink, by the rule of UplinkCall.swift."""
    due, waiting, made = math.inf, 0, []
    for commit in [*commits, Commit(math.inf)]:
        if due <= commit.time and due < math.inf:
            made.append((due, waiting))
            due, waiting = math.inf, 0
        waiting += commit.messages
        if commit.pause < math.inf:
            due = min(due, commit.time + min(delay, commit.pause))
    return made


# MARK: The cost of a connection


class Meter(threading.Thread):
    """Between the program and the broker: counts what passes, either way, TLS and all."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.there, self.octets = port, 0
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]

    def run(self):
        while True:
            near, _ = self.door.accept()
            with near, socket.create_connection(("127.0.0.1", self.there)) as far:
                self.carry({near: far, far: near})

    def carry(self, ends):
        opened = dict(ends)
        while opened:
            for end in select.select(list(opened), [], [])[0]:
                try:
                    if passed := end.recv(65_536):
                        ends[end].sendall(passed)
                        self.octets += len(passed)
                        continue
                    ends[end].shutdown(socket.SHUT_WR)
                except OSError:  # One side has closed; the other is closed, too.
                    pass
                del opened[end]


@dataclass
class Costs:
    visit_bytes: float = 0  # of a visit
    message_bytes: float = 0  # and each message of it
    visit_s: float = 0
    message_s: float = 0
    ping_bytes: float = 0


def line(points):
    """Intercept and slope of (x, y), by least squares."""
    slope, intercept = statistics.linear_regression(*zip(*points))
    return intercept, slope


class Bench:
    """A board and a broker that lets it in by a password, through TLS, and a subscriber."""

    def __init__(self, trial, options):
        self.crew = trial.crew
        secrets, port = f"{trial.folder}/secrets", free_port()
        make_certificates(secrets)
        door = Door("password", secrets)
        # Ten seconds instead of a minute: a ping is as long.
        self.broker = Mosquitto(trial.crew, port=port, access=(
            f"log_type debug\nmax_keepalive 10\nallow_anonymous false\n{door.broker_lines()}"))
        self.broker.start()
        self.broker.await_ready()
        trial.crew.start("listener", [
            "mosquitto_sub", "-V", "5", "-h", "127.0.0.1", "-p", str(port), "-u", "home",
            "-P", "secret of home", "--cafile", f"{secrets}/ca.pem", "-t", "owntracks/#"])
        self.broker.await_subscription("owntracks/#")
        # What the program itself counts of a visit is not taken: its log may be what is wrong.
        self.meter = Meter(port)
        self.meter.start()
        to_broker = brokers(f"mqtts://127.0.0.1:{self.meter.port}", owntracks=True)
        settings = to_broker + door.settings("bike")
        self.board = Board(options.godwit, trial.folder, settings, options.seed)
        with open(self.board.settings, encoding="utf-8") as file:
            stays = file.read().replace(
                "[uplink]\n", f'[uplink]\ndelay_s = 0\nsocket = "{trial.folder}/call"\n')
        self.staying = f"{trial.folder}/staying.toml"
        write(self.staying, stays)
        with sqlite3.connect(f"{trial.folder}/store") as life:
            columns = [row[1] for row in life.execute("PRAGMA table_info(track_points)")]
            columns = [name for name in columns if name not in ("id", "session_id")]
            self.columns = ", ".join(columns)
            self.points = life.execute(
                f"SELECT {self.columns} FROM track_points ORDER BY id").fetchall()
        self.next = 0
        self.seen = self.counted = self.told = 0

    def record(self, count):
        """The life's own locations: their messages have the sizes that such messages have."""
        rows = [self.points[(self.next + number) % len(self.points)] for number in range(count)]
        self.next += count
        marks = ", ".join("?" * len(rows[0])) if rows else ""
        with sqlite3.connect(self.board.store) as store:
            store.executemany(
                f"INSERT INTO track_points ({self.columns}) VALUES ({marks})", rows)

    def exchanged(self):
        """Messages, by the program's log, and bytes, by the meter, since it was asked before."""
        told = json.loads(subprocess.check_output([
            self.board.godwit, "uplink", "log", "--config", self.board.settings,
            "--last", "10000", "--json"]))
        new, self.seen = told[self.seen:], len(told)
        if failed := [one["note"] for one in new if one["what"] == "failed"]:
            raise RuntimeError(f"a visit failed: {failed[0]}")
        self.told += sum(one["sent_bytes"] + one["received_bytes"] for one in new)
        octets, self.counted = self.meter.octets - self.counted, self.meter.octets
        return sum(one["messages"] for one in new), octets

    def visit(self, count):
        """Bytes and seconds of a visit with so many messages."""
        if count:
            self.record(count)
        begin = time.monotonic()
        code = self.crew.start("uplink", self.board.uplink).wait()
        took = time.monotonic() - begin
        messages, octets = self.exchanged()
        if code != 0 or messages != count:
            raise RuntimeError(f"a visit with {count} messages took {messages}, and ended {code}")
        return octets, took

    def pings(self):
        with open(f"{self.crew.folder}/broker.log", encoding="utf-8") as log:
            return sum("PINGREQ from godwit" in one for one in log)

    def stay(self):
        """Bytes of a connection that stays, and how many pings were among them."""
        before = self.pings()
        self.crew.start("staying", [
            self.board.godwit, "uplink", "run", "--service", "--config", self.staying])
        await_that(lambda: self.pings() >= before + PINGS, "pings", patience=90)
        self.crew.stop("staying")
        return self.exchanged()[1], self.pings() - before

    def measure(self):
        visits = [(count, *self.visit(count)) for count in SIZES * REPETITIONS]
        costs = Costs()
        costs.visit_bytes, costs.message_bytes = line([(one[0], one[1]) for one in visits])
        costs.visit_s, costs.message_s = line([(one[0], one[2]) for one in visits])
        empty = statistics.mean(one[1] for one in visits if one[0] == 0)
        octets, pings = self.stay()
        costs.ping_bytes = (octets - empty) / pings
        for count in SIZES:
            of_size = [one for one in visits if one[0] == count]
            print(f"measured: {count} messages: "
                  f"{statistics.mean(one[1] for one in of_size):.0f} bytes, "
                  f"{statistics.mean(one[2] for one in of_size):.2f} s")
        print(f"fitted: {costs.visit_bytes:.0f} + {costs.message_bytes:.1f} n bytes, "
              f"{costs.visit_s:.2f} + {costs.message_s:.4f} n s; a ping and its answer "
              f"{costs.ping_bytes:.0f} bytes; by its own log the program exchanged "
              f"{self.told / self.counted:.0%} of these bytes")
        return costs


# MARK: Days


def publishing(messages):
    """In s: each window waits for its acknowledgements."""
    return ROUND_TRIP * math.ceil(messages / WINDOW)


def visiting(made, costs, days):
    """A day of visits: connections, those with nothing to say, messages, bytes, s, J, J."""
    spans = []
    for at, messages in made:
        took = (costs.visit_s + costs.message_s * messages + ROUND_TRIP * ROUND_TRIPS_TO_CONNECT
                + publishing(messages))
        # One run at a time: a call meanwhile is handled when that one ends.
        begin = max(at, spans[-1][1]) if spans else at
        spans.append((begin, begin + took))
    messages = sum(one[1] for one in made)
    return [
        len(made) / days, sum(one[1] == 0 for one in made) / days, messages / days,
        (costs.visit_bytes * len(made) + costs.message_bytes * messages) / days,
        sum(end - begin for begin, end in spans) / days,
        *(energy(radio, spans, days, stays=False) for radio in (LTE, WIFI))]


def staying(made, costs, begin, days):
    """The same of a connection that stays for a day, with its pings."""
    messages, pings, last = sum(one[1] for one in made), 0, begin
    spans = [(begin + DAY * day, begin + DAY * day + ROUND_TRIP * ROUND_TRIPS_TO_CONNECT)
             for day in range(days)]
    for at, count in [*[one for one in made if one[1]], (begin + days * DAY, 0)]:
        while last + KEEP_ALIVE <= at:
            last += KEEP_ALIVE
            pings += 1
            spans.append((last, last + ROUND_TRIP))
        if count:
            last = max(last, at)
            spans.append((at, at + publishing(count)))
    octets = (costs.visit_bytes * days + costs.message_bytes * messages
              + costs.ping_bytes * pings) / days
    spans.sort()
    return [1, 0, messages / days, octets, sum(one[1] - one[0] for one in spans) / days,
            *(energy(radio, spans, days, stays=True) for radio in (LTE, WIFI))]


def day(commits, delay, costs, options):
    if delay == 0:
        return staying(calls(commits, 0), costs, commits[0].time, options.days)
    return visiting(calls(commits, delay), costs, options.days)


HEADER = ("delay, s | connections a day | of them with nothing to say | messages a day | "
          "bytes a day | awake s a day | J a day LTE | J a day Wi-Fi")


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def table(places, of_lives, costs, options):
    print(f"\n| {places}: {HEADER} |\n|{'---|' * 8}")
    for delay in DELAYS:
        rows = [day(commits, delay, costs, options) for commits in of_lives]
        cells = [f"{number(statistics.mean(values))} ({number(min(values))}..{number(max(values))})"
                 for values in zip(*rows)]
        print(f"| {delay} | {' | '.join(cells)} |")


def circles(path, stays):
    """A file with a circle round each place where a life stays."""
    with open(stays, encoding="utf-8") as file:
        places = places_of(json.load(file), RADIUS)
    write(path, json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [at[1], at[0]]},
         "properties": {"name": name, "radius_m": RADIUS}} for name, at in places.items()]}))


def delays(options):
    """What a delay saves on the made-up lives: connections, bytes, time and (modelled) energy."""
    with Trial("delays") as trial:
        godwit = os.path.abspath(options.godwit)
        stays, places = f"{trial.folder}/stays.json", f"{trial.folder}/places.geojson"
        alone, watched = [], []
        for life in LIVES:
            alone.append(simulate(trial, godwit, life, options, ["--truth-stays", stays]))
            circles(places, stays)
            watched.append(simulate(trial, godwit, life, options, ["--places", places]))
        costs = Bench(trial, options).measure()
        print(f"\nEnergy is modelled, that of the radio alone: LTE {LTE}, Wi-Fi {WIFI}; a round "
              f"trip of {ROUND_TRIP} s. One that stays attached between visits draws up to "
              f"{LTE.rest * DAY:,.0f} J a day more (LTE), {WIFI.rest * DAY:,.0f} J (Wi-Fi).")
        table("no places", alone, costs, options)
        table("every place watched", watched, costs, options)
        return trial.verdict([], (
            f"{len(LIVES)} lives, {options.days} days each, seed {options.seed}, mean (least..most)"
            f", {trial.seconds:.0f} s"))
