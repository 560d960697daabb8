"""kill -9 of a daemon that watches places: every crossing and every notice once."""

import collections
import datetime
import json
import time

import alerts
from daemon import Daemon, Refused
from field import area
from shuttle import (DEGREE_M, EAST, LEG_M, NEAR_M, REACH_M, STATIONS, STAY_S, Shuttle, latitude,
                     square)
from stores import integrity, query

# Every fix counts at once, also of a carrier that stops at once; data that is not urgent may be
# lost.
SETTINGS = ["policy.name=continuous", "gate.max_acceleration_mps2=1000",
            "store.commit_interval_s=900"]
def arrival(text):
    return datetime.datetime.fromisoformat(text.rstrip("Z"))


class Truth:
    """The true crossings, as far as the daemon has located the carrier there since."""

    def __init__(self, shuttle):
        self.shuttle, self.visits, self.left = shuttle, [], []
        self.known = None

    @property
    def crossings(self):
        """The count of each (change, place)."""
        return collections.Counter(
            [("entered", name) for station in self.visits for name in names(station)]
            + [("left", name) for station in self.left for name in names(station)])

    def saw(self, status):
        """Records the board's position according to the daemon, and whether it is surely at a
        station. Then the carrier moves on."""
        fix, since = status["fix"], self.shuttle.since
        if since is None or fix is None or status["fixes"]["accepted"] < 3:
            return False
        at = arrival(fix["time"])
        if abs(fix["lat"] - latitude(self.shuttle.station * LEG_M)) > 3 / DEGREE_M or at < since:
            return False
        self.known = self.known or at
        if self.shuttle.is_amid and (at - self.known).total_seconds() < STAY_S + 0.3:
            return False
        if self.shuttle.is_amid:
            self.visits.append(self.shuttle.station)
        elif len(self.left) < len(self.visits):
            self.left.append(self.visits[-1])
        self.known = None
        self.shuttle.go()
        return True


def names(station):
    return [f"{kind} {station}" for kind in REACH_M]


def furnish(siege, store):
    """Places at every second station, and alerts of all kinds about them."""
    for station in range(1, STATIONS + 1, 2):
        metres = station * LEG_M
        for kind, reach in REACH_M.items():
            if kind != "square":
                alerts.do(siege, "places", "add", f"{kind} {station}", "--at",
                          f"{latitude(metres):.7f},{EAST}", "--radius", str(reach), "--store",
                          store)
        text = json.dumps(square(f"square {station}", metres, REACH_M["square"]))
        alerts.do(siege, "places", "import", "-", "--store", store, data=text.encode())
    for kind, more in (("enter", ()), ("leave", ()), ("dwell", ("--for", str(STAY_S / 60))),
                       ("near", ("--within", str(NEAR_M)))):
        alerts.do(siege, "alerts", "add", kind, "--when", kind, "--pause", "0", *more, "--store",
                  store)


def start_outside(daemon, shuttle, found):
    """The daemon has to know from here on, over every kill, that the board is outside of all
    places."""
    with daemon.start():
        found.check(daemon.wait(lambda status: status["fixes"]["accepted"] >= 10),
                    "the daemon accepted no fixes")
    shuttle.receiver.free()


