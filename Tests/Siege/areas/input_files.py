"""Hostile traces, and commands in odd surroundings."""

import gzip
import os
import shutil
import time

from exports import commands
from field import area
from program import CLEAN, Memory, least_work, name_of, run

GPX = b'<?xml version="1.0"?><gpx version="1.1"><trk><trkseg>%s</trkseg></trk></gpx>'
POINT = b'<trkpt lat="53.0" lon="6.0"><time>2026-11-22T02:00:%02dZ</time>%s</trkpt>'
POINTS = b"".join(POINT % (n, b"") for n in range(60))
PLT = b"Geolife trajectory\nWGS 84\nAltitude is in Feet\nReserved 3\n0,2,255,My Track\n0\n"


def hostile_xml():
    bomb = b'<!DOCTYPE a [<!ENTITY a "ha">%s]>' % b"".join(
        b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(12))
    return {
        "bomb.gpx": bomb + GPX % (POINT % (0, b"<name>&m;</name>")),
        "external.gpx": b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        + GPX % (POINT % (0, b"<name>&x;</name>")),
        "levels.gpx": b"<gpx>" + b"<a>" * 1_000_000,
        "attributes.gpx": GPX % (b"<trkpt " + b"".join(b'a%d="1" ' % n for n in range(300_000))
                                 + b"/>"),
        "text.gpx": GPX % (POINT % (0, b"<name>" + b"x" * 50_000_000 + b"</name>")),
        "utf16.gpx": (GPX % POINTS).decode().encode("utf-16"),
        "nul.gpx": GPX % POINTS.replace(b"02:00:30", b"\0" * 8),
        "cut.gpx": (GPX % POINTS)[:-200], "gzip.gpx": gzip.compress(GPX % POINTS),
        "unclosed.gpx": b"<gpx><trk><trkseg>" + POINTS, "crossed.gpx": b"<gpx><a><b></a></b></gpx>",
        "comment.gpx": b"<gpx><!--" + b"-" * 1_000_000,
        "cdata.gpx": b"<gpx><![CDATA[" + b"]" * 1_000_000,
        "instruction.gpx": b"<?xml " * 100_000, "name.gpx": b"<gpx><" + b"n" * 1_000_000,
        "places.gpx": GPX % b'<trkpt lat="1e999" lon="nan"/>',
        "references.gpx": GPX % (POINT % (0, b"<name>&#xD800;&#x110000;&#-1;</name>")),
    }


def hostile_tables():
    head = b"time,lat,lon\n"
    row = b"2026-11-22T02:00:00Z,53.0,6.0\n"
    return {
        "columns.csv": b"time,lat,lon" + b",a" * 100_000 + b"\n" + row * 10,
        "wide.csv": head + b"," * 1_000_000 + b"\n", "quote.csv": head + b'"' * 1_000_001,
        "field.csv": head + b"2026-11-22T02:00:00Z," + b"5" * 10_000_000 + b",6\n",
        "nul.csv": head + row * 100 + b"\0" * 4096, "head.csv": head, "twice.csv": head * 2 + row,
        "names.csv": b"time,time,lat,lat,lon,lon\n" + row, "bom.csv": b"\xef\xbb\xbf" + head + row,
        "cr.csv": (head + row * 9).replace(b"\n", b"\r"), "spaces.csv": b" " * 1_000_000,
        "bytes.csv": head + bytes(range(256)) * 400,
        "huge.plt": PLT + b"53,6,0,10,1e308,2026-11-22,02:00:00\n" * 10,
        "short.plt": PLT + b"53,6\n" * 10, "nul.plt": PLT + b"\0" * 4096,
        "json.json": b'{"class":"TPV",' * 20_000, "deep.json": b"[" * 1_000_000,
        "long.nmea": b"$GPGGA," + b"1" * 20_000_000, "nothing.nmea": b"",
    }


# The most processor time for a hostile file, in that for an honest one in the same run: 0.3 were
# measured for the slowest, 20 MB in one line. Work that grows faster than the file takes minutes.
MOST_WORK = 0.45


