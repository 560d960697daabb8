#!/usr/bin/env python3
"""Scores schedules on synthetic lives, through the program's command line alone.

Usage: Tests/Tools/lives.py [GODWIT] [--seeds N] [--first SEED] [--lives [NAME,...]]
         [--schedules NAME,...] [--jobs N]

For every life of `godwit simulate --life`, a week for each of N seeds (3), and for it each policy
with no source, with each source and with all: the true stays of five minutes and more against the
stored visits, matched as results.py does (5-15 min: found of the stays that short; arrivals and
departures: median / p90 of their errors); the stored route against the true one under way, every
10 s, as scoring.py says; the energy, sources included, as the share of what continuous tracking
needs on the same days, and as a multiple of the bounds of `--bound`. Then the places: F1 where a
visit has found a stay only if it is also within 100 or 50 m of it, the destinations for the true
places, and how often the true place is within accuracy_m. Then the bounds of arrivals and
departures, the confidences, and the differences between schedules. Then each life in short, the
aims, and the worst lives. --lives adds a table for each life, or for the named ones alone.
--schedules: only these, as "adaptive" or "adaptive+motion". --jobs: weeks at once.

± is half of the 95 % interval over the lives: Student's t times the jackknife's standard error. A
difference is one of pairs: both schedules had the same weeks.

F1 is given twice: over all stays, and with waits for transport neither rewarded nor punished. Who
walks to a stop, waits less than twenty minutes and rides off has not visited the stop, say the
people who labelled their own days; the program goes by that (dwell.max_transport_wait_s), the lives
count every stay. The lives were made to judge by: no constant has been chosen on them.
"""

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor

from results import ROOT, seconds
from scoring import Outcome, TrueStays, percentile, true_way

BOARD = ["--days", "7", "--set", "power_switch.kind=virtual", "--set", "receiver.family=ubloxM8"]
POLICIES = ("continuous", "hybrid", "adaptive")
SOURCES = ("none", "motion", "network", "wifi", "cell", "network,cell", "all")
PERIODIC = ["--policy", "periodic", "--set", "acquisition.first_back_off_s=300", "--set",
            "acquisition.max_back_off_s=300", "--set", "policy.periodic.interval_s=300"]
# (policy, sources) -> options
SCHEDULES = {
    (policy, sources): ["--policy", policy, "--sources", sources]
    for policy in POLICIES for sources in SOURCES
    # Both coarse sources together matter to the paper's policy, which was made for them.
    if sources != "network,cell" or policy == "hybrid"
}
SCHEDULES["periodic, 300 s", "none"] = PERIODIC
REFERENCE = ("continuous", "none")
DEFAULT = ("adaptive", "none")

# The aims: F1, share of the energy, median and p90 of arrival and departure (s), F1 in every life,
# p95 of the route (m) in every life, all of it and under open sky, multiple of the perfect-motion
# bound.
AIMS = {
    ("continuous", "none"): dict(f1=0.99),
    ("hybrid", "network,cell"): dict(f1=0.90, energy=0.04),
    ("adaptive", "none"): dict(f1=0.85, energy=0.03, median=180, p90=900, life=0.65),
    ("adaptive", "motion"): dict(
        f1=0.98, energy=0.01, median=60, p90=300, life=0.80, route=100, seen=100,
        bound=1.5),
    ("adaptive", "network"): dict(f1=0.95, energy=0.02, median=60, p90=300, life=0.80),
    ("adaptive", "wifi"): dict(f1=0.95, energy=0.02, median=60, p90=300, life=0.80),
}

COLUMNS = ["found / missed / extra", "F1", "without waits", "5-15 min", "longer", "arrival s",
           "departure s", "route mean / median / p95 m", "p95 under a sky", "energy",
           "x clairvoyant / x perfect motion"]


PLACES = ["F1 in time", "within 100 m", "within 50 m", "destinations / places",
          "off, median / p90 m", "truth within accuracy_m, %", "within twice that, %"]
