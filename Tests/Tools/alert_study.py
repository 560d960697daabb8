#!/usr/bin/env python3
"""How well arrivals at places and departures are noticed, and what that costs.

Usage: Tests/Tools/alert_study.py [--godwit FILE] [--seeds FIRST COUNT] [--days N] [--radius M]
           [--sources LIST] [--policy NAME] [--lives NAME,...] [--json]

For every life and seed a circle is drawn round each place where the life stays, the life is
simulated with an alert for every arrival and departure, and the crossings that were stored are
compared with those of the true track (a position every 10 s). A stay of five minutes or more is to
be noticed. Missed in the open is what had two minutes of open sky before the next crossing; of a
departure only where the board could be known to be there: its arrival was noticed, or the sky was
open for so long while it was there. False is what contradicts the true track a quarter of an hour
before and after; what comes late, because nothing was seen meanwhile, is not. Delays are from the
true crossing of the edge. GNSS on-time is given with alerts and without. Of several policies one
row each is printed, for all lives together; "approach-alone" is Dias's by his own equations, where
otherwise the daemon adds the looks that it owes to alerts.
"""

import argparse
import bisect
import csv
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from datetime import datetime

LIVES = [
    "city-resident", "commuter", "night-nurse", "school-run", "pensioner", "parcel-driver",
    "long-distance-driver", "hiker", "sailor", "stolen-bicycle"]
SHORTEST = 300
# Behind a policy: it takes no fixes because of alerts but its own.
ALONE = "-alone"
TOLERANCE = 900
# Under an open sky for so long a receiver has found itself, also from a cold start.
CLEAR = 120


def seconds(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def distance(a, b):
    """In metres, on a plane: places are small."""
    north = math.radians(b[0] - a[0])
    east = math.radians(b[1] - a[1]) * math.cos(math.radians(a[0]))
    return 6_371_008.8 * math.hypot(north, east)


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def places_of(stays, radius):
    """One circle for each name; of places that lie together the first."""
    places = {}
    for stay in stays:
        at = (stay["lat"], stay["lon"])
        if stay["name"] not in places and all(
                distance(at, other) > 2 * radius for other in places.values()):
            places[stay["name"]] = at
    return places


def edges(track, at, radius):
    """The moments at which the true track crosses the circle, as (time, is inside from then on)."""
    found = []
    inside = None
    for time, position, _ in track:
        now = distance(position, at) <= radius
        if inside is not None and now != inside:
            found.append((time, now))
        inside = now
    return found


def measure(arguments, life, seed, folder):
    def path(name):
        return os.path.join(folder, name)

    words = [arguments.godwit, "simulate", "--life", life, "--days", str(arguments.days), "--seed",
             str(seed), "--sources", arguments.sources, "--json"]
    if arguments.policy:
        words += ["--policy", arguments.policy.removesuffix(ALONE)]
    if arguments.policy.endswith(ALONE):
        words += ["--set", "alerts.looks=false"]
    without = json.loads(run(
        *words, "--store", path("without.gpkg"), "--truth-stays", path("stays.json"),
        "--truth-track", path("track.csv")))
    with open(path("stays.json")) as file:
        stays = json.load(file)
    with open(path("track.csv")) as file:
        track = [
            (seconds(row["time"]), (float(row["lat"]), float(row["lon"])), row["sky"])
            for row in csv.DictReader(file)]
    places = places_of(stays, arguments.radius)
    with open(path("places.geojson"), "w") as file:
        json.dump({"type": "FeatureCollection", "features": [
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [at[1], at[0]]},
             "properties": {"name": name, "radius_m": arguments.radius}}
            for name, at in places.items()]}, file)
    withal = json.loads(run(
        *words, "--store", path("with.gpkg"), "--places", path("places.geojson")))
    crossings = json.loads(run(
        arguments.godwit, "places", "crossings", "--store", path("with.gpkg"), "--json"))
    result = {
        "enter": [], "leave": [], "stays": 0, "missed_enter": 0, "missed_leave": 0,
        "missed_clear_enter": 0, "missed_clear_leave": 0, "false": 0,
        "crossings": len(crossings), "days": arguments.days,
        "on_with_s": withal["gnss_on_s"], "on_without_s": without["gnss_on_s"]}
    for name, at in places.items():
        compare(result, [c for c in crossings if c["place"] == name], edges(track, at, arguments.radius),
                [s for s in stays if s["name"] == name], track)
    return result


