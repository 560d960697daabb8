#!/usr/bin/env python3
"""Scores and times other programs' stop detection beside `godwit replay`, on the same points.

Usage: Tests/Tools/peers.py [GODWIT] [--environments FOLDER] [--first SEED] [--seeds N]
                            [--sets NAME,...] [--repeat N] [--limit S] [--json FILE]

Each other program is installed with pinned versions into a virtual environment of its own below
FOLDER (.build/peers), because their pins contradict each other; nothing else is changed. (pip then
complains that scikit-mobility lacks python-igraph: what detects stops does without.) The sets:

* fixes: a week of every life of `godwit simulate --life` for each of N seeds (2, from 9101 on), as
  the fixes at 1 Hz of the virtual receiver while it is always on. Under a roof there are few.
* mild, noisy: the true positions of the same weeks every 10 s, indoors too, with an error of NOISE
  and without an accuracy. Where there is no signal at all there is a gap.
* utrecht, mobilitynet: the labelled days as results.py has them. SKIPPED where they are missing.

Every program reads the same CSV files; only Godwit makes something of the columns hacc and speed,
so it has a row without them. Stays are matched as results.py does; of arrivals and departures the
median and 90th percentile of the errors are printed. CPU is the least of --repeat (2) runs of each
trace, from opening the file to the stays: for Godwit that of the whole process, which also writes a
store; for the others without starting Python and importing. A program that would take more than
--limit (80) CPU seconds for a set is ended, and a line says how far it came, and what Godwit makes
of these traces. movingpandas is run once.
"""

import argparse
import csv
import datetime
import json
import math
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import results
from lives import BOARD, numbers, table
from peer_stays import TOOLS
from results import HERE, ROOT, score, seconds, sighted
from scoring import METRES_PER_DEGREE, Outcome, TrueStays

# What is installed, a list for each call of pip. No build of its own: it needs no compiler then.
ENVIRONMENTS = {
    "trackintel": [["trackintel==1.4.2", "geopandas==1.2.0", "pandas==3.1.1", "numpy==2.4.6",
                    "shapely==2.2.0"]],
    # python-igraph, which only its models need, has to be built with cmake: so without what it
    # depends on, and then that by hand.
    "scikit-mobility": [
        ["--no-deps", "scikit-mobility==1.3.1"],
        ["geopandas==0.10.2", "pandas==1.5.3", "numpy==1.26.4", "shapely==1.8.5.post1",
         "folium==0.12.1.post1", "geojson==2.5.0", "h3==3.7.7", "pooch==1.9.0", "powerlaw==1.5",
         "requests", "scikit-learn", "scipy==1.17.1", "statsmodels==0.13.5", "tqdm"]],
    # Its setup.py takes a setuptools that is gone from newer ones. Needs a C++ compiler.
    "infostop": [
        ["setuptools==80.9.0", "wheel", "pybind11==3.1.0", "numpy==1.26.4", "pandas==2.2.3",
         "scipy==1.17.1"],
        ["--no-build-isolation", "infomap==1.0.6", "infostop==0.1.9"]],
    "movingpandas": [["movingpandas==0.23.0", "geopandas==1.2.0", "pandas==3.1.1", "numpy==2.4.6",
                      "shapely==2.2.0"]],
}
COLUMNS = ["found / missed / extra", "P", "R", "F1", "without waits", "arrival s", "departure s",
           "CPU s", "s per million fixes", "detection alone"]
# Standard deviation in each direction, metres, by the reception; it changes within a minute.
NOISE = {"mild": {"open": 3, "street": 8, "indoors": 10},
         "noisy": {"open": 3, "street": 8, "indoors": 25}}
FORGOTTEN_AFTER = 60  # s


class Trace:
    """One file of points, and its ground truth."""

    def __init__(self, path, score, score_without_waits=None):
        self.path, self.score, self.score_without_waits = path, score, score_without_waits
        with open(path) as text:
            self.fixes = sum(1 for _ in text) - 1


class Answer:
    """One program's result on one trace."""

    def __init__(self, trace, visits, whole, alone=None):
        self.trace, self.whole, self.alone = trace, whole, alone
        self.outcome = Outcome()
        matched, missed, extra = trace.score(visits)
        self.outcome.extra = len(extra)
        self.outcome.matched, self.outcome.missed = matched, [None] * missed
        if trace.score_without_waits:
            matched, missed, extra = trace.score_without_waits(visits)
            self.outcome.visiting = [len(matched), missed, len(extra)]


