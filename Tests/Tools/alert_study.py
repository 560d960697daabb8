#!/usr/bin/env python3
"""How well arrivals at places and departures are noticed on made-up lives, and what that costs.

Usage: Tests/Tools/alert_study.py [--godwit FILE] [--seeds FIRST COUNT] [--days N] [--radius M]
           [--sources LIST] [--policy NAME,...] [--lives NAME,...] [--json]

For every life and seed a circle is drawn round each place where the life stays, and what is noticed
there is compared with the true track (a position every 10 s) as alert_scoring.py says. GNSS on-time
is given with alerts and without. Of several policies one row each is printed, for all lives
together; "approach-alone" is Dias's by his own equations, where otherwise the daemon adds the looks
that it owes to alerts.
"""

import argparse
import json
import os
import tempfile

from alert_scoring import HEADER, Stay, distance, row, schedule, seconds, simulated, summary

LIVES = [
    "city-resident", "commuter", "night-nurse", "school-run", "pensioner", "parcel-driver",
    "long-distance-driver", "hiker", "sailor", "stolen-bicycle"]


def places_of(stays, radius):
    """One circle for each name; of places that lie together the first."""
    places = {}
    for stay in stays:
        at = (stay["lat"], stay["lon"])
        if stay["name"] not in places and all(
                distance(at, other) > 2 * radius for other in places.values()):
            places[stay["name"]] = at
    return places


def measure(arguments, policy, life, seed, folder):
    true_stays = os.path.join(folder, "stays.json")
    truth = ["--life", life, "--days", str(arguments.days), "--seed", str(seed)]

    def stays_of(_):
        with open(true_stays) as file:
            stays = json.load(file)
        return places_of(stays, arguments.radius), [
            Stay(stay["name"], seconds(stay["arrival"]), seconds(stay["departure"]))
            for stay in stays]

    return simulated(
        arguments.godwit, truth, schedule(policy, arguments.sources), arguments.radius, folder,
        stays_of, truth_files=["--truth-stays", true_stays])


def measure_lives(arguments, policy, seeds):
    """A summary for each life, and for all of them."""
    lives = {}
    for life in arguments.lives.split(","):
        lives[life] = []
        for seed in seeds:
            with tempfile.TemporaryDirectory() as folder:
                lives[life].append(measure(arguments, policy, life, seed, folder))
    totals = {life: summary(results) for life, results in lives.items()}
    totals["all"] = summary([r for results in lives.values() for r in results])
    return totals


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--godwit", default=".build/release/godwit")
    parser.add_argument("--seeds", nargs=2, type=int, default=[901, 3], metavar=("FIRST", "COUNT"))
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--radius", type=float, default=100)
    parser.add_argument("--sources", default="none")
    parser.add_argument("--policy", default="")
    parser.add_argument("--lives", default=",".join(LIVES))
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    first, count = arguments.seeds
    policies = arguments.policy.split(",")
    totals = {}
    for policy in policies:
        found = measure_lives(arguments, policy, range(first, first + count))
        totals.update({policy: found["all"]} if len(policies) > 1 else found)
    if arguments.json:
        print(json.dumps(totals, indent=2))
        return
    print(f"sources {arguments.sources}, policy {', '.join(policies) or 'adaptive'}, circles of "
          f"{arguments.radius:.0f} m, seeds {first} to {first + count - 1}, {arguments.days} days")
    print(f"| {'policy' if len(policies) > 1 else 'life'} | {HEADER}")
    for name, total in totals.items():
        print(row(name, total))


if __name__ == "__main__":
    main()
