"""Scores a stored route and stored visits against the truth of a synthetic life.

The route is scored by the synchronised Euclidean distance: between where the board was at a moment
and where a reader of the stored points would put it at the same moment, on the straight line from
the point before to the point after. Before the first and after the last point it is taken to be
there. What counts is the time under way, every 10 s; no moment of a stay does. In a tunnel or a
closed van the route cannot be known, so the times with open sky are also given alone.
"""

import bisect
import csv
import math
import statistics

from results import SHORTEST, score, seconds, times

LONGEST_WAIT = 1200  # s
# A stay of five minutes to this is a short one.
SHORT_STAY = 900  # s
METRES_PER_DEGREE = 111_195


def apart(lat, lon, other_lat, other_lon):
    """Metres, for places close together."""
    east = (other_lon - lon + 180) % 360 - 180
    return METRES_PER_DEGREE * math.hypot(
        other_lat - lat, east * math.cos(math.radians(lat)))


class Route:
    """Stored points, and the straight lines between them."""

    def __init__(self, points):
        """points: (seconds, latitude, longitude), in any order."""
        self.points = sorted(points)
        self.times = [point[0] for point in self.points]

    def at(self, moment):
        after = bisect.bisect_right(self.times, moment)
        if after == 0:
            return self.points[0][1:]
        if after == len(self.points):
            return self.points[-1][1:]
        (start, lat, lon), (end, next_lat, next_lon) = self.points[after - 1:after + 1]
        share = (moment - start) / (end - start)
        east = (next_lon - lon + 180) % 360 - 180
        return lat + (next_lat - lat) * share, lon + east * share

    def errors(self, way):
        """Metres at each true position (seconds, latitude, longitude, ...)."""
        if not self.points:
            return [math.inf] * len(way)
        return [apart(lat, lon, *self.at(moment)) for moment, lat, lon, *_ in way]


def true_way(path):
    """The moving positions in the file that --truth-track has written, each with whether the sky is
    open."""
    with open(path) as table:
        return [(seconds(row["time"]), float(row["lat"]), float(row["lon"]),
                 row["sky"] in ("open", "street"))
                for row in csv.DictReader(table) if row["under_way"] == "1"]


class TrueStays:
    """The stays of a life, divided into those that count and those that are neither rewarded nor
    punished."""

    def __init__(self, stays):
        """stays: what --truth-stays has written."""
        times = [(seconds(stay["arrival"]), seconds(stay["departure"])) for stay in stays]
        self.last = max(stay[1] for stay in times)
        self.long = [stay for stay in times if stay[1] - stay[0] >= SHORTEST]
        self.short = [stay for stay in times if stay[1] - stay[0] < SHORTEST]
        self.waits = waits_for_transport(stays)
        self.places = {time: (stay["lat"], stay["lon"]) for time, stay in zip(times, stays)}

    def score(self, visits):
        return score(self.long, self.short, visits, self.last)

    def score_without_waits(self, visits):
        """A short wait between a walk and a ride is no visit to the stop."""
        return score([stay for stay in self.long if stay not in self.waits],
                     self.short + [*self.waits], visits, self.last)


def waits_for_transport(stays):
    """Stays of less than twenty minutes that begin on foot and end in a vehicle."""
    def speed(last, following):
        way = apart(last["lat"], last["lon"], following["lat"], following["lon"])
        return way / max(1, seconds(following["arrival"]) - seconds(last["departure"]))

    def is_wait(before, stay, after):
        length = seconds(stay["departure"]) - seconds(stay["arrival"])
        return length < LONGEST_WAIT and speed(before, stay) < 2 and speed(stay, after) > 3

    return {(seconds(stay["arrival"]), seconds(stay["departure"]))
            for before, stay, after in zip(stays, stays[1:], stays[2:])
            if is_wait(before, stay, after)}


