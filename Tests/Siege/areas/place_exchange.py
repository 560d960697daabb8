"""Places from and for other programs: GDAL, libraries of GeoJSON and iCalendar, GPX's schema."""

import json
import math
import os
import shutil
import subprocess
import sys
import time

import alerts
from areas.clock import shifted_clock
from field import area
from findings import Skipped
from program import CLEAN, run

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NAMES = ["Museum", "Café “Zur Linde” & <b>co</b>", "Fähre, 3;4|5", "山の上", "East of 180"]
LINES = "DTSTART;TZID=Europe/Berlin:20260105T080000\nDURATION:PT1H"
# A year with clock changes, a leap day, ends of months, and times that do not exist or are
# repeated.
SCHEDULES = [
    LINES, LINES + "\nRRULE:FREQ=DAILY", LINES + "\nRRULE:FREQ=DAILY;INTERVAL=3;COUNT=20",
    LINES + "\nRRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR", LINES + "\nRRULE:FREQ=MONTHLY;BYDAY=-1FR",
    LINES + "\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU",
    LINES + "\nRRULE:FREQ=MONTHLY;BYMONTHDAY=31", LINES + "\nRRULE:FREQ=MONTHLY;BYDAY=2TU",
    LINES + "\nRRULE:FREQ=YEARLY;BYMONTH=6;BYDAY=SU", LINES + "\nRRULE:FREQ=MONTHLY;BYMONTHDAY=-1",
    LINES + "\nRRULE:FREQ=DAILY;UNTIL=20260401T060000Z",
    LINES + "\nRRULE:FREQ=DAILY;BYMONTH=3,10;BYMONTHDAY=24,25,26,27,28,29,30",
    LINES + "\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
    LINES + "\nRRULE:FREQ=YEARLY;BYYEARDAY=1,100,-1",
    "DTSTART:20240229T080000\nDURATION:PT2H\nRRULE:FREQ=YEARLY",
    "DTSTART;TZID=Europe/Berlin:20260131T080000\nDURATION:P1DT2H\nRRULE:FREQ=MONTHLY",
    "DTSTART;TZID=Europe/Berlin:20260326T023000\nDURATION:PT30M\nRRULE:FREQ=DAILY",
    "DTSTART;TZID=Europe/Berlin:20261022T023000\nDURATION:PT30M\nRRULE:FREQ=DAILY",
    "DTSTART;TZID=America/St_Johns:20260301T233000\nDTEND;TZID=America/St_Johns:20260302T013000\n"
    "RRULE:FREQ=WEEKLY",
    "DTSTART;TZID=Australia/Lord_Howe:20260328T014500\nDURATION:PT45M\nRRULE:FREQ=DAILY",
    "DTSTART;TZID=Europe/Berlin:20260324T220000\nDTEND;TZID=Europe/Berlin:20260325T060000\n"
    "RRULE:FREQ=DAILY", "DTSTART:20260105T080000Z\nDURATION:PT8H\nRRULE:FREQ=WEEKLY;BYDAY=SA",
    LINES + "\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
    LINES + "\nRRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
    LINES + "\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
]


def collection():
    """Places of every shape, with all possible members."""
    def feature(name, geometry, **more):
        return {"type": "Feature", "geometry": geometry, "properties": {"name": name, **more}}

    def square(east, north, width):
        return [[east, north], [east + width, north], [east + width, north + width],
                [east, north + width], [east, north]]

    hole = [[6.012, 53.012], [6.012, 53.016], [6.016, 53.016], [6.016, 53.012], [6.012, 53.012]]
    shapes = [
        {"type": "Point", "coordinates": [6.5, 53.2]},
        {"type": "Polygon", "coordinates": [square(6.01, 53.01, 0.01), hole]},
        {"type": "MultiPolygon", "coordinates": [[square(6.1, 53.1, 0.01)],
                                                 [square(6.2, 53.1, 0.01)]]},
        {"type": "Point", "coordinates": [-179.9999999, -89.5]},
        {"type": "MultiPolygon", "coordinates": [[square(179.99, 10, 0.01)],
                                                 [square(-180, 10, 0.01)]]}]
    more = [{"radius_m": 80, "tags": ["food", "a,b"], "schedule": SCHEDULES[3]},
            {"description": "line one", "contents": [{"media_type": "text/plain",
                                                      "text": "<p>&amp;</p>"}]},
            {"visible_to": {"people": ["ada"], "groups": []}}, {"radius_m": 5},
            {"valid_from": "2026-01-01T00:00:00Z", "valid_until": "2030-01-01T00:00:00Z"}]
    return {"type": "FeatureCollection", "features": [
        feature(*parts, **rest) for *parts, rest in zip(NAMES, shapes, more)]}


