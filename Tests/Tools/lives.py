#!/usr/bin/env python3
"""Scores policies on synthetic lives, through the program's command line alone.

Usage: Tests/Tools/lives.py [GODWIT] [--seeds N] [--first SEED] [--lives]

For every life of `godwit simulate --life`, a week for each of N seeds (3): the true stays of five
minutes and more against the visits that each policy stores, matched as results.py does. Energy is
given, sources included, as the share of what continuous tracking needs on the same days. --lives
adds a table with a row for each life. The lives were made to judge by: no constant has been chosen
on them.
"""

import argparse
import json
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from results import ROOT, SHORTEST, median_and_p90, score, seconds, summary_and_visits

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
        self.energy = self.continuous = 0.0

    def add(self, other):
        self.matched += other.matched
        self.missed += other.missed
        self.extra += other.extra
        self.energy += other.energy
        self.continuous += other.continuous
        return self

    @property
    def f1(self):
        found = len(self.matched)
        return 2 * found / max(1, 2 * found + self.missed + self.extra)

    def errors(self, end):
        return median_and_p90([visit[end] - stay[end] for stay, visit in self.matched])

    def row(self, title):
        stays = len(self.matched) + self.missed
        share = 100 * self.energy / self.continuous
        return (f"| {title} | {len(self.matched)} of {stays} | {self.extra} | **{self.f1:.3f}** "
                f"| {self.errors(0)} | {self.errors(1)} | {share:.1f} % |")


def run(godwit, life, seed, policy):
    with tempfile.TemporaryDirectory() as folder:
        truth = os.path.join(folder, "stays.json")
        summary, visits = summary_and_visits(
            godwit,
            ["simulate", "--life", life, "--seed", str(seed), "--days", "7",
             "--truth-stays", truth, *POLICIES[policy], *BOARD], folder)
        with open(truth) as text:
            stays = [(seconds(stay["arrival"]), seconds(stay["departure"]))
                     for stay in json.load(text)]
    # Shorter ones are neither rewarded nor punished.
    long = [stay for stay in stays if stay[1] - stay[0] >= SHORTEST]
    short = [stay for stay in stays if stay[1] - stay[0] < SHORTEST]
    outcome = Outcome()
    outcome.matched, outcome.missed, outcome.extra = score(
        long, short, visits, max(stay[1] for stay in stays))
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
    heading = ("| {} | found | extra | F1 | arrival median / p90 s | departure | energy |\n"
               "|---|---|---|---|---|---|---|")
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
