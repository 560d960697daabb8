"""A thousand alerts at once, commands that misbehave, a store that others edit and lock."""

import collections
import contextlib
import json
import os
import sqlite3
import struct
import time

import alerts
from areas.clock import shifted_clock
from daemon import Daemon, Watch, Worst
from field import area
from shuttle import DEGREE_M, EAST, LEG_M, SPEED_MPS, Shuttle, latitude
from stores import integrity, number, query

SETTINGS = ["policy.name=continuous", "gate.max_acceleration_mps2=1000",
            "gate.max_time_jump_s=86400"]
# The places are around the first leg.
AMID = LEG_M
# The number of overlapping places that are watched (PlaceWindow.most).
WATCHED = 256


class Scene:
    """A daemon with its carrier, its command, and a watch over it."""

    def __init__(self, siege, name, then="", environment=None, **more):
        self.siege, self.name, self.worst = siege, name, Worst()
        self.folder = siege.room(name)
        self.shuttle = Shuttle(siege.path(f"rx-{name}"))
        self.daemon = Daemon(siege, self.folder, SETTINGS, self.shuttle.receiver.link,
                             environment=environment)
        self.command = alerts.Command(self.folder, then)
        alerts.settings(self.daemon, self.command, self.folder, **more)
        self.socket = alerts.AlertSocket(siege, self.daemon.config, self.folder)
        self.store, self.unread = self.daemon.store, []
        self.daemon.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.daemon.kill()
        self.shuttle.stop()
        self.socket.stop()

    def do(self, *arguments, data=None):
        return alerts.do(self.siege, *arguments, "--store", self.store, data=data).strip()

    def place(self, name, radius=60, metres=AMID):
        return self.do("places", "add", name, "--at", f"{latitude(metres):.7f},{EAST}", "--radius",
                       str(radius))

    def alert(self, name, kind="enter", *more):
        return self.do("alerts", "add", name, "--when", kind, *more)

    def settle(self):
        """Waits until the edits are read and the board is located."""
        time.sleep(6)
        self.siege.found.check(
            self.daemon.wait(lambda status: status["fixes"]["accepted"] > 50, 20),
            f"{self.name}: no fixes are accepted")

    def go(self):
        """Moves to the next station; returns when it is reached."""
        self.shuttle.go()
        time.sleep(LEG_M / SPEED_MPS + 2)

    def notices(self, where="1"):
        return number(self.store, f"SELECT count(*) FROM notices WHERE {where}")

    def wait(self, condition, limit_s):
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            try:
                if condition():
                    return True
            except sqlite3.OperationalError as error:
                # Another reader may fail under edits and locks; it must not continue.
                self.unread.append(getattr(error, "sqlite_errorname", str(error)))
            time.sleep(0.2)
        return False

    def end(self):
        """The orderly end, and the conditions of every scene."""
        code, stop_s = self.daemon.stop()
        found = self.siege.found
        found.check(code == 0, f"{self.name}: ended with {code}: {self.daemon.tail()}")
        found.check(len(self.unread) < 3, f"{self.name}: readers fail: {self.unread[:3]}")
        if self.unread:
            found.says(f"{self.name}: a reader of the store failed with {self.unread}")
        found.check(integrity(self.store) == "ok", f"{self.name}: {integrity(self.store)}")
        return stop_s

    def told(self):
        """How often the command was run for each notice."""
        return collections.Counter(int(run[0]) for run in self.command.runs())


@area("alert-storm", minutes=6)
def alert_storm(siege):
    """A thousand alerts at once, commands that hang, fail and shout, edits and locks of others"""
    worst, torn = Worst(), Worst()
    for scene in (thousand_alerts, thousand_places, hanging, failing, shouting, locked):
        scene(siege, worst)
    worst.report(siege.found, own_mb=7, cpu_percent=30, status_ms=5)
    # Some rows contain texts of a megabyte.
    edited(siege, torn)
    torn.report(siege.found, own_mb=4.5, cpu_percent=3, status_ms=5)