class Desk:
    """A store, and the programs that read it."""

    def __init__(self, siege, name):
        self.siege, self.found, self.store = siege, siege.found, siege.path(name)
        self.python = interpreter()
        run([siege.godwit, "simulate", "--days", "1", "--store", self.store])

    def do(self, *arguments, data=None):
        return alerts.do(self.siege, *arguments, "--store", self.store, data=data)

    def places(self):
        return {place["name"]: place
                for place in alerts.listing(self.siege, self.store, "places", "list")}

    def gdal(self, *arguments):
        result = run(list(arguments))
        if result.code or b"ERROR" in result.errors:
            self.found.check(False, f"{' '.join(arguments)[:200]}: {result}")
        return result.output.decode()

    def features(self, path, *layer):
        """The features that GDAL reads in a file."""
        return json.loads(self.gdal(
            "ogr2ogr", "-f", "GeoJSON", "/vsistdout/", path, *layer))["features"]


@area("place-exchange", minutes=2)
def place_exchange(siege):
    """Places from and for GDAL, libraries of GeoJSON and iCalendar, GPX's schema"""
    if not shutil.which("ogr2ogr"):
        raise Skipped("no ogr2ogr; install gdal-bin")
    desk = Desk(siege, "store.gpkg")
    desk.do("places", "import", "-", data=json.dumps(collection()).encode())
    siege.found.check(set(desk.places()) == set(NAMES), f"imported: {sorted(desk.places())}")
    written(desk)
    read_by_libraries(desk)
    edited_by_gdal(desk)
    read_back(desk)
    phones(desk)
    scheduled(siege)


def written(desk):
    """GDAL reads our output, feature by feature."""
    for kind, suffix in (("geojson", "geojson"), ("gpx", "gpx"), ("kml", "kml")):
        path = desk.siege.path(f"written.{suffix}")
        desk.do("places", "export", kind, "--output", path)
        layer = ["waypoints"] if kind == "gpx" else []
        features = desk.features(path, *layer)
        names = [one["properties"].get("name") or one["properties"].get("Name")
                 for one in features]
        # GPX has points only.
        desk.found.check(set(names) == set(NAMES), f"{kind}: GDAL reads {names}")
        points = {name: one["geometry"]["coordinates"] for name, one in zip(names, features)
                  if one["geometry"]["type"] == "Point"}
        for name, place in desk.places().items():
            # GPX has some point within an area.
            if name in points and place["shape"].startswith("circle"):
                off = math.dist(points[name][:2], (place["lon"], place["lat"]))
                desk.found.check(off < 1e-6, f"{kind}: {name} is {off}° off for GDAL")
    desk.found.tried("GeoJSON, GPX and KML read by GDAL")
    waypoints = json.loads(desk.do("places", "export", "owntracks"))["waypoints"]
    wrong = [one for one in waypoints if not (
        isinstance(one["desc"], str) and isinstance(one["tst"], int) and one["rad"] >= 0
        and abs(one["lat"]) <= 90 and abs(one["lon"]) <= 180 and one["_type"] == "waypoint")]
    desk.found.none("waypoints that are none of OwnTracks'", wrong)


def interpreter():
    """A Python that has the libraries; Debian's packages are Debian's Python's."""
    for python in (sys.executable, "/usr/bin/python3"):
        if run([python, "-c", "import geojson, icalendar, dateutil"]).code == 0:
            return python
    return None


