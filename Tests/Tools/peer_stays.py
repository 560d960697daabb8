#!/usr/bin/env python3
"""Runs one other program's stop detection on traces, in the environment that peers.py made for it.

Usage: peer_stays.py TOOL SETTING REPEAT < PATHS

Prints a line of JSON for each trace, in the order of the paths: stays as pairs of seconds, the
number of fixes, and the least CPU seconds of all repeats: `whole` from opening the file to the
stays, `alone` the detection in points that the program already holds in its own form. What starting
Python and importing the program takes is in neither. Only the standard library, and the program
with what it depends on, can be imported here.
"""

import datetime
import json
import sys
import time
import warnings

FOR_EVER = 1e9  # minutes


def read(path):
    import pandas
    table = pandas.read_csv(path, usecols=["time", "lat", "lon"])
    table["time"] = pandas.to_datetime(table["time"], utc=True)
    return table


class Trackintel:
    SETTINGS = {
        "default": {},
        "no gap, last stop kept": {"gap_threshold": FOR_EVER, "include_last": True},
    }

    def __init__(self):
        import geopandas
        import trackintel
        self.geopandas, self.trackintel = geopandas, trackintel

    def load(self, table):
        return self.trackintel.Positionfixes(self.geopandas.GeoDataFrame(
            {"user_id": 0, "tracked_at": table["time"]},
            geometry=self.geopandas.points_from_xy(table["lon"], table["lat"]), crs="EPSG:4326"))

    def stays(self, points, **setting):
        _, stays = points.generate_staypoints(**setting)
        return [(start.timestamp(), end.timestamp())
                for start, end in zip(stays["started_at"], stays["finished_at"])]


class ScikitMobility:
    SETTINGS = {
        "default": {},
        "100 m, 5 min": {"spatial_radius_km": 0.1, "minutes_for_a_stop": 5},
    }

    def __init__(self):
        import skmob
        from skmob.preprocessing import detection
        self.skmob, self.detection = skmob, detection

    def load(self, table):
        # It computes with times without a zone.
        table = table.assign(time=table["time"].dt.tz_localize(None))
        return self.skmob.TrajDataFrame(table, latitude="lat", longitude="lon", datetime="time")

    def stays(self, points, **setting):
        stays = self.detection.stay_locations(points, **setting)
        return [tuple(moment.replace(tzinfo=datetime.timezone.utc).timestamp() for moment in pair)
                for pair in zip(stays["datetime"], stays["leaving_datetime"])]


class MovingPandas:
    # It has no default: the caller gives both. 100 m is what its documentation's example has.
    SETTINGS = {
        "100 m across, 5 min": {"max_diameter": 100},
        "200 m across, 5 min": {"max_diameter": 200},
    }

    def __init__(self):
        import movingpandas
        self.movingpandas = movingpandas

    def load(self, table):
        return self.movingpandas.Trajectory(
            table.assign(time=table["time"].dt.tz_localize(None)), traj_id=0, t="time", x="lon",
            y="lat", crs="EPSG:4326")

    def stays(self, points, max_diameter):
        stops = self.movingpandas.TrajectoryStopDetector(points).get_stop_time_ranges(
            max_diameter=max_diameter, min_duration=datetime.timedelta(minutes=5))
        return [tuple(moment.replace(tzinfo=datetime.timezone.utc).timestamp()
                      for moment in (stop.t_0, stop.t_n)) for stop in stops]


class Infostop:
    SETTINGS = {"default": {}, "50 m": {"r1": 50, "r2": 50}}
    LONGEST_GAP = 86400  # s, its own default

    def __init__(self):
        import infostop
        import numpy
        import pandas
        self.infostop, self.numpy, self.epoch = infostop, numpy, pandas.Timestamp(0, tz="UTC")

    def load(self, table):
        return self.numpy.column_stack(
            [table["lat"], table["lon"], (table["time"] - self.epoch).dt.total_seconds()])

    def stays(self, points, **setting):
        try:
            labels = self.infostop.Infostop(**setting).fit_predict(points)
        except Exception as error:
            if "No stop events found" in str(error):
                return []
            raise
        # Its own compute_intervals() loses a stop that lasts until the end of the trace.
        times = points[:, 2]
        is_new = self.numpy.flatnonzero(
            (self.numpy.diff(labels) != 0) | (self.numpy.diff(times) >= self.LONGEST_GAP)) + 1
        starts = self.numpy.concatenate([[0], is_new])
        ends = self.numpy.concatenate([is_new, [len(times)]]) - 1
        return [(times[start], times[end])
                for start, end in zip(starts, ends) if labels[start] != -1]


TOOLS = {"trackintel": Trackintel, "scikit-mobility": ScikitMobility, "infostop": Infostop,
         "movingpandas": MovingPandas}


def main():
    tool, setting, repeat = sys.argv[1:]
    warnings.filterwarnings("ignore")
    peer = TOOLS[tool]()
    for path in sys.stdin.read().split("\n"):
        whole = alone = float("inf")
        try:
            for _ in range(int(repeat)):
                opened = time.process_time()
                table = read(path)
                points = peer.load(table)
                loaded = time.process_time()
                stays = peer.stays(points, **peer.SETTINGS[setting])
                done = time.process_time()
                whole, alone = min(whole, done - opened), min(alone, done - loaded)
            answer = {"stays": [[float(start), float(end)] for start, end in stays],
                      "fixes": len(table), "whole": whole, "alone": alone}
        except Exception as error:  # A crash is a result, too.
            answer = {"crash": f"{type(error).__name__}: {error}"}
        print(json.dumps({"path": path, **answer}), flush=True)


if __name__ == "__main__":
    main()