def crowd(siege, worst, scene, least, many, what):
    """A thousand notices, or the rest of them: stored at once, and the command run for each."""
    found = siege.found
    scene.settle()
    with Watch(scene.daemon) as watch:
        scene.go()
        stored = scene.notices()
        start = time.monotonic()
        scene.wait(lambda: not scene.notices("command = 'waiting'"), 150)
        took = time.monotonic() - start
    worst.add(watch, scene.end())
    told = scene.told()
    ids = [row[0] for row in query(scene.store, "SELECT id FROM notices ORDER BY id")]
    order = [int(run[0]) for run in scene.command.runs()]
    found.says(f"{what}: {stored} of {many} notices, {number(scene.store, COUNT)} crossings, "
               f"{sum(told.values())} runs in {took:.0f} s, {watch.memory.own_mb:.4g} MB")
    found.check(least <= stored <= many, f"{what}: {stored} of {many} notices were stored at once")
    found.check(set(told) == set(ids), f"{what}: run for {len(told)} of {len(ids)}")
    found.check(order == sorted(order), f"{what}: not run in the order of the notices")
    waiting = scene.notices("command <> 'done'")
    found.check(not waiting, f"{what}: {waiting} are not done")


COUNT = "SELECT count(*) FROM crossings"


def thousand_alerts(siege, worst):
    many = siege.size(1_000, 300)
    with Scene(siege, "alerts") as scene:
        scene.place("Here")
        scene.alert("alert")
        with edits(scene.store) as store:
            for turn in range(2, many + 1):
                store.execute("INSERT INTO alerts (id, name, kind) VALUES (?, ?, 'enter')",
                              (turn, f"alert {turn}"))
        crowd(siege, worst, scene, many, many, "a thousand alerts at one place")
    siege.found.tried(f"{many:,} alerts at one place")


def thousand_places(siege, worst):
    many = siege.size(1_000, 300)
    with Scene(siege, "places") as scene:
        features = [{"type": "Feature", "properties": {"name": f"place {turn}", "radius_m": 60},
                     "geometry": {"type": "Point", "coordinates": [
                         EAST, latitude(AMID) + turn / many * 20 / DEGREE_M]}}
                    for turn in range(many)]
        scene.do("places", "import", "-", data=json.dumps(
            {"type": "FeatureCollection", "features": features}).encode())
        scene.alert("all")
        # The nearest ones are watched; that the others are not is reported.
        crowd(siege, worst, scene, WATCHED, many, "an alert at a thousand places")
        siege.found.check("places-crowded" in scene.daemon.text(),
                          "an alert at a thousand places: nobody is told that not all are watched")
    siege.found.tried(f"an alert at {many:,} places")


class ClockedScene(Scene):
    """A board with a place, an alert near it, and a boot clock that can be moved."""

    def __init__(self, siege, name, library, then, **more):
        self.shift = siege.path(f"shift-{name}")
        environment = {"LD_PRELOAD": library, "SHIFT_FILE": self.shift, "SHIFT_BOOT": "1"}
        then = then.format(noted=os.path.join(siege.path(name), "noted"))
        super().__init__(siege, name, then, environment, **more)
        self.place("Here")
        self.alert("near", "near", "--within", "100")

    def pass_time(self, seconds):
        """Moves the clocks since boot by this much, counted from the beginning."""
        with open(self.shift + ".new", "w") as file:
            file.write(str(seconds))
        os.rename(self.shift + ".new", self.shift)


HANGS = ('if [ $(grep -c "^$GODWIT_NOTICE " {noted}) = 1 ] && [ "$GODWIT_EVENT" = near ]; then\n'
         "  trap '' TERM\n  sleep 12345 & sleep 12346\n  while :; do sleep 12347; done\nfi")


def processes(*words):
    """The number of processes with one of the words as an argument."""
    count = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                count += any(word.encode() in file.read().split(b"\0") for word in words)
        except OSError:
            pass
    return count


def hanging(siege, worst):
    """A command that neither ends nor reacts is killed with its children; the others are run."""
    found = siege.found
    library = shifted_clock(siege)
    if not library:
        return
    with ClockedScene(siege, "hanging", library, HANGS, command_timeout_s=2) as scene:
        scene.alert("enter")
        scene.settle()
        with Watch(scene.daemon) as watch:
            scene.go()
            killed = scene.wait(lambda: scene.notices("kind = 'enter' AND command = 'done'"), 20)
            left = processes("12345", "12346", "12347")
            waits = scene.notices("command = 'waiting'")
            scene.pass_time(61)
            done = scene.wait(lambda: not scene.notices("command <> 'done'"), 20)
        worst.add(watch, scene.end())
        found.tried("a command that hangs, and obeys no SIGTERM")
        found.check(killed and waits == 1, f"one that hangs: the next was not run, {waits} wait")
        found.check(left == 0, f"one that hangs: {left} of its processes are left")
        found.check(done and sorted(scene.told().values()) == [1, 2],
                    f"one that hangs: run {scene.told()}: {scene.daemon.tail()}")


