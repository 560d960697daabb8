"""Whether other programs can read the program's output and exports."""

import csv
import io
import json
import xml.etree.ElementTree

from program import run

FORMATS = ("gpx", "geojson", "kml", "csv", "owntracks")


def complaint(kind, data):
    """None, or why this is not such a document."""
    try:
        text = data.decode()
        if kind in ("gpx", "kml"):
            xml.etree.ElementTree.fromstring(text)
        elif kind in ("geojson", "json"):
            json.loads(text)
        elif kind == "owntracks":
            for line in text.splitlines():
                json.loads(line) if line.startswith("{") else None
        else:
            widths = {len(row) for row in csv.reader(io.StringIO(text))}
            if len(widths) > 1:
                return f"rows of {sorted(widths)} columns"
    except (ValueError, xml.etree.ElementTree.ParseError) as error:
        return str(error)
    return None


def commands(store):
    """Every command that reads a store, with the format of what it prints."""
    listings = [("json", [name, "--store", store, "--json"])
                for name in ("track", "visits", "destinations")]
    return listings + [(kind, ["export", kind, "--store", store]) for kind in FORMATS]


def read_all(siege, store, codes=(0,)):
    """Runs all of them; returns the faults in their output."""
    wrong = []
    for kind, arguments in commands(store):
        result = run([siege.godwit, *arguments])
        what = " ".join(arguments[:2])
        if result.code not in codes:
            wrong.append(f"{what}: {result}")
        elif result.code == 0 and (why := complaint(kind, result.output)):
            wrong.append(f"{what}: {why}")
        elif result.code != 0 and not result.errors:
            wrong.append(f"{what}: silent with rc {result.code}")
    return wrong
