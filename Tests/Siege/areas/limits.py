"""Clocks that are far off, little room for the stack, places with very many corners."""

import json
import math
import resource
import time

import alerts
from areas.clock import clock_of, shifted_clock
from daemon import Daemon, Watch
from field import area
from program import CLEAN, run
from receiver import Receiver, Walk, now

YEARS = (1902, 1969, 1970, 1980, 2036, 2038, 2100, 2106, 2200, 2261, 2262, 2263, 2270, 2500, 9999)
STACKS_KB = (64, 96, 128, 256, 512)


def commands(siege):
    """Each command that ends by itself, on a store with some days in it."""
    store = siege.path("store.gpkg")
    made = run([siege.godwit, "simulate", "--days", "2", "--store", store], 60)
    siege.found.check(made.code == 0, f"simulate: {made}")
    for arguments in (["places", "add", "Home", "--at", "53,6"],
                      ["alerts", "add", "Home", "--when", "leave", "--on", "mo,tu"]):
        run([siege.godwit, *arguments, "--store", store])
    nobody = ["--set", 'uplink.mqtt.brokers=["mqtt://127.0.0.1:1"]',
              "--set", f"uplink.path={siege.path('uplink.db')}"]
    reading = [["track"], ["visits"], ["trips"], ["destinations"], ["places", "list"],
               ["alerts", "list"], ["contacts", "list"], ["letters", "list"], ["groups", "list"],
               ["meetings", "list"], ["export", "--format", "gpx"], ["store", "check"],
               ["uplink", "status", *nobody], ["uplink", "run", *nobody]]
    return ([[*words, "--store", store] for words in reading]
            + [["simulate", "--days", "1", "--score"], ["config", "check"], ["doctor"], ["status"],
               ["--version"]])


def died(result):
    """Ended by a signal, or not at all."""
    return result.hung or result.code < 0


@area("clock-commands", minutes=2)
def clock_commands(siege):
    """Commands under clocks of the years 1902 to 9999: none dies"""
    library, wrong = shifted_clock(siege), []
    if not library:
        return
    all_of_them = commands(siege)
    for year in YEARS:
        environment = {**CLEAN, **clock_of(siege, library, year)}
        for words in all_of_them:
            result = run([siege.godwit, *words], 30, env=environment)
            if died(result):
                wrong.append(f"{year}: {' '.join(words)}: {result}")
    siege.found.tried(f"{len(YEARS)} years, {len(all_of_them)} commands in each")
    siege.found.none("that died", wrong)


@area("stack", minutes=1)
def stack(siege):
    """Commands with a stack of 64 to 512 kB: they work, or say what they need"""
    wrong, worked = [], 0
    some = commands(siege)[:1] + [["--version"], ["simulate", "--days", "1", "--score"]]
    for size in STACKS_KB:
        for words in some:
            result = run([siege.godwit, *words], 30, preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_STACK, (size << 10, size << 10)))
            worked += result.code == 0
            if died(result) or result.code and b"stack" not in result.errors:
                wrong.append(f"{size} kB: {' '.join(words)}: {result}")
    siege.found.tried(f"{len(STACKS_KB)} sizes; {worked} commands worked")
    siege.found.none("that died, or did not say why", wrong)


@area("place-edges", minutes=1)
def place_edges(siege):
    """The board within 200 areas of 5,000 corners each: less memory than the unit allows"""
    daemon = Daemon(siege, siege.path("daemon"), ["policy.name=continuous"], siege.path("rx"))
    with Receiver(siege.path("rx")) as receiver:
        daemon.start().stop()
        path = siege.path("areas.geojson")
        with open(path, "w") as file:
            json.dump({"type": "FeatureCollection", "features": [
                area_around(53, 6, 0.01 + 1e-4 * number, 5_000) for number in range(200)]}, file)
        alerts.do(siege, "places", "import", path, "--store", daemon.store)
        walk = Walk(now().isoformat(), 53.0, 6.0)
        with daemon.start(), Watch(daemon, every_s=0.1) as watch:
            for _ in range(60):
                receiver.send(walk.epoch())
                receiver.hear()
                time.sleep(0.1)
            inside = len(daemon.status()["places"])
    siege.found.tried("200 areas, 60 fixes")
    siege.found.says(f"inside {inside} of them")
    siege.found.check(inside >= 50, f"only {inside} of 200 areas are watched")
    watch.memory.report(siege.found, 38)


def area_around(latitude, longitude, radius_deg, corners):
    """A polygon with a jagged edge, so that none of its corners can be left out."""
    turns = [2 * math.pi * corner / corners for corner in range(corners)]
    ring = [[longitude + radius_deg * (1 + 0.05 * math.sin(37 * turn)) * math.cos(turn),
             latitude + radius_deg * (1 + 0.05 * math.sin(37 * turn)) * math.sin(turn)]
            for turn in turns]
    return {"type": "Feature", "properties": {"name": f"within {radius_deg:.4f}"},
            "geometry": {"type": "Polygon", "coordinates": [ring + ring[:1]]}}
