"""Invalid files of places, and commands on places and alerts with invalid arguments."""

import json
import math


# A valid place in each format.
GOOD = {"type": "Feature", "properties": {"name": "good"},
        "geometry": {"type": "Point", "coordinates": [6.5, 53.2]}}
WAYPOINT = {"_type": "waypoint", "desc": "good", "lat": 53.2, "lon": 6.5, "rad": 80,
            "tst": 1_700_000_000}
GPX = ('<?xml version="1.0"?><gpx version="1.1" creator="siege"'
       ' xmlns="http://www.topografix.com/GPX/1/1">%s</gpx>')
GPX_GOOD = '<wpt lat="53.2" lon="6.5"><name>good</name></wpt>'
KML = '<kml xmlns="http://www.opengis.net/kml/2.2"><Document>%s</Document></kml>'
KML_GOOD = ("<Placemark><name>good</name><Point><coordinates>6.5,53.2</coordinates></Point>"
            "</Placemark>")


class Case:
    """A file, and how many of its places may enter the store."""

    def __init__(self, name, data, good=0, refused=None, words=""):
        self.name = name
        self.data = data if isinstance(data, bytes) else data.encode(errors="surrogatepass")
        self.good, self.refused, self.words = good, refused, words


def collection(*features):
    return json.dumps({"type": "FeatureCollection", "features": features})


def beside_good(name, geometry, words, properties=None):
    """One invalid feature, as text or as an object, and a valid one after it."""
    text = geometry if isinstance(geometry, str) else json.dumps(geometry)
    bad = (f'{{"type": "Feature", "properties": {json.dumps(properties or {"name": "bad"})}, '
           f'"geometry": {text}}}')
    return Case(f"{name}.geojson", f'{{"type": "FeatureCollection", "features": [{bad}, '
                f"{json.dumps(GOOD)}]}}", good=1, refused=1, words=words)


def polygon(*rings):
    return {"type": "Polygon", "coordinates": rings}


def ring(*corners):
    return [[6 + x / 1000, 53 + y / 1000] for x, y in corners]


def geometries():
    box = ring((0, 0), (4, 0), (4, 4), (0, 4), (0, 0))
    cases = {
        "bow-tie": polygon(ring((0, 0), (4, 4), (4, 0), (0, 4), (0, 0))),
        "star": polygon(ring(*[(5 * math.sin(turn), 5 * math.cos(turn)) for turn in
                               [n * 4 * math.pi / 5 for n in range(5)]], (0, 5))),
        "open": polygon(ring((0, 0), (4, 0), (4, 4), (0, 4))),
        "three-positions": polygon(ring((0, 0), (4, 0), (0, 0))),
        "one-corner": polygon(ring((0, 0), (0, 0), (0, 0), (0, 0))),
        "flat": polygon(ring((0, 0), (2, 0), (4, 0), (0, 0))),
        "hole-outside": polygon(box, ring((9, 9), (10, 9), (10, 10), (9, 9))),
        "hole-crosses": polygon(box, ring((3, 3), (6, 3), (6, 6), (3, 3))),
        "holes-cross": polygon(box, ring((1, 1), (3, 1), (3, 3), (1, 1)),
                               ring((1, 2), (3, 2), (1, 3), (1, 2))),
        "no-ring": polygon(), "empty-ring": polygon([]), "no-polygon":
        {"type": "MultiPolygon", "coordinates": []},
        "overlapping": {"type": "MultiPolygon", "coordinates": [
            [box], [ring((2, 2), (6, 2), (6, 6), (2, 6), (2, 2))]]},
        "empty-point": {"type": "Point", "coordinates": []},
        "one-number": {"type": "Point", "coordinates": [6]},
        "latitude-91": {"type": "Point", "coordinates": [6, 91]},
        "longitude-999": {"type": "Point", "coordinates": [999, 53]},
        "texts": {"type": "Point", "coordinates": ["6", "53"]},
        "nulls": {"type": "Point", "coordinates": [None, None]},
        "nan": '{"type": "Point", "coordinates": [NaN, 53]}',
        "infinity": '{"type": "Point", "coordinates": [6, -Infinity]}',
        "1e999": '{"type": "Point", "coordinates": [1e999, 53]}',
        "400-digits": f'{{"type": "Point", "coordinates": [6, {"9" * 400}]}}',
        "null": "null", "number": "53", "list": "[6, 53]", "no-type": {"coordinates": [6, 53]},
        "other-type": {"type": "Circle", "coordinates": [6, 53]},
        "line": {"type": "LineString", "coordinates": [[6, 53], [7, 54]]},
        "collection": {"type": "GeometryCollection", "geometries": []},
        "polygon-of-points": {"type": "Polygon", "coordinates": [6, 53]},
        "point-of-rings": {"type": "Point", "coordinates": [[[6, 53]]]},
        "latitude-in-ring": polygon([[6, 53], [6.1, 53], [6.1, 91], [6, 53]]),
    }
    return [beside_good(name, geometry, "feature 1") for name, geometry in cases.items()]


