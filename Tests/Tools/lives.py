#!/usr/bin/env python3
"""Scores policies on synthetic lives, through the program's command line alone.

Usage: Tests/Tools/lives.py [GODWIT] [--seeds N] [--first SEED] [--lives]

F1 is given twice: over all stays, and with waits for transport neither rewarded nor punished. Who
walks to a stop, waits less than twenty minutes and rides off has not visited the stop, say the
people who labelled their own days; the program goes by that (dwell.max_transport_wait_s), the lives
count every stay.

For every life of `godwit simulate --life`, a week for each of N seeds (3): the true stays of five
minutes and more against the visits that each policy stores, matched as results.py does. Energy is
given, sources included, as the share of what continuous tracking needs on the same days. --lives
adds a table with a row for each life. The lives were made to judge by: no constant has been chosen
on them.
"""

import argparse
import json
import math
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from results import ROOT, SHORTEST, median_and_p90, score, seconds, summary_and_visits

LONGEST_WAIT = 1200
BOARD = ["--set", "power_switch.kind=virtual", "--set", "receiver.family=ubloxM8"]
PERIODIC = ["--policy", "periodic", "--set", "acquisition.first_back_off_s=300", "--set",
            "acquisition.max_back_off_s=300", "--set", "policy.periodic.interval_s=300"]
POLICIES = {
    "continuous": ["--policy", "continuous"],
    "hybrid": ["--policy", "hybrid"],
    "hybrid, network and cell": ["--policy", "hybrid", "--coarse"],
    "adaptive": ["--policy", "adaptive"],
    "adaptive, motion": ["--policy", "adaptive", "--sources", "motion"],
    "adaptive, network": ["--policy", "adaptive", "--sources", "network"],
    "adaptive, all sources": ["--policy", "adaptive", "--sources", "all"],
    "periodic, 300 s": PERIODIC,
}


class Outcome:
    """What one policy made of one life, or of several together."""

    def __init__(self):
        self.matched, self.missed, self.extra = [], 0, 0
        # Without waits for transport: found, missed, extra.
        self.visiting = [0, 0, 0]
        self.energy = self.continuous = 0.0

    def add(self, other):
        self.matched += other.matched
        self.missed += other.missed
        self.extra += other.extra
        self.visiting = [a + b for a, b in zip(self.visiting, other.visiting)]
        self.energy += other.energy
        self.continuous += other.continuous
        return self

    @property
    def f1(self):
        found = len(self.matched)
        return 2 * found / max(1, 2 * found + self.missed + self.extra)

    @property
    def f1_of_visits(self):
        found, missed, extra = self.visiting
        return 2 * found / max(1, 2 * found + missed + extra)

    def errors(self, end):
        return median_and_p90([visit[end] - stay[end] for stay, visit in self.matched])

    def row(self, title):
        stays = len(self.matched) + self.missed
        share = 100 * self.energy / self.continuous
        return (f"| {title} | {len(self.matched)} of {stays} | {self.extra} | **{self.f1:.3f}** "
                f"| {self.f1_of_visits:.3f} | {self.errors(0)} | {self.errors(1)} | {share:.1f} % |")


def waits_for_transport(truth):
    """Stays of less than twenty minutes that begin on foot and end in a vehicle."""
    def speed(last, following):
        north = (following["lat"] - last["lat"]) * 111_195
        east = (following["lon"] - last["lon"]) * 111_195 * math.cos(math.radians(last["lat"]))
        return math.hypot(north, east) / max(
            1, seconds(following["arrival"]) - seconds(last["departure"]))

    def is_wait(before, stay, after):
        length = seconds(stay["departure"]) - seconds(stay["arrival"])
        return length < LONGEST_WAIT and speed(before, stay) < 2 and speed(stay, after) > 3

    return {(seconds(stay["arrival"]), seconds(stay["departure"]))
            for before, stay, after in zip(truth, truth[1:], truth[2:])
            if is_wait(before, stay, after)}


def run(godwit, life, seed, policy):
    with tempfile.TemporaryDirectory() as folder:
        truth = os.path.join(folder, "stays.json")
        summary, visits = summary_and_visits(
            godwit,
            ["simulate", "--life", life, "--seed", str(seed), "--days", "7",
             "--truth-stays", truth, *POLICIES[policy], *BOARD], folder)
        with open(truth) as text:
            truth = json.load(text)
    stays = [(seconds(stay["arrival"]), seconds(stay["departure"])) for stay in truth]
    waits = waits_for_transport(truth)
    # Shorter ones are neither rewarded nor punished.
    long = [stay for stay in stays if stay[1] - stay[0] >= SHORTEST]
    short = [stay for stay in stays if stay[1] - stay[0] < SHORTEST]
    outcome = Outcome()
    outcome.matched, outcome.missed, outcome.extra = score(
        long, short, visits, max(stay[1] for stay in stays))
    matched, missed, extra = score(
        [stay for stay in long if stay not in waits], short + [*waits], visits,
        max(stay[1] for stay in stays))
    outcome.visiting = [len(matched), missed, extra]
    outcome.energy = summary["gnss_energy_J"] + summary["sources_energy_J"]
    return outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("godwit", nargs="?", default=os.path.join(ROOT, ".build/release/godwit"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--lives", action="store_true")
    options = parser.parse_args()
    usage = subprocess.run(
        [options.godwit, "simulate", "--life", "?", "--store", "/dev/null"],
        capture_output=True, text=True).stderr
    lives = re.search(r"there are (.*)", usage).group(1).split(", ")
    seeds = range(options.first, options.first + options.seeds)
    runs = [(life, seed, policy) for life in lives for seed in seeds for policy in POLICIES]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        outcomes = dict(zip(runs, pool.map(lambda one: run(options.godwit, *one), runs)))
    for (life, seed, policy), outcome in outcomes.items():
        outcome.continuous = outcomes[life, seed, "continuous"].energy
    heading = ("| {} | found | extra | F1 | F1 without waits | arrival median / p90 s | departure | energy |\n"
               "|---|---|---|---|---|---|---|---|")
    print(heading.format(f"policy, {len(lives)} lives x {len(seeds)} weeks"))
    total = {}
    for policy in POLICIES:
        total[policy] = Outcome()
        for life in lives:
            for seed in seeds:
                total[policy].add(outcomes[life, seed, policy])
        print(total[policy].row(policy))
    if options.lives:
        print("\n" + heading.format("life, policy"))
        for life in lives:
            for policy in POLICIES:
                one = Outcome()
                for seed in seeds:
                    one.add(outcomes[life, seed, policy])
                print(one.row(f"{life}, {policy}"))
    print(f"lives: F1 {total['hybrid'].f1:.3f} with hybrid, "
          f"{total['continuous'].f1:.3f} with continuous tracking")


if __name__ == "__main__":
    main()
