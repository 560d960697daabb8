#!/usr/bin/env python3
"""A routine day as the author of Algorithm 1 had one, simulated with each policy.

Usage: Tests/Tools/routine_day.py [GODWIT] [--seeds N] [--first SEED] [--days N]

Stylianou, "Efficient Spatial Tracking for iOS Devices", names the destinations of his routine
day, home, work and a friend's house, and no more: neither ways nor times nor means of travel. The
rest is made up here, for each seed another town: home until about half past seven, by car to work,
5 to 12 km away, until about half past four, by car to the friend, 2 to 6 km from home, for one and
a half to three hours, and home. The car is a minute's walk away, waits at lights, and sees the sky
between houses, in the middle of longer ways the open one; houses are roofs. It is a trace at 1 Hz,
DAYS (5) days in a row for each of N seeds (6, from 9201 on), which every policy of SCHEDULES tracks
with `godwit simulate`.

Prints found stays (matched as results.py does), all and without the first night, through which the
receiver has not had a fix yet; found destinations (a stored one within 100 m of each place; others,
and second ones of a place, are extra); the stored route against the true one under way, every 10 s,
as scoring.py says; the kilometres of the listed trips, each town's beside the true ones' as well,
as a mean of errors hides those that cancel; and the energy of receiver and sources: by the hour as
a share of the 5.25 Wh of an iPhone 4's battery, alone and with a board that idles at BOARDS. A
Raspberry Pi Zero 2 W idles at 600 mW, tuned below 375 mW; others have measured that (CNX Software,
Otii), the simulation knows nothing of boards.

As in the paper's figures, significant-change locations alone and GNSS alone stand beside it: the
first is `hybrid` with a timer that never ends within a day, the other `continuous`.
"""

import argparse
import json
import math
import os
import random
import statistics
import tempfile
from concurrent.futures import ThreadPoolExecutor

from lives import BOARD, godwit_json, numbers, table
from peers import iso
from results import ROOT, SHORTEST, score, seconds
from scoring import METRES_PER_DEGREE, Outcome, Route, apart

BATTERY = 5.25 * 3600  # J
BOARDS = {"with an idle Pi Zero 2 W, 600 mW": 0.600, "tuned, 375 mW": 0.375}
START = seconds("2026-05-04T00:00:00Z")
DAY = 86400
NEAR = 100  # m
COARSE = ["--policy", "hybrid", "--sources", "network,cell"]
PAPER = {"swap_after_s": 120, "travelled_m": 100}


def hybrid(**constants):
    return COARSE + [word for name, value in constants.items()
                     for word in ("--set", f"policy.hybrid.{name}={value}")]


SCHEDULES = {
    "SLU alone, network,cell": hybrid(swap_after_s=DAY),
    "hybrid, network,cell, the paper's constants": hybrid(**PAPER),
    "hybrid, network,cell": COARSE,
    "hybrid": ["--policy", "hybrid"],
    "adaptive, network,cell": ["--policy", "adaptive", "--sources", "network,cell"],
    "adaptive": ["--policy", "adaptive"],
    "adaptive, motion": ["--policy", "adaptive", "--sources", "motion"],
    "continuous": ["--policy", "continuous"],
}
# The reception that a trace's hacc implies.
OPEN, STREET, INDOORS = 5, 50, 200
COLUMNS = ["stays found / missed / extra", "after the first night", "destinations found, extra",
           "arrival s", "departure s", "route median / p95 m", "trips km, of true km",
           "towns' km, off by, median / most", "GNSS on", "J/day", "receiver and sources, %/h",
           *BOARDS]


