#!/usr/bin/env python3
"""Prints the score of one store as JSON, with the keys of `godwit simulate --score`.

Usage: Tests/Tools/score_store.py GODWIT STORE STAYS TRACK

STAYS and TRACK are what --truth-stays and --truth-track have written beside the store. It is there
to compare the program's own score with that of scoring.py.
"""

import json
import statistics
import sys

from lives import godwit_json
from results import seconds
from scoring import Outcome, TrueStays, percentile, true_way


def main():
    godwit, store, stays, track = sys.argv[1:]
    with open(stays) as text:
        true_stays = TrueStays(json.load(text))
    visits, points = (godwit_json(godwit, listing, "--store", store, "--json")
                      for listing in ("visits", "track"))
    outcome = Outcome.of(
        true_stays, visits, true_way(track),
        [(seconds(point["time"]), point["lat"], point["lon"]) for point in points])
    arrival, departure, claims = outcome.timing(0), outcome.timing(1), outcome.claims
    print(json.dumps({
        "stays_found": len(outcome.matched), "visits_extra": outcome.extra,
        "stays": len(outcome.matched) + len(outcome.missed), "visit_f1": outcome.f1,
        "arrival_error_median_s": arrival[0], "arrival_error_p90_s": arrival[1],
        "departure_error_median_s": departure[0], "departure_error_p90_s": departure[1],
        "visit_f1_within_100m": outcome.f1_within(100),
        "visit_f1_within_50m": outcome.f1_within(50),
        "true_places": claims.places, "visited_destinations": claims.destinations,
        "position_error_median_m": statistics.median(claims.distances),
        "position_error_p90_m": percentile(sorted(claims.distances), 0.9),
        "within_accuracy": claims.within(1), "within_twice_accuracy": claims.within(2),
        "arrival_within_bounds": claims.holding(0), "arrival_bounds_median_s": claims.width(0),
        "departure_within_bounds": claims.holding(1), "departure_bounds_median_s": claims.width(1),
        "route_error_mean_m": outcome.route_mean, "route_error_median_m": outcome.route_median,
        "route_error_p95_m": outcome.route_p95,
        "route_error_under_sky_p95_m": outcome.route_p95_under_sky}))


if __name__ == "__main__":
    main()