def schedules():
    """Input that is accepted with a remark, or unchanged."""
    point = {"type": "Point", "coordinates": [6, 53]}
    start = "DTSTART;TZID=Europe/Berlin:20260105T080000\nDURATION:PT1H\n"
    wrong = {
        "never-begins": "RRULE:FREQ=DAILY", "unknown-zone":
        "DTSTART;TZID=Mars/Olympus:20260105T080000\nDURATION:PT1H",
        "zone-of-a-path": "DTSTART;TZID=../../etc/passwd:20260105T080000\nDURATION:PT1H",
        "month-13": "DTSTART:20261305T080000\nDURATION:PT1H", "february-30":
        "DTSTART:20260230T080000\nDURATION:PT1H", "hour-25":
        "DTSTART:20260105T250000\nDURATION:PT1H",
        "frequency": start + "RRULE:FREQ=FORTNIGHTLY", "interval-0":
        start + "RRULE:FREQ=DAILY;INTERVAL=0", "count-and-until":
        start + "RRULE:FREQ=DAILY;COUNT=3;UNTIL=20270101T000000Z",
        "ends-before-it-begins": "DTSTART:20260105T080000\nDTEND:20260105T070000",
        "words": "every day", "number-of-day": start + "RRULE:FREQ=MONTHLY;BYMONTHDAY=32",
        "day": start + "RRULE:FREQ=WEEKLY;BYDAY=XX", "interval-of-20-digits":
        start + "RRULE:FREQ=DAILY;INTERVAL=" + "9" * 20,
    }
    right = {
        "without-end": start + "RRULE:FREQ=DAILY",
        "the-31st": "DTSTART;TZID=Europe/Berlin:20260131T080000\nDURATION:PT1H\n"
                    "RRULE:FREQ=MONTHLY",
        "only-the-31st": start + "RRULE:FREQ=MONTHLY;BYMONTHDAY=31",
        "february-29": "DTSTART:20240229T080000\nDURATION:PT1H\nRRULE:FREQ=YEARLY",
        "hour-that-is-missing": "DTSTART;TZID=Europe/Berlin:20260329T023000\nDURATION:PT1H\n"
                                "RRULE:FREQ=DAILY",
        "hour-that-is-twice": "DTSTART;TZID=Europe/Berlin:20261025T023000\nDURATION:PT1H\n"
                              "RRULE:FREQ=DAILY",
    }
    # Rules that no day fulfils: the search for one must end.
    never = {
        "february-30-rule": start + "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "the-31st-of-april": start + "RRULE:FREQ=YEARLY;BYMONTH=4,6;BYMONTHDAY=31",
        "february-30-in-steps": start + "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;INTERVAL=1000",
    }

    def case(name, text, words=""):
        made = beside_good(f"schedule-{name}", point, words, {"name": "bad", "schedule": text})
        made.good, made.refused = 2, 0
        return made

    # A place is valid all the same: an unreadable schedule is reported, and ignored.
    return ([case(name, text, "counts as always open") for name, text in wrong.items()]
            + [case(name, text) for name, text in {**right, **never}.items()])