def iso(second):
    moment = datetime.datetime.fromtimestamp(second, datetime.timezone.utc)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def write_points(path, rows):
    with open(path, "w", newline="") as text:
        table = csv.DictWriter(text, list(rows[0]))
        table.writeheader()
        table.writerows(rows)


def labelled(days, folder):
    """The same points in one form, in order of time; of several at one time the first."""
    for name, path, stays, unscored in days:
        with open(path) as text:
            rows = list(csv.DictReader(text))
        points = {}
        for row in rows:
            text = row.get("timestamp") or row.get("ts")
            if not text:
                continue
            moment = seconds(text) if "T" in text else float(text)
            point = {"time": iso(moment), "lat": row.get("latitude") or row["lat"],
                     "lon": row.get("longitude") or row["lon"]}
            point |= {key: row[key] for key in ("hacc", "speed") if key in row}
            points.setdefault(point["time"], point)
        copy = os.path.join(folder, f"{name}.csv")
        write_points(copy, [points[key] for key in sorted(points)])
        last = sighted(path)[1]
        yield Trace(copy, lambda visits, stays=stays, unscored=unscored, last=last: score(
            stays, unscored, visits, last))


def disturb(track, path, noise, seed):
    """The true positions with an error that keeps its size and is another one a minute later; where
    there is no sky at all, none."""
    chance = random.Random(seed)
    keep = math.exp(-10 / FORGOTTEN_AFTER)
    east = north = 0.0
    rows = []
    with open(track) as text:
        for row in csv.DictReader(text):
            east, north = (keep * error + math.sqrt(1 - keep * keep) * chance.gauss(0, 1)
                           for error in (east, north))
            if row["sky"] not in noise:
                continue
            degrees = noise[row["sky"]] / METRES_PER_DEGREE
            lat, lon = float(row["lat"]), float(row["lon"])
            rows.append({
                "time": row["time"], "lat": f"{lat + north * degrees:.7f}",
                "lon": f"{lon + east * degrees / math.cos(math.radians(lat)):.7f}"})
    write_points(path, rows)


def week(godwit, life, seed, folder):
    """A week of a life: its fixes, and its truth with each noise."""
    base = os.path.join(folder, f"{life}-{seed}")
    # A point is left out where it is closer to the line than 0.1 m and less than a second after the
    # point before: none is.
    subprocess.run(
        [godwit, "simulate", "--life", life, "--seed", str(seed), *BOARD, "--policy", "continuous",
         "--set", "trajectory.sed_bound_m=0.1", "--set", "trajectory.max_interval_s=1",
         "--truth-stays", f"{base}.json", "--truth-track", f"{base}.track", "--store",
         f"{base}.gpkg", "--json"], check=True, capture_output=True)
    with open(f"{base}.json") as text:
        stays = TrueStays(json.load(text))
    with open(f"{base}.csv", "w") as points:
        subprocess.run([godwit, "export", "csv", "--store", f"{base}.gpkg"], check=True,
                       stdout=points)
    for name, noise in NOISE.items():
        disturb(f"{base}.track", f"{base}-{name}.csv", noise, seed)
    os.remove(f"{base}.gpkg")
    os.remove(f"{base}.track")
    return [Trace(path, stays.score, stays.score_without_waits)
            for path in (f"{base}.csv", *(f"{base}-{name}.csv" for name in NOISE))]


def unseen(godwit, seeds, folder):
    usage = subprocess.run([godwit, "simulate", "--life", "?", "--store", "/dev/null"],
                           capture_output=True, text=True).stderr
    weeks = [(life, seed) for life in re.search(r"there are (.*)", usage).group(1).split(", ")
             for seed in seeds]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return list(zip(*pool.map(lambda one: week(godwit, *one, folder), weeks)))


