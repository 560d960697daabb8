"""Simulates a truth with circles on a virtual board, and compares the crossings that were stored
with those of the true track.

A stay of five minutes or more is to be noticed: its crossings are those of the longest time that
the true track was in its circle meanwhile. Missed in the open is what had two minutes of open sky
before the next crossing; of a departure only where the board could be known to be there: its
arrival was noticed, or the sky was open for so long while it was there. False is what contradicts
the true track a quarter of an hour before and after; what comes late, because nothing was seen
meanwhile, is not. Delays are from the true crossing of the edge.
"""

import bisect
import csv
import json
import math
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass

from results import seconds

SHORTEST = 300
# Behind a policy: alerts cause only their own fixes.
ALONE = "-alone"
TOLERANCE = 900
GRAZE = 60
# Under open sky a receiver has a fix after this time, also from a cold start.
CLEAR = 120
HEADER = ("stays | arrivals noticed | delay, median / p95 (s) | departures noticed | delay | false "
          "| GNSS without (s a day) | with |\n|---|---|---|---|---|---|---|---|---|")


@dataclass
class Stay:
    place: str
    arrival: float
    departure: float


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


def schedule(policy, sources):
    """The options of a policy; "approach-alone" is one without the daemon's own fix attempts."""
    words = ["--sources", sources]
    if policy:
        words += ["--policy", policy.removesuffix(ALONE)]
    if policy.endswith(ALONE):
        words += ["--set", "alerts.looks=false"]
    return words


def simulated(godwit, truth, options, radius, folder, stays_of, truth_files=()):
    """What is noticed with an alert for every arrival and departure, and what it costs.

    `truth` and `options` are words of `godwit simulate`; `stays_of` gives, for the true track, its
    places as {name: (latitude, longitude)} and the stays there; `truth_files` asks for more files
    that it may read.
    """
    def path(name):
        return os.path.join(folder, name)

    words = [godwit, "simulate", *truth, *options, "--json"]
    without = json.loads(run(
        *words, "--store", path("without.gpkg"), "--truth-track", path("track.csv"), *truth_files))
    with open(path("track.csv")) as file:
        track = [
            (seconds(row["time"]), (float(row["lat"]), float(row["lon"])), row["sky"])
            for row in csv.DictReader(file)]
    places, stays = stays_of(track)
    circles = ["--places", path("places.geojson")] if places else []
    with open(path("places.geojson"), "w") as file:
        json.dump({"type": "FeatureCollection", "features": [
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [at[1], at[0]]},
             "properties": {"name": name, "radius_m": radius}}
            for name, at in places.items()]}, file)
    withal = json.loads(run(*words, "--store", path("with.gpkg"), *circles))
    crossings = json.loads(run(
        godwit, "places", "crossings", "--store", path("with.gpkg"), "--json"))
    result = {
        "enter": [], "leave": [], "stays": 0, "missed_enter": 0, "missed_leave": 0,
        "missed_clear_enter": 0, "missed_clear_leave": 0, "false": 0,
        "crossings": len(crossings), "days": withal["duration_s"] / 86_400,
        "on_with_s": withal["gnss_on_s"], "on_without_s": without["gnss_on_s"]}
    for name, at in places.items():
        compare(result, [c for c in crossings if c["place"] == name],
                [s for s in stays if s.place == name], times_inside(track, at, radius), track)
    return result


def times_inside(track, at, radius):
    """The begin and end of the true track in the circle; None: it begins or ends there."""
    found, since, was = [], None, None
    for time, position, _ in track:
        now = distance(position, at) <= radius
        if was is not None and now and not was:
            since = time
        if was and not now:
            found.append((since, time))
        was = now
    if was:
        found.append((since, None))
    return found


def compare(result, crossings, stays, times, track):
    times = without_escapes(times, stays)
    told = {True: sorted(seconds(c["time"]) for c in crossings if c["change"] != "left"),
            False: sorted(seconds(c["time"]) for c in crossings if c["change"] == "left")}
    edges = [moment for time in times for moment in time if moment is not None]
    for is_inside, moments in told.items():
        for moment in moments:
            if any(abs(moment - edge) <= TOLERANCE for edge in edges):
                continue
            result["false"] += is_inside != any(
                (since or 0) < moment < (until or math.inf) for since, until in times)
    for stay in stays:
        if stay.departure - stay.arrival >= SHORTEST:
            notice(result, stay, times, told, track)


def without_escapes(times, stays):
    """Without intervals of less than a minute, and of less than five in or next to a stay: errors
    of a truth, or the way round the block to park."""
    joined = []
    for since, until in times:
        if joined and since - joined[-1][1] < (
                SHORTEST if is_near(stays, joined[-1][1], since) else GRAZE):
            joined[-1] = (joined[-1][0], until)
        else:
            joined.append((since, until))
    return joined


def is_near(stays, since, until):
    return any(stay.arrival - SHORTEST < since and until < stay.departure + SHORTEST
               for stay in stays)


def notice(result, stay, times, told, track):
    def common(index):
        since, until = times[index]
        return min(until or math.inf, stay.departure) - max(since or 0, stay.arrival)

    index = max(range(len(times)), key=common, default=None)
    if index is None or common(index) <= 0:
        return
    result["stays"] += 1
    came, left = times[index]
    end = track[-1][0]
    if came is not None:
        note(result, "enter", told[True], came, left or end, track)
    if left is not None:
        since = came if came is not None else track[0][0]
        is_known = (any(since - 30 <= moment <= left for moment in told[True])
                    or clear_time(track, since, left) >= CLEAR)
        back = times[index + 1][0] if index + 1 < len(times) else end
        note(result, "leave", told[False], left, back, track, is_known)


def note(result, kind, moments, since, until, track, is_known=True):
    """The first report between the crossing and the next one in the other direction."""
    index = bisect.bisect_left(moments, since - 30)
    if index < len(moments) and moments[index] <= until + 30:
        result[kind].append(max(0, moments[index] - since))
    else:
        result[f"missed_{kind}"] += 1
        if is_known and clear_time(track, since, until) >= CLEAR:
            result[f"missed_clear_{kind}"] += 1


def clear_time(track, since, until):
    """How long the sky was open before the next crossing."""
    first = bisect.bisect_left(track, (since,))
    last = bisect.bisect_left(track, (until,))
    return 10 * sum(sky == "open" for _, _, sky in track[first:last])


def summary(results):
    total = dict.fromkeys(
        ("false", "stays", "missed_enter", "missed_leave", "missed_clear_enter",
         "missed_clear_leave", "crossings", "days"), 0)
    delays = {"enter": [], "leave": []}
    for result in results:
        for key in total:
            total[key] += result[key]
        for kind in delays:
            delays[kind] += result[kind]
    for kind, values in delays.items():
        values.sort()
        total[f"{kind}_noticed"] = len(values)
        total[f"{kind}_median_s"] = statistics.median(values) if values else None
        total[f"{kind}_p95_s"] = values[int(0.95 * (len(values) - 1))] if values else None
    for key in ("on_with_s", "on_without_s"):
        total[f"{key}_per_day"] = sum(r[key] for r in results) / total["days"]
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