def failing(siege, worst):
    """A command that fails three times is run a fourth time; others do not wait meanwhile."""
    found = siege.found
    library = shifted_clock(siege)
    if not library:
        return
    then = '[ "$GODWIT_EVENT" != near ] || [ $(grep -c "^$GODWIT_NOTICE " {noted}) -ge 4 ]'
    with ClockedScene(siege, "failing", library, then) as scene:
        many = 150
        with edits(scene.store) as store:
            for turn in range(2, many + 2):
                store.execute("INSERT INTO alerts (id, name, kind) VALUES (?, ?, 'enter')",
                              (turn, f"enter {turn}"))
        scene.settle()
        with Watch(scene.daemon) as watch:
            scene.go()
            others = scene.wait(
                lambda: scene.notices("kind = 'enter' AND command = 'done'") == many, 30)
            runs, passed = [len(scene.told()) and max(scene.told().values())], 0
            held = scene.notices("kind = 'enter' AND command = 'waiting'")
            for pause in (60, 300, 1_800):
                passed += pause + 1
                scene.pass_time(passed)
                scene.wait(lambda: max(scene.told().values()) > runs[-1], 10)
                time.sleep(0.5)
                runs.append(max(scene.told().values()))
            done = scene.wait(lambda: not scene.notices("command <> 'done'"), 20)
        worst.add(watch, scene.end())
        found.tried("one that fails three times, with 150 others behind it")
        found.check(others, f"{held} of {many} notices wait because the command failed for another")
        found.check(runs == [1, 2, 3, 4] and done, f"one that fails: runs {runs}, done {done}")


def shouting(siege, worst):
    """100 MB of output reach the log without filling memory."""
    found, size = siege.found, siege.size(100_000_000, 20_000_000)
    with Scene(siege, "shouting", then=f"head -c {size} /dev/zero") as scene:
        scene.place("Here")
        scene.alert("enter")
        scene.settle()
        with Watch(scene.daemon) as watch:
            scene.go()
            done = scene.wait(lambda: scene.notices("command = 'done'") == 1, 30)
        worst.add(watch, scene.end())
        found.tried(f"one that writes {size / 1e6:.0f} MB")
        found.check(done and os.path.getsize(scene.socket.log) >= size,
                    f"one that writes: {os.path.getsize(scene.socket.log)} bytes, done {done}")


@contextlib.contextmanager
def edits(path):
    """The store in another program, like QGIS and GDAL: with functions of a point's box."""
    store = sqlite3.connect(path, timeout=20, isolation_level=None)

    def corner(axis):
        def read(blob):
            if not isinstance(blob, bytes) or len(blob) < 29 or blob[:2] != b"GP":
                return None
            return struct.unpack("<dd", blob[-16:])[axis]
        return read

    for axis, name in enumerate("XY"):
        for end in ("Min", "Max"):
            store.create_function(f"ST_{end}{name}", 1, corner(axis), deterministic=True)
    store.create_function("ST_IsEmpty", 1, lambda blob: not isinstance(blob, bytes))
    with contextlib.closing(store):
        yield store


def point(east, north):
    """A GeoPackage point (OGC 12-128r18, 2.1.3), without an envelope."""
    return b"GP\0\1" + struct.pack("<iBIdd", 4326, 1, 1, east, north)


GARBAGE = [
    {"geom": None}, {"geom": b""}, {"geom": b"GP"}, {"geom": b"\xff" * 100}, {"geom": "text"},
    {"geom": point(float("nan"), float("inf"))}, {"geom": point(999, 91)}, {"radius_m": "wide"},
    {"radius_m": -5}, {"radius_m": 1e308}, {"name": None}, {"name": b"\xff\xfe"},
    {"name": "n" * 1_000_000}, {"name": "\x1b[31m\n"}, {"uuid": "none"}, {"uuid": b"\0"},
    {"schedule": "every day"}, {"schedule": "RRULE:" + "x" * 100_000}, {"valid_from": "yesterday"},
    {"valid_from": -1}, {"visible_to": "{"}, {"relationships": "[" * 10_000}, {"tags": 7},
    {"followers": '{"people": 7}'}, {"contents": '[{"uri": 7}]'}, {"version": -1},
    {"version": "x"}, {"follows_interval_s": -1, "follows_device": "gone"},
    {"follows_device": "\0"}, {"follows_device": "d" * 10_000}]