def outside(desk, *arguments, data=b""):
    done = subprocess.run([desk.python, os.path.join(HERE, "outside_readers.py"), *arguments],
                          input=data, env=CLEAN, capture_output=True, timeout=60)
    if done.returncode:
        desk.found.check(False, f"{arguments}: {done.stderr[-300:]!r}")
        return []
    return json.loads(done.stdout)


def read_by_libraries(desk):
    path = desk.siege.path("written.geojson")
    if desk.python:
        desk.found.none("features that are no GeoJSON to the library", outside(
            desk, "geojson", path))
    else:
        desk.found.gap("no library of GeoJSON; install python3-geojson")
    schema = os.path.join(desk.siege.data, "schemas", "gpx-1.1.xsd")
    if not os.path.exists(schema) or not shutil.which("xmllint"):
        return desk.found.gap("no schemas/gpx-1.1.xsd, or no xmllint; install libxml2-utils")
    checked = run(["xmllint", "--noout", "--nonet", "--schema", schema,
                   desk.siege.path("written.gpx")])
    desk.found.check(checked.code == 0, f"GPX's schema: {checked}")
    desk.found.tried("GPX by its schema")


def edited_by_gdal(desk):
    """The store itself, edited by GDAL and QGIS."""
    extra = desk.siege.path("extra.geojson")
    with open(extra, "w") as file:
        json.dump({"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {"name": f"drawn {number}", "radius_m": 30.5},
             "geometry": {"type": "Point", "coordinates": [6.3, 53 + number / 100]}}
            for number in range(20)]}, file)
    desk.gdal("ogr2ogr", "-append", "-f", "GPKG", desk.store, extra, "-nln", "places")
    places = desk.places()
    drawn = [places.get(f"drawn {number}") for number in range(20)]
    desk.found.check(all(drawn) and len({one["id"] for one in drawn if one}) == 20,
                     f"drawn by GDAL: {sorted(places)}")
    for sql in ("UPDATE places SET radius_m = 77 WHERE name = 'drawn 3'",
                "DELETE FROM places WHERE name = 'drawn 4'",
                "UPDATE place_areas SET name = 'Dock' WHERE name = '山の上'"):
        desk.gdal("ogrinfo", "-q", desk.store, "-sql", sql)
    after = desk.places()
    shown = json.loads(desk.do("places", "show", "drawn 3", "--json"))["features"][0]["properties"]
    desk.found.check(shown["radius_m"] == 77 and shown["version"] == 2, f"updated: {shown}")
    desk.found.check("drawn 4" not in after and len(after) == len(places) - 1, "not deleted")
    areas = {one["properties"]["name"] for one in desk.features(desk.store, "place_areas")}
    desk.found.check(areas <= set(after), f"GDAL reads areas {areas}")
    desk.found.tried("rows appended, changed and deleted by GDAL")


def read_back(desk):
    """GDAL's conversions of our files, and of others', can be imported."""
    source, before = desk.siege.path("written.geojson"), desk.places()
    points = desk.siege.path("points.geojson")
    with open(points, "w") as file:
        json.dump({"type": "FeatureCollection", "features": [
            one for one in collection()["features"] if one["geometry"]["type"] == "Point"]}, file)
    made = {"made.gpkg": ("GPKG", source), "made.kml": ("KML", source),
            "lib.kml": ("LIBKML", source), "made.geojsonl": ("GeoJSONSeq", source),
            "made.gpx": ("GPX", points)}
    counts = {}
    for name, (driver, origin) in made.items():
        path = desk.siege.path(name)
        fields = ["-select", "name"] if driver == "GPX" else []
        desk.gdal("ogr2ogr", "-f", driver, path, origin, *fields)
        if driver == "GPKG":
            # A GeoPackage is a database: the error says how to convert it.
            refused = run([desk.siege.godwit, "places", "import", path, "--store", desk.store])
            desk.found.check(refused.code == 1 and b"ogr2ogr" in refused.errors,
                             f"a GeoPackage as a file: {refused}")
            path = desk.siege.path("from-gpkg.geojson")
            desk.gdal("ogr2ogr", "-f", "GeoJSON", path, desk.siege.path(name))
        copy = desk.siege.path(f"{name}.store")
        run([desk.siege.godwit, "simulate", "--days", "1", "--store", copy])
        said = alerts.do(desk.siege, "places", "import", path, "--store", copy)
        listed = alerts.listing(desk.siege, copy, "places", "list")
        counts[driver] = len(listed)
        wanted = 2 if driver == "GPX" else len(NAMES)
        desk.found.check(len(listed) == wanted, f"{driver}: {len(listed)} of {wanted}: {said}")
    desk.found.check(desk.places() == before, "reading files changed another store")
    desk.found.tried(f"files that GDAL wrote as {', '.join(counts)}")


