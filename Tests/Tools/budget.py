#!/usr/bin/env python3
"""What an energy budget buys, through the program's command line alone.

Usage: Tests/Tools/budget.py [GODWIT] [--first SEED] [--seeds N] [--sources none,motion]
                             [--shares 0.5,1,2] [--lives NAME,NAME] [--days 7]

For every life of `godwit simulate --life`, so many days for each seed: `adaptive` without a budget,
then with budgets of so many times the energy a day that it took. Tells for each what was spent, the
F1 of the visits (stays of five minutes and more, matched as results.py does), and by how much the
budget was exceeded at any moment: after t days, max(t, 1) times the budget of a day may have been
spent, and in any seven days seven times.
"""

import argparse
import bisect
import json
import os
import re
import sqlite3
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from results import ROOT, SHORTEST, score, seconds, summary_and_visits

BOARD = ["--set", "power_switch.kind=virtual", "--set", "receiver.family=ubloxM8"]
DAY = 86400.0
WEEK = 7 * DAY
# When the lives begin.
START = seconds("2026-05-04T00:00:00Z")


class Run:
    """Some days of one life, or several together."""

    def __init__(self, found=0, missed=0, extra=0, energy=0.0, worst=0.0, days=0):
        self.found, self.missed, self.extra = found, missed, extra
        self.energy, self.worst, self.days = energy, worst, days

    def add(self, other):
        self.found += other.found
        self.missed += other.missed
        self.extra += other.extra
        self.energy += other.energy
        self.worst = max(self.worst, other.worst)
        self.days += other.days
        return self

    @property
    def f1(self):
        return 2 * self.found / max(1, 2 * self.found + self.missed + self.extra)

    @property
    def daily(self):
        return self.energy / self.days


class Account:
    """The cumulative energy; between the points it is uniform."""

    def __init__(self):
        self.times, self.totals = [0.0], [0.0]

    def spend(self, until, energy):
        self.times.append(max(until, self.times[-1]))
        self.totals.append(self.totals[-1] + energy)

    def at(self, time):
        after = bisect.bisect_right(self.times, time)
        if after == len(self.times):
            return self.totals[-1]
        start, end = self.times[after - 1], self.times[after]
        part = (time - start) / (end - start)
        return self.totals[after - 1] + part * (self.totals[after] - self.totals[after - 1])


def worst_moment(store, summary, budget):
    """The largest ratio of the energy to the allowance by then, at the ends of segments."""
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as file:
        rows = [(seconds(start) - START + duration, energy) for start, duration, energy in file.execute(
            "SELECT start, duration_s, energy_J FROM power_segments ORDER BY start")]
    # Records without a date came before there was one.
    account = Account()
    account.spend(0.0, summary["gnss_energy_J"] - sum(energy for _, energy in rows))
    for time, energy in rows:
        account.spend(time, energy)
    sources = summary["sources_energy_J"] / summary["duration_s"]

    def share(time):
        window = min(time, WEEK)
        spent = account.at(time) - (account.at(time - WEEK) if time > WEEK else 0.0)
        return (spent + sources * window) / (budget * max(1.0, window / DAY))

    return max(share(time) for time in account.times + [summary["duration_s"]])


def run(godwit, life, seed, sources, days, budget):
    with tempfile.TemporaryDirectory() as folder:
        truth = os.path.join(folder, "stays.json")
        limit = [] if budget is None else ["--set", f"policy.adaptive.budget_J={budget:.6f}"]
        summary, visits = summary_and_visits(
            godwit,
            ["simulate", "--life", life, "--seed", str(seed), "--days", str(days), "--policy",
             "adaptive", "--sources", sources, "--truth-stays", truth, *limit, *BOARD], folder)
        with open(truth) as text:
            stays = [(seconds(stay["arrival"]), seconds(stay["departure"]))
                     for stay in json.load(text)]
        worst = 0.0 if budget is None else worst_moment(
            os.path.join(folder, "store.gpkg"), summary, budget)
    long = [stay for stay in stays if stay[1] - stay[0] >= SHORTEST]
    short = [stay for stay in stays if stay[1] - stay[0] < SHORTEST]
    matched, missed, extra = score(long, short, visits, max(stay[1] for stay in stays))
    return Run(len(matched), missed, len(extra),
               summary["gnss_energy_J"] + summary["sources_energy_J"], worst, days)


def names_of_lives(godwit):
    usage = subprocess.run(
        [godwit, "simulate", "--life", "?", "--store", "/dev/null"], capture_output=True,
        text=True).stderr
    return re.search(r"there are (.*)", usage).group(1).strip().split(", ")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("godwit", nargs="?", default=os.path.join(ROOT, ".build/release/godwit"))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--sources", default="none,motion")
    parser.add_argument("--shares", default="0.5,1,2")
    parser.add_argument("--lives")
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    lives = options.lives.split(",") if options.lives else names_of_lives(options.godwit)
    seeds = range(options.first, options.first + options.seeds)
    shares = [float(share) for share in options.shares.split(",")]
    is_over = False
    for sources in options.sources.split(","):
        cells = [(life, seed) for life in lives for seed in seeds]
        with ThreadPoolExecutor(max_workers=options.jobs) as pool:
            free = dict(zip(cells, pool.map(
                lambda cell: run(options.godwit, *cell, sources, options.days, None), cells)))
            kept = {share: dict(zip(cells, pool.map(
                lambda cell: run(options.godwit, *cell, sources, options.days,
                                 share * free[cell].daily),
                cells))) for share in shares}
        titles = [f"{share:g} x: J/day of budget, F1" for share in shares]
        print(f"\n| {sources}, seeds {seeds[0]} to {seeds[-1]} | no budget: J/day, F1 | "
              + " | ".join(titles) + " |")
        print("|---" * (2 + len(shares)) + "|")

        def row(title, chosen):
            total = Run()
            for cell in chosen:
                total.add(free[cell])
            columns = [f"{total.daily:.1f}, {total.f1:.3f}"]
            for share in shares:
                limited = Run()
                for cell in chosen:
                    limited.add(kept[share][cell])
                over = ", OVER" if limited.worst > 1 else ""
                columns.append(
                    f"{limited.daily:.1f} of {share * total.daily:.1f}, {limited.f1:.3f}{over}")
            print(f"| {title} | " + " | ".join(columns) + " |")

        for life in lives:
            row(life, [cell for cell in cells if cell[0] == life])
        row("**all**", cells)
        worst = max(one.worst for runs in kept.values() for one in runs.values())
        print(f"\nat most {100 * worst:.1f} % of what might have been spent by then")
        is_over = is_over or worst > 1
    print("budget: " + ("EXCEEDED" if is_over else "kept in every week"))
    return 1 if is_over else 0


if __name__ == "__main__":
    raise SystemExit(main())