class Town:
    """The places of one seed, in metres east and north of the first."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.lat, self.lon = 35.16 + self.chance.uniform(-0.5, 0.5), 33.36
        self.places = {"home": (0.0, 0.0), "work": self.away(5000, 12000),
                       "friend": self.away(2000, 6000)}

    def away(self, least, most):
        length, angle = self.chance.uniform(least, most), self.chance.uniform(0, 2 * math.pi)
        return length * math.cos(angle), length * math.sin(angle)

    def coordinate(self, east, north):
        return (self.lat + north / METRES_PER_DEGREE,
                self.lon + east / METRES_PER_DEGREE / math.cos(math.radians(self.lat)))


class Days:
    """Positions at 1 Hz: (east, north, reception), and the stays."""

    def __init__(self, town):
        self.town, self.rows, self.stays = town, [], []

    def stay(self, name, until):
        place = self.town.places[name]
        first = len(self.rows)
        self.rows += [(*place, INDOORS)] * (until - first)
        self.stays.append((name, START + first, START + len(self.rows) - 1))

    def line(self, end, speed, sky):
        """Straight on at a speed, m/s."""
        east, north, _ = self.rows[-1]
        length = math.hypot(end[0] - east, end[1] - north)
        steps = max(1, round(length / speed))
        for step in range(1, steps + 1):
            at = step / steps
            self.rows.append((east + (end[0] - east) * at, north + (end[1] - north) * at, sky))

    def drive(self, name):
        """To the car, along two streets at a right angle with lights every 600 m, to the door."""
        chance = self.town.chance
        east, north, _ = self.rows[-1]
        goal = self.town.places[name]
        parked = (east + chance.uniform(30, 80), north + chance.uniform(30, 80))
        stopped = (goal[0] - chance.uniform(30, 80), goal[1] + chance.uniform(30, 80))
        self.line(parked, 1.3, STREET)
        self.rows += [(*parked, STREET)] * 30
        for start, end in ((parked, (stopped[0], parked[1])), ((stopped[0], parked[1]), stopped)):
            length = math.hypot(end[0] - start[0], end[1] - start[1])
            count = max(1, round(length / 600))
            for number in range(1, count + 1):
                is_middle = count > 4 and 2 <= number < count - 1
                self.line((start[0] + (end[0] - start[0]) * number / count,
                           start[1] + (end[1] - start[1]) * number / count),
                          20 if is_middle else 11, OPEN if is_middle else STREET)
                if chance.random() < 0.4:
                    self.rows += [(*self.rows[-1][:2], STREET)] * chance.randint(10, 60)
        self.rows += [(*stopped, STREET)] * 20
        self.line(goal, 1.3, STREET)

    def way(self):
        """Every tenth second under way: (seconds, latitude, longitude)."""
        stays = iter(self.stays)
        _, start, end = next(stays)
        for second in range(0, len(self.rows), 10):
            if START + second > end:
                _, start, end = next(stays)
            if START + second < start:
                yield (START + second, *self.town.coordinate(*self.rows[second][:2]))

    @property
    def kilometres(self):
        return sum(math.dist(one[:2], other[:2])
                   for one, other in zip(self.rows, self.rows[1:])) / 1000

    def write(self, path):
        with open(path, "w") as text:
            text.write("time,lat,lon,hacc\n")
            for second, (east, north, sky) in enumerate(self.rows):
                lat, lon = self.town.coordinate(east, north)
                text.write(f"{iso(START + second)},{lat:.7f},{lon:.7f},{sky}\n")


def routine(seed, count):
    town = Town(seed)
    chance = town.chance
    days = Days(town)
    for day in range(count):
        days.stay("home", day * DAY + round(7.5 * 3600 + chance.gauss(0, 600)))
        days.drive("work")
        days.stay("work", day * DAY + round(16.5 * 3600 + chance.gauss(0, 900)))
        days.drive("friend")
        days.stay("friend", len(days.rows) + round(chance.uniform(1.5, 3) * 3600))
        days.drive("home")
    days.stay("home", count * DAY)
    return days


class Result:
    def __init__(self):
        self.outcome, self.later = Outcome(), Outcome()
        self.energy = self.on = self.duration = 0.0
        # Kilometres reported and true, of each town.
        self.distances = []
        self.destinations = self.wanted = self.extra = 0

    def add(self, other):
        self.outcome.add(other.outcome)
        self.later.add(other.later)
        for name in ("energy", "on", "duration", "destinations", "wanted", "extra", "distances"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    def cells(self):
        hours = self.duration / 3600

        def share(board=0.0):
            return f"{100 * (self.energy / hours + board * 3600) / BATTERY:.{2 if board else 3}f}"

        def counts(outcome):
            return numbers(len(outcome.matched), len(outcome.missed), outcome.extra)

        off = [abs(told / true - 1) for told, true in self.distances]
        return [counts(self.outcome), counts(self.later),
                f"{self.destinations} of {self.wanted}, {self.extra}",
                numbers(*self.outcome.timing(0)), numbers(*self.outcome.timing(1)),
                numbers(self.outcome.route_median, self.outcome.route_p95),
                "{:.0f} of {:.0f}".format(*map(sum, zip(*self.distances))),
                f"{100 * statistics.median(off):.0f} / {100 * max(off):.0f} %",
                f"{100 * self.on / self.duration:.1f} %", f"{24 * self.energy / hours:.0f}",
                share(), *map(share, BOARDS.values())]


def track(godwit, seed, days, folder):
    """The results of each schedule on the days of one seed."""
    trace = os.path.join(folder, f"{seed}.csv")
    days.write(trace)
    places = [days.town.coordinate(*place) for place in days.town.places.values()]
    stays = [(start, end) for _, start, end in days.stays if end - start >= SHORTEST]
    way = list(days.way())
    results = {}
    for name, options in SCHEDULES.items():
        store = os.path.join(folder, f"{seed}.gpkg")
        summary = godwit_json(godwit, "simulate", trace, "--seed", str(seed), *BOARD[2:], *options,
                              "--store", store, "--json")
        visits, stored, points, trips = (
            godwit_json(godwit, listing, "--store", store, "--json")
            for listing in ("visits", "destinations", "track", "trips"))
        result = results[name] = Result()
        for outcome, scored, unscored in ((result.outcome, stays, []),
                                          (result.later, stays[1:], stays[:1])):
            outcome.matched, missed, extra = score(
                scored, unscored, visits, START + len(days.rows) - 1)
            outcome.extra = len(extra)
            outcome.missed = [None] * missed
        result.outcome.route = sorted(Route(
            [(seconds(point["time"]), point["lat"], point["lon"]) for point in points]).errors(way))
        result.distances = [(sum(trip["distance_m"] for trip in trips) / 1000, days.kilometres)]
        near = [{place for place in places if apart(one["lat"], one["lon"], *place) <= NEAR}
                for one in stored]
        result.wanted = len(places)
        result.destinations = len(set().union(*near))
        result.extra = len(stored) - result.destinations
        result.energy = summary["gnss_energy_J"] + summary["sources_energy_J"]
        result.on, result.duration = summary["gnss_on_s"], summary["duration_s"]
        os.remove(store)
    os.remove(trace)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("godwit", nargs="?", default=os.path.join(ROOT, ".build/release/godwit"))
    parser.add_argument("--first", type=int, default=9201)
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--days", type=int, default=5)
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.seeds)
    with tempfile.TemporaryDirectory() as folder:
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            results = list(pool.map(
                lambda seed: track(options.godwit, seed, routine(seed, options.days), folder),
                seeds))
    total = {name: Result() for name in SCHEDULES}
    for result in results:
        for name in SCHEDULES:
            total[name].add(result[name])
    table(f"{options.seeds} towns x {options.days} routine days", COLUMNS,
          [[name, *total[name].cells()] for name in SCHEDULES])
    first = total["hybrid, network,cell"]
    print(f"\nroutine_day: hybrid with network and cell found {len(first.outcome.matched)} of "
          f"{len(first.outcome.matched) + len(first.outcome.missed)} stays")


if __name__ == "__main__":
    main()