class Siegecraft:
    """The runs of the daemon, and how each of them ends."""

    def __init__(self, siege, daemon, shuttle):
        self.chance, self.daemon, self.shuttle = siege.random, daemon, shuttle
        self.truth = Truth(shuttle)
        self.early = self.aimed = 0
        self.damaged, self.lost, self.silent = [], [], []

    def live(self):
        """One run; whether the carrier was located at a station."""
        kind = self.chance.random()
        if kind < 0.15:
            self.early += 1
            self.daemon.launch()
            time.sleep(self.chance.random() * 0.15)
            return False
        self.daemon.start()
        end = time.monotonic() + 0.2 + self.chance.random() * 1.2
        self.shuttle.moment.clear()
        while time.monotonic() < end:
            try:
                if self.truth.saw(self.daemon.status()):
                    return True
            except Refused as error:
                self.silent.append(str(error))
            if kind < 0.55 and self.shuttle.moment.wait(0.02):
                self.aimed += 1
                time.sleep(self.chance.random() * 0.15)
                return False
            time.sleep(0.03)
        return False

    def kill(self, turn):
        seen = self.live()
        self.daemon.kill()
        self.shuttle.receiver.free()
        if (state := integrity(self.daemon.store)) != "ok":
            self.damaged.append(f"kill {turn}: {state}")
        if seen and (wrong := self.difference()):
            self.lost.append(f"kill {turn}: {wrong}")

    def difference(self):
        """The differences of the store from the expected contents."""
        rows = query(self.daemon.store, "SELECT change, place_name FROM crossings")
        stored, true = collections.Counter(rows), self.truth.crossings
        return "; ".join(f"{stored[one]} of {true[one]} {one[0]} {one[1]}"
                         for one in sorted({*stored, *true}) if stored[one] != true[one])

    def finish(self, store, limit_s=150):
        """Runs until the carrier is at a station and every command has been run."""
        self.daemon.start()
        end = time.monotonic() + limit_s
        # At a station between the places no more crossings can happen.
        while time.monotonic() < end:
            is_between = not self.shuttle.is_amid
            if self.truth.saw(self.daemon.status()) and is_between:
                break
            time.sleep(0.05)
        self.shuttle.stop()
        while time.monotonic() < end:
            if not query(store, "SELECT 1 FROM notices WHERE command = 'waiting' LIMIT 1"):
                break
            time.sleep(0.2)
        return self.daemon.stop()[0]


@area("alert-kill", minutes=7)
def alert_kill(siege):
    """kill -9 on the way in and out of places: every crossing and notice once"""
    found, folder = siege.found, siege.room("daemon")
    shuttle = Shuttle(siege.path("rx"))
    daemon = Daemon(siege, folder, SETTINGS, shuttle.receiver.link)
    command = alerts.Command(folder, then="sleep 0.$((GODWIT_NOTICE % 3))")
    alerts.settings(daemon, command, folder)
    socket = alerts.AlertSocket(siege, daemon.config, folder)
    with daemon:
        furnish(siege, daemon.store)
        daemon.stop()
    shuttle.receiver.free()
    start_outside(daemon, shuttle, found)
    craft, kills = Siegecraft(siege, daemon, shuttle), siege.size(300, 20)
    for turn in range(kills):
        craft.kill(turn)
    code = craft.finish(daemon.store)
    socket.stop()
    found.check(code == 0, f"ended with {code}: {daemon.tail()}")
    found.tried(f"{kills} kills, {craft.early} of them at the start and {craft.aimed} around a "
                f"crossing, {len(craft.truth.visits)} stays amid 3 places")
    judge(siege, craft, command)
    found.none("integrity failures", craft.damaged)
    found.none("unanswered requests", craft.silent)
    found.check(integrity(daemon.store) == "ok", integrity(daemon.store))
    found.check(len(craft.truth.visits) >= kills / 30, "the carrier hardly moved")


def judge(siege, craft, command):
    found, store = siege.found, craft.daemon.store
    crossings = alerts.listing(siege, store, "places", "crossings")
    notices = alerts.listing(siege, store, "alerts", "log")
    found.says(f"{sum(craft.truth.crossings.values())} true crossings, {len(crossings)} stored, "
               f"{len(notices)} notices")
    found.none("times the store did not have what was", craft.lost + [
        wrong for wrong in [craft.difference()] if wrong])
    visits = collections.Counter(
        name for station in craft.truth.visits for name in names(station))
    told = collections.Counter((one["kind"], one["place"]) for one in notices)
    found.none("notices too few or too many", [
        f"{told[kind, place]} of {count} {kind} {place}"
        for kind in ("enter", "leave", "dwell", "near") for place, count in visits.items()
        if told[kind, place] != count])
    places = {one["id"]: (one["change"], one["place"]) for one in crossings}
    changes = {"enter": "entered", "leave": "left"}
    found.none("notices of another crossing", [
        one for one in notices if one["kind"] in changes
        and places.get(one["crossing_id"]) != (changes[one["kind"]], one["place"])])
    runs = collections.Counter(command.runs())
    due = {(str(one["id"]), one["kind"], one["place"]) for one in notices}
    found.says(f"{sum(runs.values())} runs of the command")
    found.none("notices for which it was not run", sorted(due - set(runs)))
    found.none("runs for what is no notice", sorted(set(runs) - due))
    found.none("commands not done", [one for one in notices if one["command"] != "done"])