def environment(folder, tool):
    """The Python of a tool's environment, which is made if it does not exist yet."""
    home = os.path.join(folder, tool)
    python = os.path.join(home, "bin/python")
    pins = json.dumps(ENVIRONMENTS[tool])
    stamp = os.path.join(home, "pins.json")
    if os.path.exists(stamp) and open(stamp).read() == pins:
        return python
    print(f"peers: installing {tool} into {home}", file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
    for packages in ENVIRONMENTS[tool]:
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    with open(stamp, "w") as text:
        text.write(pins)
    return python


def ask_peer(python, tool, setting, traces, repeat, limit):
    """The answers of another program, as many as arrived in time, and the reasons of crashes."""
    one_thread = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    most = repeat * limit

    def end_in_time():
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))

    with tempfile.TemporaryFile("w+") as lines:
        status = subprocess.run(
            [python, os.path.join(HERE, "peer_stays.py"), tool, setting, str(repeat)],
            input="\n".join(trace.path for trace in traces), stdout=lines, text=True,
            env={**os.environ, **one_thread}, preexec_fn=end_in_time).returncode
        if status not in (0, -signal.SIGXCPU, -signal.SIGKILL):
            sys.exit(f"peers: {tool} ended with {status}")
        lines.seek(0)
        told = [json.loads(line) for line in lines if line.endswith("\n")]
    answers, crashes = [], []
    for trace, answer in zip(traces, told):
        if "crash" in answer:
            crashes.append(answer["crash"])
            answer |= {"stays": [], "whole": 0, "alone": 0}
        visits = [{"arrival": iso(start), "departure": iso(end)} for start, end in answer["stays"]]
        answers.append(Answer(trace, visits, answer["whole"], answer["alone"]))
    return answers, crashes


def ask_godwit(godwit, traces, repeat, with_extras):
    """The answers of `godwit replay`; without extras it gets times and positions only."""
    answers = []
    for trace in traces:
        whole = math.inf
        with tempfile.TemporaryDirectory() as folder:
            path = trace.path
            if not with_extras:
                path = os.path.join(folder, "points.csv")
                with open(trace.path) as text:
                    write_points(path, [
                        {key: row[key] for key in ("time", "lat", "lon")}
                        for row in csv.DictReader(text)])
            for number in range(repeat):
                store = os.path.join(folder, f"{number}.gpkg")
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run([godwit, "replay", path, "--store", store, "--json"], check=True,
                               capture_output=True)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                whole = min(whole, after.ru_utime + after.ru_stime
                            - before.ru_utime - before.ru_stime)
            visits = json.loads(subprocess.run(
                [godwit, "visits", "--store", store, "--json"], check=True,
                capture_output=True).stdout)
        answers.append(Answer(trace, visits, whole))
    return answers


def figures(answers):
    """One row's figures."""
    total = Outcome()
    for answer in answers:
        total.add(answer.outcome)
    found, missed, extra = len(total.matched), len(total.missed), total.extra
    fixes = sum(answer.trace.fixes for answer in answers)
    whole = sum(answer.whole for answer in answers)
    alone = None
    if answers and answers[0].alone is not None:
        alone = sum(answer.alone for answer in answers) / fixes * 1e6
    return {
        "traces": len(answers), "fixes": fixes, "found": found, "missed": missed, "extra": extra,
        "precision": found / max(1, found + extra), "recall": found / max(1, found + missed),
        "f1": total.f1,
        "f1_without_waits": total.f1_of_visits if sum(total.visiting) else None,
        "arrival_median_s": total.timing(0)[0], "arrival_p90_s": total.timing(0)[1],
        "departure_median_s": total.timing(1)[0], "departure_p90_s": total.timing(1)[1],
        "cpu_s": whole, "cpu_s_per_million": whole / max(1, fixes) * 1e6,
        "detection_s_per_million": alone}


def cells(row):
    def optional(name, digits):
        return "-" if row[name] is None else f"{row[name]:.{digits}f}"

    return [numbers(row["found"], row["missed"], row["extra"]), f"{row['precision']:.2f}",
            f"{row['recall']:.2f}", f"**{row['f1']:.3f}**", optional("f1_without_waits", 3),
            numbers(row["arrival_median_s"], row["arrival_p90_s"]),
            numbers(row["departure_median_s"], row["departure_p90_s"]), f"{row['cpu_s']:.1f}",
            f"{row['cpu_s_per_million']:.2f}", optional("detection_s_per_million", 2)]