BOUNDS = ["arrivals within bounds, %", "median width s", "departures within bounds, %",
          "median width s", "confidence: mean, right (visits) of each fifth"]
# Of Student's t, for 1, 2, 3... degrees of freedom.
T_975 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]


def sums(lives):
    """All outcomes together, and without each of them in turn."""
    return together(lives), [
        together(lives[:one] + lives[one + 1:]) for one in range(len(lives)) if len(lives) > 1]


def plus_minus(value, without, digits=3):
    """A value, and half of its 95 % interval over the lives (the jackknife)."""
    text = number(value, digits)
    if not without:
        return text
    count, mean = len(without), statistics.mean(without)
    error = math.sqrt((count - 1) / count * sum((one - mean) ** 2 for one in without))
    return f"{text} ± {number(T_975[min(count - 1, len(T_975)) - 1] * error, digits)}"


def over_lives(figure, lives, digits=3):
    """lives: as sums gives them."""
    whole, without = lives
    return plus_minus(figure(whole), [figure(one) for one in without], digits)


def places(lives):
    claims = lives[0].claims
    return [over_lives(lambda one: one.f1, lives),
            over_lives(lambda one: one.f1_within(100), lives),
            over_lives(lambda one: one.f1_within(50), lives),
            f"{claims.destinations} / {claims.places}",
            numbers(*(percentile(sorted(claims.distances), share) for share in (0.5, 0.9))),
            over_lives(lambda one: 100 * one.claims.within(1), lives, 0),
            over_lives(lambda one: 100 * one.claims.within(2), lives, 0)]


def bounds(lives):
    claims = lives[0].claims
    return [part for end in (0, 1)
            for part in (over_lives(lambda one, end=end: 100 * one.claims.holding(end), lives, 1),
                         number(claims.width(end)))] + [
        "; ".join(f"{mean:.2f}, {right:.2f} ({count})" for count, mean, right in claims.classes())]


def differences(lives, first):
    """How much better they are than the first ones, in pairs."""
    figures = ((lambda one: one.f1, 3), (lambda one: one.f1_within(100), 3),
               (lambda one: 100 * one.energy_share, 2))
    return [plus_minus(figure(lives[0]) - figure(first[0]),
                       [figure(one) - figure(other) for one, other in zip(lives[1], first[1])],
                       digits)
            for figure, digits in figures]


def number(value, digits=0):
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def numbers(*values, digits=0):
    return " / ".join(number(value, digits) for value in values)


def cells(outcome):
    def of(is_short):
        return "{} of {}".format(*outcome.found_of(is_short))

    return [numbers(len(outcome.matched), len(outcome.missed), outcome.extra),
            f"**{outcome.f1:.3f}**", f"{outcome.f1_of_visits:.3f}", of(True), of(False),
            numbers(*outcome.timing(0)), numbers(*outcome.timing(1)),
            numbers(outcome.route_mean, outcome.route_median, outcome.route_p95),
            number(outcome.route_p95_under_sky), f"{100 * outcome.energy_share:.1f} %",
            numbers(outcome.energy / outcome.clairvoyant, outcome.energy / outcome.perfect_motion,
                    digits=1)]


def table(title, columns, rows):
    print(f"\n| {title} | {' | '.join(columns)} |")
    print("|---" * (len(columns) + 1) + "|")
    for name, *row in rows:
        print(f"| {name} | {' | '.join(map(str, row))} |")


def title(schedule):
    policy, sources = schedule
    return policy if sources == "none" else f"{policy}, {sources}"


