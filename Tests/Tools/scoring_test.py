#!/usr/bin/env python3
"""Checks the scoring itself on cases that can be worked out by hand: a wrong score looks like a
good schedule."""

import csv
import math
import os
import tempfile
import unittest

from scoring import METRES_PER_DEGREE, Outcome, Route, TrueStays, percentile, true_way

NORTH = 1000 / METRES_PER_DEGREE  # degrees of a kilometre


def clock(second):
    return f"2026-05-04T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"


def stay(arrival, departure, lat=0.0):
    return {"arrival": clock(arrival), "departure": clock(departure), "lat": lat, "lon": 6.0}


def visit(arrival, departure, lat=0.0, accuracy=30.0, confidence=0.5, destination=1):
    """With bounds a minute to both sides."""
    return stay(arrival, departure, lat) | {
        "arrival_earliest": clock(max(0, arrival - 60)), "arrival_latest": clock(arrival + 60),
        "departure_earliest": clock(departure - 60), "departure_latest": clock(departure + 60),
        "accuracy_m": accuracy, "confidence": confidence, "destination_id": destination}


class Routes(unittest.TestCase):
    def test_a_point_late_is_an_error_although_the_line_is_right(self):
        route = Route([(0, 0, 6), (100, NORTH, 6)])
        errors = route.errors([(25, 0, 6), (50, NORTH / 2, 6), (100, NORTH, 6)])
        self.assertAlmostEqual(errors[0], 250, places=3)
        self.assertAlmostEqual(errors[1], 0, places=3)
        self.assertAlmostEqual(errors[2], 0, places=3)

    def test_before_the_first_and_after_the_last_point_it_is_there(self):
        route = Route([(200, NORTH, 6), (100, 0, 6)])
        self.assertEqual(
            [round(error) for error in route.errors([(0, NORTH, 6), (900, 0, 6)])], [1000, 1000])

    def test_east_shrinks_with_the_latitude_and_passes_the_date_line(self):
        route = Route([(0, 60, 179.999), (10, 60, -179.999)])
        self.assertAlmostEqual(
            route.errors([(5, 60, 179.999)])[0], 0.001 * METRES_PER_DEGREE / 2, places=3)

    def test_points_of_one_moment_do_not_divide_by_zero(self):
        self.assertEqual(Route([(5, 0, 6), (5, 1, 6), (6, 1, 6)]).at(5), (1, 6))

    def test_only_the_way_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "track.csv")
            with open(path, "w") as table:
                rows = csv.writer(table)
                rows.writerow(["time", "lat", "lon", "sky", "under_way"])
                rows.writerow([clock(0), 0, 6, "open", 0])
                rows.writerow([clock(10), 0.5, 6, "open", 1])
                rows.writerow([clock(20), 0.6, 6, "none", 1])
            way = true_way(path)
        self.assertEqual(
            [position[1:] for position in way], [(0.5, 6.0, True), (0.6, 6.0, False)])

    def test_no_point_at_all_is_no_score_of_zero(self):
        self.assertTrue(math.isnan(Outcome().route_p95))

    def test_a_route_that_was_not_stored_is_infinitely_far_off(self):
        self.assertEqual(Route([]).errors([(0, 0.0, 0.0, True)]), [math.inf])


