#!/usr/bin/env python3
"""How well arrivals at places and departures are noticed on days that people have labelled.

Usage: Tests/Tools/alert_traces.py [GODWIT] [--radius M]

For every dense day of the labelled traces (as results.py has them) a circle is drawn round the
median position of each stay, and a virtual board carried along the trace; what is noticed there is
compared with the trace as alert_scoring.py says. The labels say which stays there are; when an edge
is crossed, the trace says, as people note times to some minutes. In the gaps of the trace there
is no signal.
"""

import argparse
import os
import statistics
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from alert_scoring import HEADER, Stay, distance, row, schedule, simulated, summary
from results import ROOT, TRACES, is_dense, mobilitynet, utrecht

SCHEDULES = [("adaptive", "none"), ("adaptive", "motion"), ("approach-alone", "none"),
             ("approach-alone", "motion"), ("continuous", "none")]


def labelled(track, stays, radius):
    """Places, and stays there; of places close together the first is used for both."""
    places, found = {}, []
    for arrival, departure in stays:
        seen = [position for time, position, sky in track
                if arrival <= time <= departure and sky == "open"]
        if not seen:
            continue
        at = tuple(statistics.median(one[axis] for one in seen) for axis in (0, 1))
        name = next((name for name, other in places.items() if distance(at, other) <= radius), None)
        if name is None and any(distance(at, other) <= 2 * radius for other in places.values()):
            continue
        if name is None:
            name = f"place {len(places) + 1}"
            places[name] = at
        found.append(Stay(name, arrival, departure))
    return places, found


def measure(godwit, day, policy, sources, radius):
    _, path, stays, _ = day
    with tempfile.TemporaryDirectory() as folder:
        return simulated(
            godwit, [path], schedule(policy, sources), radius, folder,
            lambda track: labelled(track, stays, radius))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("godwit", nargs="?", default=os.path.join(ROOT, ".build/release/godwit"))
    parser.add_argument("--radius", type=float, default=100)
    arguments = parser.parse_args()
    if not os.path.isdir(TRACES):
        sys.exit(f"SKIPPED: no labelled traces in {TRACES}; set GODWIT_DATA")
    print(f"| days, schedule | {HEADER}")
    for title, days in (("Utrecht", utrecht()), ("MobilityNet", mobilitynet())):
        dense = [day for day in days if is_dense(day[1])]
        for policy, sources in SCHEDULES:
            with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
                results = list(pool.map(
                    lambda day: measure(arguments.godwit, day, policy, sources, arguments.radius),
                    dense))
            name = f"{title}, {len(dense)} days, {policy}, " + sources.replace("none", "no source")
            print(row(name, summary(results)), flush=True)


if __name__ == "__main__":
    main()