def edited(siege, worst):
    """Another program adds, removes and damages rows while the daemon writes."""
    found, chance = siege.found, siege.chance("edited")
    seconds, made, refused = siege.size(40, 8), 0, collections.Counter()
    with Scene(siege, "edited") as scene:
        kept = scene.place("Here")
        scene.place("Gone with its device", metres=3 * LEG_M)
        scene.do("places", "edit", "Gone with its device", "--follows", "gone")
        scene.alert("enter", "enter", "--place", "Here")
        scene.alert("outside", "outside", "--place", "Gone with its device")
        scene.settle()
        with Watch(scene.daemon) as watch, edits(scene.store) as store:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                row = {"geom": point(EAST + chance.random() / 100, latitude(AMID)),
                       "radius_m": 50, "name": "other"}
                row |= GARBAGE[int(chance.random() * len(GARBAGE))]
                made += change(store, row, kept, chance, refused)
                time.sleep(0.01)
            scene.settle()
            scene.go()
            done = scene.wait(lambda: scene.notices("command = 'done'"), 20)
        accepted = scene.daemon.status()["fixes"]["accepted"]
        stored = number(scene.store, "SELECT count(*) FROM track_points")
        worst.add(watch, scene.end())
        rows = query(scene.store, "SELECT change FROM crossings WHERE place_uuid = ?", kept)
        log = scene.daemon.text()
    found.tried(f"{made:,} edits of places by another program in {seconds} s")
    found.says(f"{accepted} fixes, {stored} points, {log.count('place-unread')} remarks about rows")
    found.check(done and rows == [("entered",)], f"edits: crossings {rows}, done {done}")
    found.check("place-unread" in log, "edits: nothing was said of rows that are garbage")
    found.check(not refused, f"edits: refused: {dict(refused)}")
    found.check(len(log) < 200_000, f"edits: {len(log):,} bytes of log")


def change(store, row, kept, chance, refused):
    """One edit, usually invalid; whether it was made."""
    names = ", ".join(row)
    try:
        if chance.random() < 0.6:
            store.execute(f"INSERT INTO places ({names}) VALUES ({', '.join('?' * len(row))})",
                          tuple(row.values()))
        elif chance.random() < 0.5:
            store.execute("DELETE FROM places WHERE uuid IS NOT ? AND id % 3 = ?",
                          (kept, int(chance.random() * 3)))
        else:
            store.execute("UPDATE places SET name = 'again' WHERE uuid IS NOT ? AND id % 5 = ?",
                          (kept, int(chance.random() * 5)))
        return True
    except sqlite3.Error as error:
        refused[str(error)] += 1
        return False


def locked(siege, worst):
    """Another program locks the store for 30 s while the board arrives at a place."""
    found, seconds = siege.found, siege.size(30, 14)
    with Scene(siege, "locked") as scene:
        scene.place("Here")
        scene.alert("enter")
        scene.settle()
        with Watch(scene.daemon) as watch:
            with contextlib.closing(sqlite3.connect(scene.store, isolation_level=None)) as store:
                store.execute("BEGIN IMMEDIATE")
                start = time.monotonic()
                scene.go()
                time.sleep(max(0, seconds - (time.monotonic() - start)))
                store.execute("ROLLBACK")
            done = scene.wait(lambda: scene.notices("command = 'done'"), 90)
            later = time.monotonic() - start - seconds
        worst.add(watch, scene.end())
        rows = query(scene.store, "SELECT change FROM crossings")
    found.tried(f"a store that is locked for {seconds} s")
    found.says(f"its crossing is stored and told {later:.1f} s later, slowest status meanwhile "
               f"{watch.worst_ms / 1000:.2f} s")
    found.check(done and rows == [("entered",)], f"lock: crossings {rows}, done {done}")
    found.check(dict(scene.told()) and set(scene.told().values()) == {1}, f"lock: {scene.told()}")