def documents():
    """Faults of a whole file, or outside the place itself."""
    good = json.dumps(GOOD)
    bomb = "<!DOCTYPE kml [<!ENTITY a \"ha\">%s]>" % "".join(
        f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(12))
    named = KML_GOOD.replace("good", "&m;")
    external = '<!DOCTYPE kml [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    return [
        Case("empty.geojson", ""), Case("spaces.geojson", " " * 1_000_000),
        Case("no-list.geojson", '{"type": "FeatureCollection", "features": 7}'),
        Case("words.geojson", "places"), Case("null.geojson", "null"),
        Case("number.json", "7"), Case("cut.geojson", collection(GOOD, GOOD)[:-30]),
        Case("crossed.geojson", '{"type":"FeatureCollection","features":[{]}]}'),
        Case("deep.geojson", '{"type":"FeatureCollection","features":' + "[" * 1_000_000),
        Case("deep-feature.geojson", '{"type":"FeatureCollection","features":['
             + '{"a":' * 100_000 + "1" + "}" * 100_000 + f",{good}]}}", good=1, refused=1,
             words="feature 1"),
        Case("deep-properties.geojson", '{"type":"FeatureCollection","features":[{"type":"Feature",'
             '"geometry":' + json.dumps(GOOD["geometry"]) + ',"properties":{"x":' + "[" * 50_000
             + "]" * 50_000 + f"}}}},{good}]}}", good=1, refused=1, words="feature 1"),
        Case("utf-8.geojson", collection(GOOD).encode().replace(b"good", b"b\xff\xfe\xc0\x80"),
             good=None, refused=None),
        Case("surrogate.geojson", collection(GOOD).replace("good", "\\ud800"), good=None),
        Case("nul.geojson", collection(GOOD).replace("good", "a\\u0000b"), good=None),
        Case("utf-16.geojson", collection(GOOD).encode("utf-16")),
        Case("crs.geojson", collection(GOOD)[:-1] + ', "crs": {"type": "name", "properties": '
             '{"name": "urn:ogc:def:crs:EPSG::28992"}}}'),
        Case("long-name.geojson", collection(GOOD).replace("good", "n" * 1_000_000), refused=1,
             words="feature 1"),
        Case("uuid.geojson", collection({**GOOD, "id": "not-a-uuid"}), good=None),
        Case("bomb.kml", bomb + KML % (named + KML_GOOD), words="DOCTYPE"),
        Case("external.kml", external + KML % (KML_GOOD.replace("good", "&x;") + KML_GOOD),
             words="DOCTYPE"),
        Case("no-coordinates.kml", KML % ("<Placemark><name>bad</name><Point><coordinates>"
                                          "</coordinates></Point></Placemark>" + KML_GOOD),
             good=1, refused=1, words="placemark 1"),
        Case("words.kml", KML % (KML_GOOD.replace("6.5,53.2", "six,53") + KML_GOOD), good=1,
             refused=1, words="placemark 1"),
        Case("levels.kml", "<kml>" + "<Folder>" * 1_000_000), Case("cut.kml", KML[:40]),
        Case("crossed.kml", "<kml><Document><Placemark></Document></Placemark></kml>"),
        Case("other-root.gpx", GPX.replace("<gpx", "<osm").replace("</gpx>", "</osm>") % GPX_GOOD),
        Case("inner-root.gpx", "<osm>" + GPX[21:] % GPX_GOOD + "</osm>"),
        Case("nan.gpx", GPX % (GPX_GOOD.replace("53.2", "nan") + GPX_GOOD), good=1, refused=1,
             words="waypoint 1"),
        Case("91.gpx", GPX % (GPX_GOOD.replace("53.2", "91") + GPX_GOOD), good=1, refused=1,
             words="waypoint 1"),
        Case("1e999.gpx", GPX % (GPX_GOOD.replace("6.5", "1e999") + GPX_GOOD), good=1, refused=1,
             words="waypoint 1"),
        Case("without.gpx", GPX % ("<wpt><name>bad</name></wpt>" + GPX_GOOD), good=1, refused=1,
             words="waypoint 1"),
        Case("cut.gpx", (GPX % (GPX_GOOD * 3))[:-40]),
    ]