def godwit_json(*command):
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def week(godwit, schedules, life, seed):
    """The outcome of every schedule on one week. All have the same truth and the same bounds."""
    outcomes = {}
    with tempfile.TemporaryDirectory() as folder:
        stays, track = (os.path.join(folder, name) for name in ("stays.json", "track.csv"))
        truth = ["--truth-stays", stays, "--truth-track", track, "--bound"]
        for schedule in sorted(schedules, key=lambda one: one != REFERENCE):
            store = os.path.join(folder, "store.gpkg")
            summary = godwit_json(
                godwit, "simulate", "--life", life, "--seed", str(seed), *BOARD,
                *SCHEDULES[schedule], *truth, "--store", store, "--json")
            if truth:
                with open(stays) as text:
                    true_stays, way = TrueStays(json.load(text)), true_way(track)
                reference, truth = summary, []
            visits, points = (
                godwit_json(godwit, listing, "--store", store, "--json")
                for listing in ("visits", "track"))
            outcome = Outcome.of(
                true_stays, visits, way,
                [(seconds(point["time"]), point["lat"], point["lon"]) for point in points])
            outcome.energy = summary["gnss_energy_J"] + summary["sources_energy_J"]
            outcome.continuous = reference["gnss_energy_J"] + reference["sources_energy_J"]
            outcome.clairvoyant = reference["bound_clairvoyant_J"]
            outcome.perfect_motion = reference["bound_perfect_motion_J"]
            outcomes[schedule] = outcome
            os.remove(store)
    return outcomes


def together(outcomes):
    total = Outcome()
    for outcome in outcomes:
        total.add(outcome)
    return total


def aims(total, by_life):
    """A row for each aim: the aim, the result, and the life that is farthest from it."""
    rows = []
    for schedule, aim in AIMS.items():
        lives = by_life[schedule]
        worst = min(lives, key=lambda life: lives[life].f1)
        longest = max(lives, key=lambda life: lives[life].route_p95)
        seen = max(lives, key=lambda life: lives[life].route_p95_under_sky)
        outcome = total[schedule]
        times = [outcome.timing(end) for end in (0, 1)]
        facts = {
            "f1": ("F1 at least", 3, outcome.f1, worst),
            "energy": ("energy, % of continuous, at most", 2, outcome.energy_share, ""),
            "median": ("arrival and departure, median s, at most", 0,
                       max(time[0] for time in times), ""),
            "p90": ("arrival and departure, p90 s, at most", 0, max(time[1] for time in times), ""),
            "life": ("F1 of every life at least", 3, lives[worst].f1, worst),
            "route": ("route p95 of every life, m, at most", 0, lives[longest].route_p95, longest),
            "seen": ("the same under a sky", 0, lives[seen].route_p95_under_sky, seen),
            "bound": ("multiple of the perfect-motion bound at most", 1,
                      outcome.energy / outcome.perfect_motion, ""),
        }
        for name, wanted in aim.items():
            words, digits, value, life = facts[name]
            is_met = value >= wanted if name in ("f1", "life") else value <= wanted
            scale = 100 if name == "energy" else 1
            rows.append([title(schedule), words, f"{wanted * scale:g}",
                         number(value * scale, digits), "met" if is_met else "missed", life])
    return rows


def overview(by_life):
    """A row for each life, the worst without a source first."""
    schedules = [*AIMS, ("adaptive", "all")]

    def cell(outcome):
        return (f"{outcome.f1:.2f} at {100 * outcome.energy_share:.1f} %, "
                f"{number(outcome.route_p95)} m")

    sourceless = by_life["adaptive", "none"]
    lives = sorted(sourceless, key=lambda life: sourceless[life].f1)
    table("life: F1 at the energy, route p95", [title(schedule) for schedule in schedules],
          [[life, *(cell(by_life[schedule][life]) for schedule in schedules)] for life in lives])