class Stays(unittest.TestCase):
    def setUp(self):
        # Home, a walk of 1 m/s to a stop, eight minutes there, a ride at 10 m/s, almost five
        # minutes, home.
        self.truth = TrueStays([
            stay(0, 3600), stay(4600, 5080, NORTH), stay(5180, 8000, 2 * NORTH),
            stay(8100, 8390, 3 * NORTH), stay(8490, 20_000)])
        self.way = []

    def outcome(self, *visits):
        return Outcome.of(self.truth, list(visits), self.way, [])

    def test_a_missed_stay_is_named_with_its_length(self):
        outcome = self.outcome(visit(30, 3500), visit(5200, 7900), visit(8495, 20_000))
        self.assertEqual(len(outcome.matched), 3)
        self.assertEqual([end - start for start, end in outcome.missed], [480])
        self.assertEqual(outcome.found_of(True), (0, 1))
        self.assertEqual(outcome.found_of(False), (3, 3))
        self.assertAlmostEqual(outcome.f1, 6 / 7)

    def test_a_wait_between_a_walk_and_a_ride_counts_in_the_first_score_only(self):
        outcome = self.outcome(visit(30, 3500), visit(5200, 7900), visit(8495, 20_000))
        self.assertEqual(outcome.visiting, [3, 0, 0])
        self.assertEqual(outcome.f1_of_visits, 1)

    def test_a_visit_nobody_made_is_extra_and_a_short_stay_is_not(self):
        outcome = self.outcome(visit(4000, 4500), visit(8100, 8410))
        self.assertEqual((len(outcome.matched), outcome.extra), (0, 1))

    def test_one_visit_over_two_stays_finds_one_of_them_at_most(self):
        outcome = self.outcome(visit(0, 8000))
        self.assertEqual((len(outcome.matched), len(outcome.missed), outcome.extra), (0, 4, 1))

    def test_a_tunnel_counts_in_the_first_route_error_only(self):
        self.way = [(0, 0.0, 6.0, True), (10, NORTH, 6.0, False)]
        outcome = Outcome.of(self.truth, [], self.way, [(0, 0.0, 6.0)])
        self.assertEqual(round(outcome.route_p95), 1000)
        self.assertEqual(outcome.route_p95_under_sky, 0)

    def test_timing_is_absolute_and_by_end(self):
        outcome = self.outcome(visit(60, 3590), visit(5170, 8200))
        self.assertEqual(outcome.timing(0), (35, 60))
        self.assertEqual(outcome.timing(1), (105, 200))


class Places(unittest.TestCase):
    """Three stays of an hour at two places."""

    def setUp(self):
        self.truth = TrueStays([
            stay(0, 3600), stay(5000, 8600, NORTH), stay(10_000, 13_600)])

    def outcome(self, *visits):
        return Outcome.of(self.truth, list(visits), [], [])

    def test_a_visit_far_from_its_place_is_missed_and_extra(self):
        outcome = self.outcome(
            visit(0, 3600, 0.08 * NORTH), visit(5000, 8600, 1.3 * NORTH, destination=2),
            visit(10_000, 13_600, 0.02 * NORTH, destination=3))
        self.assertEqual(outcome.f1, 1)
        self.assertAlmostEqual(outcome.f1_within(100), 2 / 3)
        self.assertAlmostEqual(outcome.f1_within(50), 1 / 3)
        self.assertEqual((outcome.claims.destinations, outcome.claims.places), (3, 2))
        self.assertAlmostEqual(outcome.claims.within(1), 1 / 3)
        self.assertAlmostEqual(outcome.claims.within(3), 2 / 3)

    def test_bounds_hold_the_truth_or_not(self):
        outcome = self.outcome(visit(61, 3600), visit(5062, 8540, NORTH))
        self.assertAlmostEqual(outcome.claims.holding(0), 1 / 2)
        self.assertEqual(outcome.claims.holding(1), 1)
        self.assertEqual(outcome.claims.width(0), 120)

    def test_a_confidence_is_compared_with_the_visits_that_are_right(self):
        outcome = self.outcome(
            visit(0, 3600, confidence=0.9), visit(3650, 4900, confidence=0.81),
            visit(5000, 8600, NORTH, confidence=0.1))
        (low, high) = outcome.claims.classes()
        self.assertEqual(low, (1, 0.1, 1))
        self.assertEqual((high[0], high[2]), (2, 1 / 2))


class Sums(unittest.TestCase):
    def test_percentiles_are_of_the_values(self):
        self.assertEqual(percentile(list(range(1, 101)), 0.95), 95)
        self.assertEqual(percentile([7], 0.95), 7)

    def test_weeks_add_up_without_changing_each_other(self):
        first, second = Outcome(), Outcome()
        first.route, second.route = [1, 3], [2]
        first.energy, second.energy = 1, 3
        first.continuous = second.continuous = 100
        first.missed = [(0, 400)]
        total = Outcome().add(first).add(second)
        self.assertEqual(total.route, [1, 2, 3])
        self.assertEqual((total.route_mean, total.route_median), (2, 2))
        self.assertEqual(total.energy_share, 0.02)
        self.assertEqual((first.route, first.energy), ([1, 3], 1))
        self.assertEqual(total.found_of(True), (0, 1))


if __name__ == "__main__":
    unittest.main()
