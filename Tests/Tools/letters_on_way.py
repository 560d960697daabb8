#!/usr/bin/env python3
"""Whether a letter directly on the route is delivered, and its energy.

Usage: Tests/Tools/letters_on_way.py [GODWIT] [--seeds N] [--first SEED]

For each of N seeds (20) a trip of forty minutes through a town of square blocks, under open sky, on
foot at 5 km/h and by bicycle at 15 km/h. A letter of 20 m, to oneself, is on it, somewhere in
its second half; the same spot is tried as a place of 20 m with an alert for entering, and without
anything there. Every policy of SCHEDULES passes by with `godwit simulate --places`.

Prints for each how many of the letters were delivered and of the alerts raised, and the energy of
the receiver with the letter, with the alert and with neither, in joules a way.
"""

import argparse
import math
import os
import random
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from lives import BOARD, godwit_json, table
from peers import iso
from results import ROOT, seconds
from scoring import METRES_PER_DEGREE

START = seconds("2026-05-04T09:00:00Z")
LENGTH = 2400  # s
BLOCK = 120  # m
PACES = {"walk": 5 / 3.6, "ride": 15 / 3.6}
SCHEDULES = {
    "adaptive": ["--policy", "adaptive"],
    "adaptive, motion": ["--policy", "adaptive", "--sources", "motion"],
    "hybrid": ["--policy", "hybrid"],
    "proximity": ["--policy", "proximity"],
    "approach": ["--policy", "approach"],
    "continuous": ["--policy", "continuous"],
}
HERE = "anna"


def way(seed, speed):
    """Positions at 1 Hz, and the second at which the letter is passed."""
    chance = random.Random(seed)
    lat, lon = 48.3 + chance.uniform(-0.5, 0.5), 14.3 + chance.uniform(-0.5, 0.5)
    east, north, heading = 0.0, 0.0, chance.choice((0, 90, 180, 270))
    left = chance.uniform(0.2, 1) * BLOCK
    points = []
    for _ in range(LENGTH):
        points.append((lat + north / METRES_PER_DEGREE,
                       lon + east / METRES_PER_DEGREE / math.cos(math.radians(lat))))
        east += speed * math.sin(math.radians(heading))
        north += speed * math.cos(math.radians(heading))
        left -= speed
        if left <= 0:
            left += BLOCK
            heading += chance.choices((0, 90, -90), (2, 1, 1))[0]
    return points, chance.randrange(LENGTH // 2, LENGTH - 300)


class Trial:
    """One trip, tracked by one schedule."""

    def __init__(self, godwit, folder, seed, pace):
        self.godwit = godwit
        points, self.passing = way(seed, PACES[pace])
        self.spot = "{:.6f},{:.6f}".format(*points[self.passing])
        self.base = os.path.join(folder, f"{pace}-{seed}")
        with open(self.base + ".csv", "w") as text:
            text.write("time,lat,lon,hacc\n")
            for second, (lat, lon) in enumerate(points):
                text.write(f"{iso(START + second)},{lat:.7f},{lon:.7f},5\n")
        with open(self.base + ".toml", "w") as text:
            text.write(f'[people]\naddress = "{HERE}"\n')

    def run(self, *command):
        subprocess.run([self.godwit, *command, "--config", self.base + ".toml"], check=True,
                       capture_output=True)

    def around(self, kind):
        """A store with the letter, or with the place and its alert; None: with neither."""
        if kind == "nothing":
            return []
        store = f"{self.base}-{kind}.gpkg"
        if not os.path.exists(store):
            if kind == "letter":
                self.run("letters", "add", "--to", HERE, "--at", self.spot, "Look up",
                         "--store", store)
            else:
                self.run("places", "add", "Spot", "--at", self.spot, "--radius", "20",
                         "--store", store)
                self.run("alerts", "add", "There", "--when", "enter", "--place", "Spot",
                         "--store", store)
        return ["--places", store]

    def track(self, schedule, seed, kind):
        """Whether it was reported, and the receiver's energy."""
        store = f"{self.base}-out.gpkg"
        summary = godwit_json(
            self.godwit, "simulate", self.base + ".csv", "--seed", str(seed), *BOARD[2:],
            *SCHEDULES[schedule], *self.around(kind), "--config", self.base + ".toml",
            "--store", store, "--json")
        told = False
        if kind == "letter":
            letters = godwit_json(self.godwit, "letters", "--all", "--store", store, "--json",
                                  "--config", self.base + ".toml")
            told = any(letter["state"] == "delivered" for letter in letters)
        elif kind == "alert":
            told = bool(godwit_json(self.godwit, "alerts", "log", "--store", store, "--json"))
        os.remove(store)
        return told, summary["gnss_energy_J"]


def passed(godwit, folder, seed, pace):
    trial = Trial(godwit, folder, seed, pace)
    return {(schedule, kind): trial.track(schedule, seed, kind)
            for schedule in SCHEDULES for kind in ("letter", "alert", "nothing")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("godwit", nargs="?", default=os.path.join(ROOT, ".build/release/godwit"))
    parser.add_argument("--first", type=int, default=701)
    parser.add_argument("--seeds", type=int, default=20)
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.seeds)
    for pace in PACES:
        with tempfile.TemporaryDirectory() as folder:
            with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
                results = list(pool.map(
                    lambda seed: passed(options.godwit, folder, seed, pace), seeds))
        rows = []
        for schedule in SCHEDULES:
            row = [schedule]
            for kind in ("letter", "alert"):
                row.append(f"{sum(one[schedule, kind][0] for one in results)} of {len(results)}")
            for kind in ("letter", "alert", "nothing"):
                energy = sum(one[schedule, kind][1] for one in results) / len(results)
                row.append(f"{energy:.1f}")
            rows.append(row)
        table(f"{pace}, {len(results)} ways",
              ["letters delivered", "alerts raised", "J with the letter", "with the alert",
               "with neither"], rows)
        print()


if __name__ == "__main__":
    main()