def waypoints():
    wrong = {"lat": ["53.2", None, [], 91, True], "lon": ["x", None, {}, -181],
             "rad": ["80", -5, [1]], "desc": [7, [], None, {}], "tst": ["x", -1, {}],
             "_type": [7, "location", None]}
    cases = []
    for name, values in wrong.items():
        for number, value in enumerate(values):
            bad = {**WAYPOINT, "desc": "bad", name: value}
            text = json.dumps({"_type": "waypoints", "waypoints": [bad, WAYPOINT]})
            # The program may refuse it, or accept it without the missing part.
            cases.append(Case(f"{name}-{number}.otrw", text, good=None))
    return cases + [Case("none.otrw", '{"_type": "waypoints", "waypoints": 7}'),
                    Case("1e999.otrw", json.dumps(WAYPOINT).replace("53.2", "1e999"), refused=1,
                         words="waypoint 1"),
                    Case("nan.otrw", json.dumps(WAYPOINT).replace("53.2", "NaN"), refused=1,
                         words="waypoint 1")]


def files():
    return geometries() + schedules() + documents() + waypoints()


def arguments():
    """Invalid commands."""
    alert = ["alerts", "add", "x", "--when"]
    schedules = ["RRULE:FREQ=DAILY", "DTSTART;TZID=Mars/Olympus:20260105T080000",
                 "DTSTART:20260230T080000", "every day"]
    about_alerts = [
        ["arrive"], ["dwell", "--for", "nan"], ["dwell", "--for=-1"], ["dwell", "--for", "1e999"],
        ["near", "--within=-5"], ["near", "--within", "inf"], ["enter", "--place", "Nowhere"],
        ["enter", "--place", "Home", "--tag", "t"], ["not-there-by", "--place", "Home"],
        ["not-there-by", "--by", "25:00", "--place", "Home"], ["not-there-by", "--by", "08:15"],
        ["anchor", "--radius", "0"], ["anchor", "--radius", "1e9"], ["anchor", "--grace", "99999"],
        ["enter", "--between", "08:00"], ["enter", "--between", "24:01-25:00"],
        ["enter", "--on", "xx"], ["enter", "--pause=-1"], ["enter", "--pause", "nan"],
        ["enter", "--accuracy", "0"], ["enter", "--armed-by", "thief"], [],
        # Options of another kind.
        ["moved", "--place", "Home"], ["anchor", "--tag", "t"], ["moved", "--followed"],
        ["enter", "--for", "5"], ["leave", "--within", "5"], ["enter", "--arm"],
        ["dwell", "--radius", "50"], ["enter", "--by", "08:00"],
    ] + [["enter", "--schedule", text] for text in schedules]
    place = ["places", "add", "p"]
    about_places = [
        [], ["--at", "91,6"], ["--at", "nan,6"], ["--at", "1e999,6"], ["--at", "53"],
        ["--at", "53;6"], ["--at", "53,6", "--here"], ["--destination", "99"],
        ["--at", "53,6", "--follow-interval", "9"], ["--follows", "d", "--follow-interval", "nan"],
        ["--follows", ""],
    ] + [["--at", "53,6", *more] for more in (
        ["--radius", "nan"], ["--radius", "0"], ["--radius=-1"], ["--radius", "1e999"],
        ["--from", "2026-02-30"], ["--from", "2026-02-02", "--until", "2026-01-01"],
        ["--between", "8-9"], ["--on", "mo,xx"], ["--link", "not a uri"],
        ["--relationship", "next"], ["--relationship", "next=Nowhere"], ["--tag", ""],
        ["--tag", "t" * 300], *[["--schedule", text] for text in schedules])]
    others = [
        ["alerts", "add", "", "--when", "enter"], ["alerts", "add", "n" * 300, "--when", "enter"],
        ["alerts", "remove", "77"], ["alerts", "arm", "zz"], ["alerts", "test", "zz"],
        ["places", "add", "", "--at", "53,6"], ["places", "add", "p" * 300, "--at", "53,6"],
        ["places", "edit", "zz", "--radius", "5"], ["places", "edit", "Home", "--radius", "nan"],
        ["places", "remove", "zz"], ["places", "import", "/nonexistent"],
        ["places", "import", "/tmp"], ["places", "import", "/dev/null"],
    ]
    return ([alert + one if one else alert[:3] for one in about_alerts]
            + [place + one for one in about_places] + others)