def phones(desk):
    """OwnTracks' own fixtures, if they are available."""
    folder, taken = os.path.join(desk.siege.data, "owntracks"), 0
    files = [os.path.join(parent, name) for parent, _, names in os.walk(folder)
             for name in names if name.endswith((".otrw", ".json", ".otrc"))]
    for path in files:
        with open(path, errors="replace") as file:
            text = file.read()
        if '"waypoint' not in text:
            continue
        taken += 1
        result = run([desk.siege.godwit, "places", "import", "--dry-run", path, "--store",
                      desk.store])
        desk.found.check(result.code in (0, 1) and (result.code == 0 or result.errors),
                         f"{path}: {result}")
    if not taken:
        return desk.found.gap("no waypoints of OwnTracks in its data")
    desk.found.tried(f"{taken} files of OwnTracks'")


def scheduled(siege):
    """Places are open when icalendar and dateutil say so."""
    desk = Desk(siege, "hours.gpkg")
    library = shifted_clock(siege)
    if not desk.python or not library:
        return siege.found.gap("no library of iCalendar, or no cc; install python3-icalendar, "
                               "python3-dateutil and gcc")
    desk.do("places", "import", "-", data=json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"name": f"{number:02}", "schedule": text,
                                           "radius_m": 50},
         "geometry": {"type": "Point", "coordinates": [6, 53]}}
        for number, text in enumerate(SCHEDULES)]}).encode())
    shown = json.loads(desk.do("places", "export", "geojson"))["features"]
    texts = [one["properties"]["schedule"] for one in sorted(
        shown, key=lambda one: one["properties"]["name"])]
    count = siege.size(50, 6)
    read = outside(desk, "schedules", str(count), data=json.dumps(texts).encode())
    unread = [f"{text!r}: {one}" for text, one in zip(texts, read) if isinstance(one, str)]
    siege.found.none("schedules that icalendar does not read", unread)
    moments = sorted({moment for pairs in read if not isinstance(pairs, str)
                      for begin, end in pairs for moment in (begin - 1, begin, end - 1, end)})
    wrong = compare(siege, desk.store, library, moments, read)
    pairs = sum(len(one) for one in read if not isinstance(one, str))
    siege.found.tried(f"{len(texts)} schedules, {pairs} occurrences, {len(moments)} moments around "
                      "them")
    siege.found.none("moments at which another library says otherwise", wrong)


def compare(siege, store, library, moments, read):
    """The times at which a place is wrongly open or closed."""
    shift, wrong = siege.path("hours-shift"), []
    environment = {**CLEAN, "TZ": "Europe/Berlin", "LD_PRELOAD": library, "SHIFT_FILE": shift}
    for moment in moments:
        # In the middle of a second, so that neither clock's fraction matters.
        while time.time() % 1 > 0.5:
            time.sleep(0.05)
        with open(shift, "w") as file:
            file.write(str(int(moment) - int(time.time())))
        result = run([siege.godwit, "places", "near", "--at", "53,6", "--json", "--store", store],
                     env=environment)
        open_now = {one["name"] for one in json.loads(result.output or b"[]")}
        for number, pairs in enumerate(read):
            # Nothing is known beyond the last occurrence that was requested.
            if isinstance(pairs, str) or not pairs or moment > pairs[-1][1]:
                continue
            expected = any(begin <= moment < end for begin, end in pairs)
            if expected != (f"{number:02}" in open_now):
                wrong.append(f"{SCHEDULES[number]!r} at {moment:.0f}: expected "
                             f"{'open' if expected else 'closed'}")
    return wrong