class Claims:
    """What the visits that match a true stay say of themselves, against the truth."""

    # Bounds are stored in milliseconds, truths are often in whole seconds.
    TOLERANCE = 1

    def __init__(self):
        # Metres from the true place, and the same as a multiple of accuracy_m.
        self.distances, self.multiples = [], []
        # For arrival and departure: by how many seconds the truth is outside, and their width.
        self.beyond, self.widths = ([], []), ([], [])
        # (confidence, whether it is right) of every visit that counts.
        self.confidences = []
        self.places = self.destinations = 0

    @classmethod
    def of(cls, stays, visits, matched, invented):
        """matched, invented: as results.score gives them."""
        claims = cls()
        by_time = {times(visit, stays.last): visit for visit in visits}
        for stay, found in matched:
            visit = by_time[found]
            distance = apart(*stays.places[stay], visit["lat"], visit["lon"])
            claims.distances.append(distance)
            claims.multiples.append(distance / visit["accuracy_m"])
            for end, name in enumerate(("arrival", "departure")):
                if visit[name]:
                    first, last = (seconds(visit[f"{name}_{bound}"])
                                   for bound in ("earliest", "latest"))
                    claims.beyond[end].append(max(0, first - stay[end], stay[end] - last))
                    claims.widths[end].append(last - first)
        right = {found for _, found in matched}
        counted = [*right, *invented]
        claims.confidences = [(by_time[one]["confidence"], one in right) for one in counted]
        claims.destinations = len({by_time[one]["destination_id"] for one in counted})
        claims.places = len({stays.places[stay] for stay in stays.long})
        return claims

    def add(self, other):
        self.distances = self.distances + other.distances
        self.multiples = self.multiples + other.multiples
        self.beyond = tuple(a + b for a, b in zip(self.beyond, other.beyond))
        self.widths = tuple(a + b for a, b in zip(self.widths, other.widths))
        self.confidences = self.confidences + other.confidences
        self.places += other.places
        self.destinations += other.destinations

    def within(self, multiple):
        """The share with the true place within that multiple of accuracy_m."""
        return share(value <= multiple for value in self.multiples)

    def holding(self, end):
        """The share with the true arrival (0) or departure (1) within its bounds."""
        return share(excess <= self.TOLERANCE for excess in self.beyond[end])

    def width(self, end):
        """The median width of the bounds in seconds."""
        return statistics.median(self.widths[end]) if self.widths[end] else math.nan

    def classes(self):
        """(number, mean confidence, share that is right) of each fifth of the confidences that has
        visits."""
        fifths = {}
        for confidence, is_right in self.confidences:
            fifths.setdefault(min(4, int(confidence * 5)), []).append((confidence, is_right))
        return [(len(ones), statistics.mean(one[0] for one in ones), share(one[1] for one in ones))
                for _, ones in sorted(fifths.items())]


def share(flags):
    """The share of true ones; of none, not a number."""
    flags = list(flags)
    return sum(flags) / len(flags) if flags else math.nan


def percentile(values, share):
    """The smallest value that this share of them does not exceed; values are sorted."""
    return values[max(0, math.ceil(share * len(values)) - 1)] if values else math.nan


class Outcome:
    """The result of one schedule on one life, or on several together."""

    def __init__(self):
        self.matched, self.missed, self.extra = [], [], 0
        self.claims = Claims()
        # Without waits for transport: found, missed, extra.
        self.visiting = [0, 0, 0]
        # Metres under way, sorted; and those with open sky.
        self.route, self.route_under_sky = [], []
        # Joules: of this schedule, of continuous tracking, of both bounds.
        self.energy = self.continuous = self.clairvoyant = self.perfect_motion = 0.0

    @classmethod
    def of(cls, stays, visits, way, points):
        outcome = cls()
        outcome.matched, _, invented = stays.score(visits)
        outcome.extra = len(invented)
        outcome.claims = Claims.of(stays, visits, outcome.matched, invented)
        found = {stay for stay, _ in outcome.matched}
        outcome.missed = [stay for stay in stays.long if stay not in found]
        matched, missed, extra = stays.score_without_waits(visits)
        outcome.visiting = [len(matched), missed, len(extra)]
        errors = Route(points).errors(way)
        outcome.route = sorted(errors)
        outcome.route_under_sky = sorted(
            error for error, position in zip(errors, way) if position[3])
        return outcome

    def add(self, other):
        self.matched = self.matched + other.matched
        self.missed = self.missed + other.missed
        self.extra += other.extra
        self.claims.add(other.claims)
        self.visiting = [a + b for a, b in zip(self.visiting, other.visiting)]
        self.route = sorted(self.route + other.route)
        self.route_under_sky = sorted(self.route_under_sky + other.route_under_sky)
        self.energy += other.energy
        self.continuous += other.continuous
        self.clairvoyant += other.clairvoyant
        self.perfect_motion += other.perfect_motion
        return self

    @property
    def f1(self):
        found = len(self.matched)
        return 2 * found / max(1, 2 * found + len(self.missed) + self.extra)

    def f1_within(self, metres):
        """The same, where only a visit so near to its true place has found it."""
        found = sum(distance <= metres for distance in self.claims.distances)
        stays = len(self.matched) + len(self.missed)
        return 2 * found / max(1, stays + len(self.matched) + self.extra)

    @property
    def f1_of_visits(self):
        found, missed, extra = self.visiting
        return 2 * found / max(1, 2 * found + missed + extra)

    def found_of(self, is_short):
        """Found and all of the stays of 5 to 15 minutes, or of the longer ones."""
        def counts(stay):
            return (stay[1] - stay[0] < SHORT_STAY) == is_short

        found = sum(counts(stay) for stay, _ in self.matched)
        return found, found + sum(map(counts, self.missed))

    def timing(self, end):
        """Median and p90 in seconds, of arrivals (0) or departures (1)."""
        errors = sorted(abs(visit[end] - stay[end]) for stay, visit in self.matched)
        return (statistics.median(errors), percentile(errors, 0.9)) if errors else (math.nan,) * 2

    @property
    def route_mean(self):
        return statistics.fmean(self.route) if self.route else math.nan

    @property
    def route_median(self):
        return percentile(self.route, 0.5)

    @property
    def route_p95(self):
        return percentile(self.route, 0.95)

    @property
    def route_p95_under_sky(self):
        return percentile(self.route_under_sky, 0.95)

    @property
    def energy_share(self):
        return self.energy / self.continuous
