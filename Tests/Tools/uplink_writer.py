#!/usr/bin/env python3
"""Stands in for the daemon: records, and changes of earlier ones, for ever or a number of times.

Usage: uplink_writer.py STORE SEED. Every location and crossing has a second of its own, so that
receivers that know no numbers can be compared.
"""
import random
import sqlite3
import struct
import sys
import time
from datetime import datetime, timedelta, timezone

BEGIN = datetime(2026, 5, 1, tzinfo=timezone.utc)
EARLIER = "2026-05-01T00:00:00.000Z"


def moment(second):
    return (BEGIN + timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def point(longitude, latitude):
    """A geometry of a GeoPackage: header, WGS 84, and a point as well-known binary."""
    return b"GP\0\1" + struct.pack("<i", 4326) + b"\1" + struct.pack("<Idd", 1, longitude, latitude)


class Writer:
    def __init__(self, path, seed):
        self.random = random.Random(seed)
        self.store = sqlite3.connect(path, timeout=30, isolation_level=None)
        self.store.execute("PRAGMA synchronous = FULL")

    def insert(self, table, values, verb="INSERT"):
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        self.store.execute(f"{verb} INTO {table} ({names}) VALUES ({marks})", list(values.values()))

    def last(self, table):
        return self.store.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0]

    def position(self):
        return point(self.random.uniform(-180, 180), self.random.uniform(-90, 90))

    def event(self):
        self.insert("events", {"time": EARLIER, "kind": "kill", "level": "info",
                               "reason": str(self.random.random())})

    def location(self):
        values = {"geom": self.position(), "accuracy_m": self.random.uniform(0.1, 3000),
                  "source": self.random.choice(["gnss", "coarse"]), "reason": "scheduled"}
        if self.random.random() < 0.5:
            values |= {"altitude_m": self.random.uniform(-400, 9000),
                       "speed_m_s": self.random.uniform(0, 60),
                       "track_deg": self.random.uniform(0, 360)}
        values["time"] = moment(self.last("track_points") + 1)
        self.insert("track_points", values)

    def visit(self):
        last = self.last("visits")
        self.insert("visits", {
            "id": last + (self.random.random() < 0.3 or last == 0), "geom": self.position(),
            "arrival": EARLIER, "arrival_earliest": EARLIER, "arrival_latest": EARLIER,
            "accuracy_m": self.random.random(), "confidence": 0.5, "locations": 3,
            "unwatched_s": 0.0}, "INSERT OR REPLACE")

    def crossing(self):
        when = moment(self.last("crossings") + 1)
        self.insert("crossings", {
            "geom": self.position(), "time": when, "latest": when, "earliest": EARLIER,
            "change": self.random.choice(["entered", "left", "found"]),
            "place_uuid": "6b1f0d3e-7c55-4f0a-9d43-0f3a4e2b9c11",
            "place_name": self.random.choice(["Haus", "Café \"Zur Uferschnepfe\"", "工場"]),
            "place_version": 1, "accuracy_m": self.random.uniform(0.1, 500),
            "edge_distance_m": self.random.uniform(-50, 50), "probability_inside": 0.75})

    def transaction(self):
        """The records that the daemon writes together."""
        self.store.execute("BEGIN IMMEDIATE")
        for _ in range(self.random.randrange(1, 6)):
            self.event()
        self.visit()
        if self.random.random() < 0.3:
            self.location()
        if self.random.random() < 0.05:
            self.crossing()
        self.store.execute("COMMIT")

    def write(self, locations, crossings):
        """This many, at once."""
        self.store.execute("BEGIN IMMEDIATE")
        for _ in range(locations):
            self.location()
        for _ in range(crossings):
            self.crossing()
        self.store.execute("COMMIT")


def main():
    writer = Writer(sys.argv[1], int(sys.argv[2]))
    while True:
        writer.transaction()
        time.sleep(writer.random.uniform(0, 0.1))


if __name__ == "__main__":
    main()