def compare(result, crossings, true, stays, track):
    told = {True: sorted(seconds(c["time"]) for c in crossings if c["change"] != "left"),
            False: sorted(seconds(c["time"]) for c in crossings if c["change"] == "left")}
    for is_inside, moments in told.items():
        for moment in moments:
            if any(abs(moment - time) <= TOLERANCE for time, _ in true):
                continue
            before = [inside for time, inside in true if time < moment]
            after = [inside for time, inside in true if time > moment]
            truth = before[-1] if before else not after[0] if after else is_inside
            result["false"] += truth != is_inside
    for stay in stays:
        arrival, departure = seconds(stay["arrival"]), seconds(stay["departure"])
        if departure - arrival < SHORTEST:
            continue
        came = [t for t, inside in true if inside and t <= arrival + 60]
        left = [t for t, inside in true if not inside and t >= departure - 60]
        result["stays"] += 1
        if came:
            note(result, "enter", told[True], came[-1], left[0] if left else track[-1][0],
                 track)
        if left:
            back = [t for t, inside in true if inside and t > left[0]]
            since = came[-1] if came else track[0][0]
            is_known = (any(since - 30 <= moment <= left[0] for moment in told[True])
                        or clear_time(track, since, left[0]) >= CLEAR)
            note(result, "leave", told[False], left[0], back[0] if back else track[-1][0],
                 track, is_known)


def note(result, kind, moments, since, until, track, is_known=True):
    """The first that was told between the crossing and the next one the other way."""
    index = bisect.bisect_left(moments, since - 30)
    if index < len(moments) and moments[index] <= until + 30:
        result[kind].append(max(0, moments[index] - since))
    else:
        result[f"missed_{kind}"] += 1
        if is_known and clear_time(track, since, until) >= CLEAR:
            result[f"missed_clear_{kind}"] += 1


def clear_time(track, since, until):
    """For how long the sky was open before the next crossing."""
    first = bisect.bisect_left(track, (since,))
    last = bisect.bisect_left(track, (until,))
    return 10 * sum(sky == "open" for _, _, sky in track[first:last])


def summary(results):
    total = dict.fromkeys(
        ("false", "stays", "missed_enter", "missed_leave", "missed_clear_enter",
         "missed_clear_leave", "crossings"), 0)
    delays = {"enter": [], "leave": []}
    for result in results:
        for key in total:
            total[key] += result[key]
        for kind in delays:
            delays[kind] += result[kind]
    days = sum(r["days"] for r in results)
    for kind, values in delays.items():
        values.sort()
        total[f"{kind}_noticed"] = len(values)
        total[f"{kind}_median_s"] = statistics.median(values) if values else None
        total[f"{kind}_p95_s"] = values[int(0.95 * (len(values) - 1))] if values else None
    total["on_with_s_per_day"] = sum(r["on_with_s"] for r in results) / days
    total["on_without_s_per_day"] = sum(r["on_without_s"] for r in results) / days
    return total


def row(name, total):
    def delay(kind):
        median, p95 = total[f"{kind}_median_s"], total[f"{kind}_p95_s"]
        return "-" if median is None else f"{median:.0f} / {p95:.0f}"

    def share(kind):
        noticed = total[f"{kind}_noticed"]
        every = noticed + total[f"missed_{kind}"]
        clear = total[f"missed_clear_{kind}"]
        return f"{noticed} of {every}" + (f" ({clear} missed in the open)" if clear else "")

    percent = 100 * total["on_with_s_per_day"] / 86_400
    return (f"| {name} | {total['stays']} | {share('enter')} | {delay('enter')} | {share('leave')} "
            f"| {delay('leave')} | {total['false']} | {total['on_without_s_per_day']:.0f} | "
            f"{total['on_with_s_per_day']:.0f} ({percent:.1f} %) |")


def measure_lives(arguments, seeds):
    """A summary for each life, and for all of them."""
    lives = {}
    for life in arguments.lives.split(","):
        lives[life] = []
        for seed in seeds:
            with tempfile.TemporaryDirectory() as folder:
                lives[life].append(measure(arguments, life, seed, folder))
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
        arguments.policy = policy
        found = measure_lives(arguments, range(first, first + count))
        totals.update({policy: found["all"]} if len(policies) > 1 else found)
    if arguments.json:
        print(json.dumps(totals, indent=2))
        return
    print(f"sources {arguments.sources}, policy {', '.join(policies) or 'adaptive'}, circles of "
          f"{arguments.radius:.0f} m, seeds {first} to {first + count - 1}, {arguments.days} days")
    print(f"| {'policy' if len(policies) > 1 else 'life'} | stays | arrivals noticed | delay, median / p95 (s) | departures noticed | delay "
          "| false | GNSS without (s a day) | with |")
    print("|---|---|---|---|---|---|---|---|---|")
    for life, total in totals.items():
        print(row(life, total))


if __name__ == "__main__":
    main()