def worst(by_life, count=6):
    """The lives with the lowest scores of the policy in question, for stays and for the route."""
    all_of_it = [(life, schedule, outcome) for schedule, lives in by_life.items()
                 for life, outcome in lives.items() if schedule[0] == "adaptive"]
    by_f1 = sorted(all_of_it, key=lambda one: one[2].f1)[:count]
    by_route = sorted(all_of_it, key=lambda one: -one[2].route_p95_under_sky)[:count]
    for name, rows in (("lowest F1", by_f1), ("longest route p95 under a sky", by_route)):
        table(f"{name} with adaptive", COLUMNS,
              [[f"{life}, {schedule[1]}", *cells(outcome)] for life, schedule, outcome in rows])


def report(lives, seeds, outcomes, with_lives):
    """outcomes: by (life, seed), then by schedule."""
    by_life = {
        schedule: {life: together(outcomes[life, seed][schedule] for seed in seeds)
                   for life in lives}
        for schedule in outcomes[lives[0], seeds[0]]}
    total = {schedule: together(by_life[schedule].values()) for schedule in by_life}
    table(f"{len(lives)} lives x {len(seeds)} weeks, seeds {seeds[0]} to {seeds[-1]}", COLUMNS,
          [[title(schedule), *cells(total[schedule])] for schedule in by_life])
    over = {schedule: sums(list(by_life[schedule].values())) for schedule in by_life}
    table("places", PLACES, [[title(one), *places(over[one])] for one in over])
    table("bounds", BOUNDS, [[title(one), *bounds(over[one])] for one in over])
    first = DEFAULT if DEFAULT in over else next(iter(over))
    table(f"difference from {title(first)}",
          ["F1 in time", "F1 within 100 m", "energy, % of continuous"],
          [[title(one), *differences(over[one], over[first])] for one in over if one != first])
    if len(by_life) < len(SCHEDULES):
        return
    overview(by_life)
    if with_lives:
        for life in lives:
            table(life, COLUMNS,
                  [[title(schedule), *cells(by_life[schedule][life])] for schedule in SCHEDULES])
    table("aim of", ["what", "aim", "is", "", "worst life"], aims(total, by_life))
    worst(by_life)
    print(f"\nlives: F1 {total['adaptive', 'none'].f1:.3f} with adaptive, "
          f"{total['adaptive', 'motion'].f1:.3f} with adaptive and motion, "
          f"{total['hybrid', 'none'].f1:.3f} with hybrid, "
          f"{total[REFERENCE].f1:.3f} with continuous tracking")


def chosen(names):
    """The schedules of these names, and the one whose energy the others' are compared with."""
    if names is None:
        return list(SCHEDULES)
    wanted = {tuple((name.split("+", 1) + ["none"])[:2]) for name in names.split(",")}
    if unknown := wanted - set(SCHEDULES):
        sys.exit(f"lives: there is no schedule {unknown}; there are {list(SCHEDULES)}")
    return [one for one in SCHEDULES if one in wanted | {REFERENCE}]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("godwit", nargs="?", default=os.path.join(ROOT, ".build/release/godwit"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--lives", nargs="?", const="", metavar="NAME,...")
    parser.add_argument("--schedules", metavar="NAME,...")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    usage = subprocess.run(
        [options.godwit, "simulate", "--life", "?", "--store", "/dev/null"],
        capture_output=True, text=True).stderr
    lives = re.search(r"there are (.*)", usage).group(1).split(", ")
    if options.lives:
        unknown = set(options.lives.split(",")) - set(lives)
        if unknown:
            sys.exit(f"lives: there is no {', '.join(sorted(unknown))}; there are {usage}")
        lives = options.lives.split(",")
    schedules = chosen(options.schedules)
    seeds = range(options.first, options.first + options.seeds)
    weeks = [(life, seed) for life in lives for seed in seeds]
    with ProcessPoolExecutor(max_workers=options.jobs) as pool:
        done = pool.map(
            week, [options.godwit] * len(weeks), [schedules] * len(weeks), *zip(*weeks))
        outcomes = dict(zip(weeks, done))
    report(lives, seeds, outcomes, options.lives is not None)


if __name__ == "__main__":
    main()
