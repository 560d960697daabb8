#!/usr/bin/env python3
"""Scores what the program stores against the labelled traces, through its command line alone.

Usage: Tests/Tools/results.py [GODWIT] [--days]

For every labelled day: replay; for every dense one: replay, simulate with each of the policies
adaptive, hybrid and continuous, and adaptive with a motion sensor; one setting for all. A found visit matches a true stay when their intervals
overlap with IoU >= 0.5, one to one; stays of five minutes and more count; inconsistent diary stops
and MobilityNet's waiting sections are neither rewarded nor punished. Prints the table of visits of
docs/results/labelled-days.md.
"""

import csv
import datetime
import glob
import json
import os
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DATA = os.environ.get("GODWIT_DATA", os.path.join(ROOT, "..", "shared", "data"))
TRACES = os.path.join(DATA, "trajectories")
SHORTEST = 300  # s
FAR = 30 * 86400  # s


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def utrecht():
    """Person-days with the stops of the travellers' diaries."""
    days = {}
    with open(f"{TRACES}/utrecht-diary/stops_from_diary.csv") as table:
        for row in csv.DictReader(table):
            name = row["user_day"]
            day = days.setdefault(
                name, (name, f"{TRACES}/utrecht-diary/{name}.csv", [], []))
            stop = (seconds(row["start"]), seconds(row["end"]))
            if row["verdict"] != "consistent":
                day[3].append(stop)
            elif stop[1] - stop[0] >= SHORTEST:
                day[2].append(stop)
    return [days[name] for name in sorted(days)]


def mobilitynet():
    """Scripted days carried by several phones, with second-level truth."""
    runs = {}
    with open(f"{TRACES}/mobilitynet/truth.csv") as table:
        for row in csv.DictReader(table):
            runs.setdefault(row["run"], []).append(row)
    found = []
    for path in sorted(glob.glob(f"{TRACES}/mobilitynet/locations/*.csv")):
        timeline, _, times = os.path.basename(path)[:-4].split("__")
        start, end = (float(part) for part in times.split("_"))
        for rows in runs.values():
            period = next((row for row in rows if row["level"] == "period"), None)
            if period is None or period["timeline"] != timeline:
                continue
            first, last = float(period["start_ts"]), float(period["end_ts"])
            if min(last, end) - max(first, start) > (end - start) / 2:
                seen = sighted(path)
                found.append(scripted_day(
                    path, rows, max(first, start, seen[0]), min(last, end, seen[1])))
                break
    return [day for day in found if day[2]]


def scripted_day(path, rows, start, end):
    stays, unscored = [], [(start - FAR, start), (end, end + FAR)]
    for row in rows:
        stretch = (max(float(row["start_ts"]), start), min(float(row["end_ts"]), end))
        if row["level"] == "dwell" and stretch[1] - stretch[0] >= SHORTEST:
            stays.append(stretch)
        elif row["level"] == "dwell":
            unscored.append((float(row["start_ts"]), float(row["end_ts"])))
        if row["section_type"] == "WAITING":
            unscored.append((float(row["start_ts"]), float(row["end_ts"])))
    return os.path.basename(path)[:-4], path, stays, unscored


def is_dense(path):
    """Dense enough to be the truth of a simulation: half of its steps are of ten seconds or less."""
    with open(path) as table:
        times = [row.get("timestamp") or row.get("ts") for row in csv.DictReader(table)]
    moments = sorted(seconds(text) if "T" in text else float(text) for text in times if text)
    steps = [b - a for a, b in zip(moments, moments[1:])]
    return len(moments) >= 1000 and statistics.median(steps) <= 10


def overlap(a, b):
    return max(0, min(a[1], b[1]) - max(a[0], b[0]))


def agreement(a, b):
    common = overlap(a, b)
    return common / ((a[1] - a[0]) + (b[1] - b[0]) - common)


def times(visit, last):
    """A visit's arrival and departure; an open one ends with the truth."""
    arrival = seconds(visit["arrival"])
    return arrival, seconds(visit["departure"]) if visit["departure"] else max(last, arrival)