def compare(name, traces, options, pythons):
    """The rows of one set, best F1 first, and the remarks."""
    # Small ones first: a slow program completes more of them.
    traces = sorted(traces, key=lambda trace: trace.fixes)
    ours = ask_godwit(options.godwit, traces, options.repeat, True)
    rows = [("Godwit", "default", figures(ours))]
    with open(traces[0].path) as text:
        has_extras = "hacc" in text.readline()
    if has_extras:
        rows.append(("Godwit", "times and positions only", figures(
            ask_godwit(options.godwit, traces, options.repeat, False))))
    remarks = []
    for tool, python in pythons.items():
        for setting in TOOLS[tool].SETTINGS:
            repeat = 1 if tool == "movingpandas" else options.repeat
            answers, crashes = ask_peer(python, tool, setting, traces, repeat, options.limit)
            if crashes:
                remarks.append(f"{tool}, {setting}: {len(crashes)} crashes, the first "
                               f"{crashes[0]}")
            if len(answers) < len(traces):
                done = figures(answers)
                remarks.append(
                    f"{tool}, {setting}: not finished after {options.limit} s of CPU, "
                    f"{len(answers)} of {len(traces)} traces" + (
                        f", F1 {done['f1']:.3f} on these, where Godwit has "
                        f"{figures(ours[:len(answers)])['f1']:.3f}; "
                        f"{done['cpu_s_per_million']:.0f} s per million of their fixes"
                        if answers else ""))
                rows.append((tool, setting, {**done, "unfinished": True}))
            else:
                rows.append((tool, setting, figures(answers)))
    rows.sort(key=lambda row: -1 if "unfinished" in row[2] else row[2]["f1"], reverse=True)
    whole = rows[0][2]
    table(f"{name}: {len(traces)} traces, {whole['fixes']} fixes, "
          f"{whole['found'] + whole['missed']} stays", COLUMNS,
          [[f"{tool}, {setting}",
            *(["not finished"] + ["-"] * (len(COLUMNS) - 1) if "unfinished" in row else cells(row))]
           for tool, setting, row in rows])
    for remark in remarks:
        print(f"\n{remark}")
    sys.stdout.flush()
    return [{"set": name, "tool": tool, "setting": setting, **row} for tool, setting, row in rows]


def overview(rows):
    """The F1 of every program on every set, the best of each in bold; its times on the first."""
    sets = list(dict.fromkeys(row["set"] for row in rows))
    done = {(row["tool"], row["setting"], row["set"]): row for row in rows
            if "unfinished" not in row}
    best = {name: max(row["f1"] for key, row in done.items() if key[2] == name) for name in sets}

    def f1(tool, setting, name):
        row = done.get((tool, setting, name))
        if row is None:
            return "-"
        return f"**{row['f1']:.3f}**" if row["f1"] == best[name] else f"{row['f1']:.3f}"

    def times(tool, setting):
        row = done.get((tool, setting, sets[0]))
        return cells(row)[-2:] if row else ["-", "-"]

    programs = dict.fromkeys((row["tool"], row["setting"]) for row in rows)
    table("F1", [*sets, f"CPU s per million of {sets[0]}", "detection alone"],
          [[f"{tool}, {setting}", *(f1(tool, setting, name) for name in sets),
            *times(tool, setting)] for tool, setting in programs])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("godwit", nargs="?", default=os.path.join(ROOT, ".build/release/godwit"))
    parser.add_argument("--environments", default=os.path.join(ROOT, ".build/peers"))
    parser.add_argument("--first", type=int, default=9101)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--sets", default="fixes,mild,noisy,utrecht,mobilitynet")
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--limit", type=int, default=80)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    pythons = {tool: environment(options.environments, tool) for tool in TOOLS}
    wanted = options.sets.split(",")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        sets = {}
        made_up = ("fixes", *NOISE)
        if set(made_up) & set(wanted):
            seeds = range(options.first, options.first + options.seeds)
            sets = dict(zip(made_up, unseen(options.godwit, seeds, folder)))
        for name, days in (("utrecht", results.utrecht), ("mobilitynet", results.mobilitynet)):
            if not os.path.isdir(results.TRACES):
                print(f"peers: SKIPPED {name}: no labelled traces in {results.TRACES}; "
                      "set GODWIT_DATA", file=sys.stderr)
            elif name in wanted:
                sets[name] = list(labelled(days(), folder))
        for name in wanted:
            if name in sets:
                rows += compare(name, sets[name], options, pythons)
    if rows:
        overview(rows)
    if options.json:
        with open(options.json, "w") as text:
            json.dump(rows, text, indent=1)
    ours = [row for row in rows if row["tool"] == "Godwit" and row["setting"] == "default"]
    print("\npeers: F1 of Godwit " + ", ".join(f"{row['f1']:.3f} on {row['set']}" for row in ours))


if __name__ == "__main__":
    main()