def empty(folder):
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))


def honest_work(siege):
    """Seconds on a processor for 100,000 locations (4 MB): how fast the machine is at the moment."""
    path, folder = siege.path("honest.csv"), siege.room("honest")
    with open(path, "w") as file:
        file.write("time,lat,lon\n")
        for second in range(100_000):
            at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_795_300_000 + second))
            file.write(f"{at},{53 + second * 1e-6:.6f},6.000000\n")
    return least_work([siege.godwit, "simulate", path, "--store", os.path.join(folder, "store.gpkg")],
                      0, before=lambda: empty(folder)).worked_s


@area("input-files", minutes=0.2)
def input_files(siege):
    """Hostile input files through replay and simulate"""
    found, wrong, slowest, memory = siege.found, [], (0, ""), Memory()
    files, most_s = {**hostile_xml(), **hostile_tables()}, MOST_WORK * honest_work(siege)
    for name, data in files.items():
        path = siege.path(name)
        with open(path, "wb") as file:
            file.write(data)
        for command in ("replay", "simulate"):
            folder = siege.room(f"{command}-{name}")
            store = os.path.join(folder, "store.gpkg")
            result = least_work([siege.godwit, command, path, "--store", store], most_s,
                                before=lambda: empty(folder))
            slowest = max(slowest, (result.worked_s, f"{command} {name}"))
            memory.merge(result.memory)
            left = os.listdir(folder)
            if result.code not in (0, 1, 2) or (result.code and not result.errors):
                wrong.append(f"{command} {name}: {result}")
            if result.code and left:
                wrong.append(f"{command} {name}: left {left} behind")
            shutil.rmtree(folder)
        os.unlink(path)
    found.tried(f"{len(files)} files x replay and simulate")
    found.none("crashes, silent refusals or remains", wrong)
    found.says(f"most work {slowest[1]}")
    found.at_most("which takes", slowest[0], most_s, "s")
    memory.report(found, 8.5)


ODD = [{"LC_ALL": name} for name in ("tr_TR.UTF-8", "C", "POSIX", "de_DE@euro", "xx_XX", "/etc",
                                     "a" * 5_000, "\udcff")] + [
    {"TERM": "dumb"}, {"TERM": "\x1b[31m"}, {"COLUMNS": "5"}, {"COLUMNS": "-1"},
    {"COLUMNS": "99999999999999999999"}, {"LANG": "", "LANGUAGE": "zz"}]
ZONES = ["Pacific/Apia", "nowhere", "/etc/passwd", ":", "UTC+99", "A" * 5_000]


@area("terminals", minutes=0.1)
def terminals(siege):
    """Terminals: locales, TERM, COLUMNS, TZ, a reader that leaves"""
    found, wrong = siege.found, []
    store = siege.path("store.gpkg")
    run([siege.godwit, "simulate", "--days", "14", "--store", store])
    for kind, arguments in commands(store):
        usual = run([siege.godwit, *arguments]).output
        for surroundings in ODD + [{"TZ": zone} for zone in ZONES]:
            result = run([siege.godwit, *arguments], env={**CLEAN, **surroundings})
            if result.code != 0 or result.output != usual:
                wrong.append(f"{' '.join(arguments[:2])} in {str(surroundings)[:60]}: {result}")
    found.tried(f"{len(ODD)} locales and terminals and {len(ZONES)} zones x "
                f"{len(commands(store))} commands")
    found.none("different bytes", wrong)
    codes = []
    for command in (f"track --store {store}", f"export gpx --store {store}", "config default"):
        text = f"set -o pipefail; {siege.godwit} {command} | head -1"
        codes.append(run(["bash", "-c", text]).code)
    found.tried("head -1 of 3 commands")
    found.check(set(codes) <= {141, 0} and 141 in codes,
                f"on a closed pipe: {[name_of(code) for code in codes]}, 141 is usual")
    found.says(f"rc {max(codes)} on a closed pipe")