def score(stays, unscored, visits, last):
    """The matches, the number of missed stays, and the visits that agree with none."""
    found = []
    for visit in visits:
        arrival, departure = times(visit, last)
        if departure - arrival >= SHORTEST:
            found.append((arrival, departure))
    pairs = sorted(
        ((agreement(s, f), s, f) for s in stays for f in found if agreement(s, f) >= 0.5),
        reverse=True)
    matched, used_stays, used_found = [], set(), set()
    for _, stay, visit in pairs:
        if stay not in used_stays and visit not in used_found:
            matched.append((stay, visit))
            used_stays.add(stay)
            used_found.add(visit)
    invented = [
        visit for visit in found if visit not in used_found
        and sum(overlap(visit, part) for part in unscored) < 0.5 * (visit[1] - visit[0])]
    return matched, len(stays) - len(matched), invented


def sighted(path):
    """The first and the last moment of a trace: outside it nothing can be found."""
    with open(path) as table:
        texts = [row.get("timestamp") or row.get("ts") for row in csv.DictReader(table)]
    times = [seconds(text) if "T" in text else float(text) for text in texts if text]
    return min(times), max(times)


def median_and_p90(errors):
    if not errors:
        return "-"
    ordered = sorted(abs(error) for error in errors)
    return f"{statistics.median(ordered):.0f} / {ordered[int(0.9 * (len(ordered) - 1))]:.0f}"


def summary_and_visits(godwit, command, folder):
    """The output of a command that fills a store, and the visits in that store."""
    store = os.path.join(folder, "store.gpkg")
    return [
        json.loads(subprocess.run(
            [godwit, *arguments, "--store", store, "--json"],
            check=True, capture_output=True).stdout)
        for arguments in (command, ["visits"])]


def run(godwit, command, day):
    name, path, stays, unscored = day
    with tempfile.TemporaryDirectory() as folder:
        summary, visits = summary_and_visits(godwit, [command[0], path, *command[1:]], folder)
    return name, summary, score(stays, unscored, visits, sighted(path)[1])


def table_row(title, command, results):
    matched = [pair for _, _, (pairs, _, _) in results for pair in pairs]
    missed = sum(result[2][1] for result in results)
    invented = sum(len(result[2][2]) for result in results)
    precision = len(matched) / max(1, len(matched) + invented)
    recall = len(matched) / max(1, len(matched) + missed)
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    on = sum(summary["gnss_on_s"] for _, summary, _ in results)
    total = sum(summary["duration_s"] for _, summary, _ in results)

    arrivals = median_and_p90([visit[0] - stay[0] for stay, visit in matched])
    departures = median_and_p90([visit[1] - stay[1] for stay, visit in matched])
    share = "-" if command[0] == "replay" else f"{100 * on / total:.1f} %"
    row = (f"| {title} | {' '.join(command)} | {precision:.2f} | {recall:.2f} | **{f1:.2f}** "
            f"| {arrivals} | {departures} | {share} |")
    return row, f1


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    godwit = arguments[0] if arguments else os.path.join(ROOT, ".build/release/godwit")
    if not os.path.isdir(TRACES):
        sys.exit(f"SKIPPED: no labelled traces in {TRACES}; set GODWIT_DATA")
    print("| days | command | P | R | F1 | arrival median / p90 s | departure | GNSS on |")
    print("|---|---|---|---|---|---|---|---|")
    # The commands run on all days, or on the dense ones only.
    commands = [(["replay"], False), (["replay"], True)] + [
        (["simulate", "--policy", *policy.split()], True)
        for policy in ("adaptive", "adaptive --sources motion", "hybrid", "continuous")]
    verdict = []
    for title, days in (("Utrecht", utrecht()), ("MobilityNet", mobilitynet())):
        dense = [day for day in days if is_dense(day[1])]
        for command, is_of_dense in commands:
            chosen = dense if is_of_dense else days
            stays = sum(len(day[2]) for day in chosen)
            with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
                results = list(pool.map(lambda day: run(godwit, command, day), chosen))
            row, f1 = table_row(f"{title}, {len(chosen)} days, {stays} stays", command, results)
            print(row, flush=True)
            if not is_of_dense:
                verdict.append(f"F1 {f1:.3f} on {title}")
            if "--days" in sys.argv:
                for name, summary, (pairs, missed, invented) in results:
                    if missed or invented:
                        print(f"    {name}: {len(pairs)} found, {missed} missed, "
                              f"{len(invented)} invented", file=sys.stderr)
    print("results: " + ", ".join(verdict))


if __name__ == "__main__":
    main()
