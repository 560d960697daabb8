#!/usr/bin/env python3
"""How well arrivals at places and departures are noticed on made-up lives, and what that costs.

Usage: Tests/Tools/alert_study.py [GODWIT] [--seeds FIRST COUNT] [--days N] [--radius M]
           [--sources LIST] [--policy NAME,...] [--lives NAME,...] [--json]
       Tests/Tools/alert_study.py --costs [--before FILE] [the same options]

For every life and seed a circle is drawn round each place where the life stays, and what is noticed
there is compared with the true track (a position every 10 s) as alert_scoring.py says. GNSS on-time
is given with alerts and without. Of several policies one row each is printed, for all lives
together; "approach-alone" is Dias's by his own equations, where otherwise the daemon adds fix
attempts for alerts.

With --costs it is what a day takes without and with some alerts: energy, GNSS on-time, track
points, what the store grows to, OwnTracks' bytes, and how good track and stays are. The home of
each life is a circle of 100 m. Figures are means over the lives and seeds, with the interval that
holds the mean with 95 % (a bootstrap over lives, and over the seeds within them). `--before` is another build of the program, for a second line each.
"""

import argparse
import json
import os
import random
import sqlite3
import statistics
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from alert_scoring import (
    HEADER, Stay, distance, row, run, schedule, seconds, simulated, summary)

LIVES = [
    "city-resident", "commuter", "night-nurse", "school-run", "pensioner", "parcel-driver",
    "long-distance-driver", "hiker", "sailor", "stolen-bicycle"]

# The energy of a receiver without a switch is the same under every policy.
ALWAYS_ON = "always on"
COST_POLICIES = f"adaptive,hybrid,continuous,{ALWAYS_ON}"
# Measured with TLS, without a connection's own part (docs/results/uplink.md).
MESSAGE_BYTES = 190
# 890 km from every life.
FAR_DEGREES = 8
# The alerts on each set of places.
ALERTS = {
    "none": [],
    "enter a place far away": [["--when", "enter", "--place", "Far"]],
    "enter and leave home": [
        ["--when", "enter", "--place", "Home"], ["--when", "leave", "--place", "Home"]],
    "leave home, but outside its schedule": [
        ["--when", "leave", "--place", "Home", "--on", "su"]],
}
COSTS = ["J", "GNSS on, s", "track points", "store, kB", "OwnTracks, kB", "route error, mean, m",
         "stays found, F1"]
DIGITS = [0, 0, 0, 0, 1, 1, 3]


def places_of(stays, radius):
    """One circle for each name; of places close together the first."""
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


def day_costs(godwit, policy, sources, truth, store, alerts):
    """The costs of one day, in the order of COSTS. `store` has the places and alerts; None:
    none."""
    options = schedule(policy, sources)
    if policy == ALWAYS_ON:
        options = schedule("", sources) + ["--set", "power_switch.kind=none"]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "day.gpkg")
        given = ["--places", store] if alerts else []
        day = json.loads(run(
            godwit, "simulate", *truth, *options, *given, "--json", "--score", "--store", path))
        with closing(sqlite3.connect(path)) as day_store:
            points, crossings = (
                day_store.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in ("track_points", "crossings"))
        size = os.path.getsize(path)
    return [day["energy_J"], day["gnss_on_s"], points, size / 1000,
            (points + crossings) * MESSAGE_BYTES / 1000, day["route_error_mean_m"],
            day["visit_f1"]]


def costs_of_life(programs, arguments, policies, life, seed):
    """{(policy, alerts, program): costs}"""
    truth = ["--life", life, "--days", "1", "--seed", str(seed)]
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        stays, store = os.path.join(folder, "stays.json"), os.path.join(folder, "alerts.gpkg")
        for name, alerts in ALERTS.items():
            # The program that is compared cannot read a store of a newer version.
            godwit = programs[0]
            for file in (stays, store):
                if os.path.exists(file):
                    os.remove(file)
            run(godwit, "simulate", *truth, "--policy", "periodic", "--set",
                "policy.periodic.interval_s=86400", "--store", store, "--truth-stays", stays)
            with open(stays) as file:
                home = json.load(file)[0]
            far = home["lat"] + FAR_DEGREES
            for place, latitude in (("Home", home["lat"]), ("Far", far)):
                run(godwit, "places", "add", place, f"--at={latitude},{home['lon']}",
                    "--radius", f"{arguments.radius:.0f}", "--store", store)
            for number, words in enumerate(alerts):
                run(godwit, "alerts", "add", f"alert {number}", *words, "--store", store)
            for policy in policies:
                for program in programs:
                    found[policy, name, program] = day_costs(
                        program, policy, arguments.sources, truth, store, alerts)
    return found


def interval(lives, digits):
    """The mean of the lives' means, and its 95 % interval."""
    chance = random.Random(1)
    lives = [[value for value in values if value is not None] for values in lives]
    lives = [values for values in lives if values]

    def mean(chosen):
        return statistics.fmean(statistics.fmean(values) for values in chosen)

    def drawn(values):
        return chance.choices(values, k=len(values))

    means = sorted(mean([drawn(values) for values in drawn(lives)]) for _ in range(2000))
    return f"{mean(lives):,.{digits}f} ({means[50]:,.{digits}f}..{means[1949]:,.{digits}f})"


def print_costs(arguments, seeds):
    policies = (arguments.policy or COST_POLICIES).split(",")
    programs = [one for one in (arguments.before, arguments.godwit) if one]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        lives = [
            [pool.submit(costs_of_life, programs, arguments, policies, life, seed) for seed in seeds]
            for life in arguments.lives.split(",")]
        lives = [[day.result() for day in life] for life in lives]
    print(f"one day, sources {arguments.sources}, lives {arguments.lives}, "
          f"seeds {seeds[0]} to {seeds[-1]}")
    print(f"| schedule | alerts | program | {' | '.join(COSTS)} |\n|{'---|' * (len(COSTS) + 3)}")
    for policy in policies:
        for name in ALERTS:
            for program in programs:
                word = "before" if program == arguments.before else "now"
                figures = [
                    interval([[day[policy, name, program][index] for day in life]
                              for life in lives], digits)
                    for index, digits in enumerate(DIGITS)]
                print(f"| {policy} | {name} | {word} | {' | '.join(figures)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("godwit", nargs="?", default=".build/release/godwit")
    parser.add_argument("--seeds", nargs=2, type=int, default=[901, 3], metavar=("FIRST", "COUNT"))
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--radius", type=float, default=100)
    parser.add_argument("--sources", default="none")
    parser.add_argument("--policy", default="")
    parser.add_argument("--lives", default=",".join(LIVES))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--costs", action="store_true")
    parser.add_argument("--before")
    arguments = parser.parse_args()
    first, count = arguments.seeds
    if arguments.costs:
        return print_costs(arguments, range(first, first + count))
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
