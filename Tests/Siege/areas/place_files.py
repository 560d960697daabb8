"""Files of places that are damaged, hostile or huge, and wrong arguments."""

import json
import os
import pty
import re
import subprocess
import threading
import time

import alerts
import place_cases
from field import area
from program import CLEAN, Memory, measured, run
from stores import integrity

SUMMARY = re.compile(rb"(\d+) places? imported, (\d+) refused")
# Escape sequences that a terminal would execute.
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")


class Room:
    """A store with places and an alert, and the results of attacks on it."""

    def __init__(self, siege):
        self.siege, self.store = siege, siege.path("store.gpkg")
        run([siege.godwit, "simulate", "--days", "1", "--store", self.store])
        alerts.do(siege, "places", "add", "Home", "--at", "53,6", "--store", self.store)
        alerts.do(siege, "alerts", "add", "a", "--when", "enter", "--store", self.store)
        self.wrong, self.slowest, self.memory = [], (0, ""), Memory()

    def listed(self):
        return [alerts.listing(self.siege, self.store, kind, "list")
                for kind in ("places", "alerts")]

    def attack(self, name, arguments, limit_s=30):
        """Runs a command, and records forbidden results."""
        output = self.siege.path("output")
        result = measured([self.siege.godwit, *arguments, "--store", self.store], limit_s,
                          output=output)
        with open(output, "rb") as file:
            result.output = file.read()
        self.slowest = max(self.slowest, (result.worked_s, name))
        self.memory.merge(result.memory)
        if result.hung or result.code not in (0, 1, 2):
            self.wrong.append(f"{name}: {result}")
        if result.code and not result.errors.startswith(b"godwit: "):
            self.wrong.append(f"{name}: rc {result.code} without a word")
        if CONTROL.search(result.errors) or len(result.errors) > 8_000:
            self.wrong.append(f"{name}: a message that no terminal should get")
        return result

    def import_file(self, case):
        path, before = self.siege.path(case.name), self.listed()
        with open(path, "wb") as file:
            file.write(case.data)
        result = self.attack(case.name, ["places", "import", path])
        os.unlink(path)
        after = self.listed()
        summary = SUMMARY.search(result.output)
        good, refused = map(int, summary.groups()) if summary else (0, 0)
        new = [place for place in after[0] if place not in before[0]]
        kept = [place for place in before[0] if place in after[0]]
        if len(new) != good or kept != before[0] or after[1] != before[1]:
            self.wrong.append(f"{case.name}: {len(new)} places more where {good} were told of")
        if result.code and new:
            self.wrong.append(f"{case.name}: rc {result.code}, and the store was changed")
        if case.good is not None and (good != case.good or (
                case.refused is not None and result.code == 0 and refused != case.refused)):
            self.wrong.append(f"{case.name}: {good} taken and {refused} refused: {result}")
        if case.good == 0 and result.code == 0:
            self.wrong.append(f"{case.name}: nothing is in it, and rc 0")
        if case.words.encode() not in result.errors:
            self.wrong.append(f"{case.name}: does not say {case.words}: {result}")
        for place in new:
            alerts.do(self.siege, "places", "remove", place["id"], "--store", self.store)


@area("place-files", minutes=2)
def place_files(siege):
    """Files of places that are damaged, hostile or huge, and wrong arguments"""
    found, room = siege.found, Room(siege)
    cases = place_cases.files()
    for case in cases:
        room.import_file(case)
    found.tried(f"{len(cases)} files")
    before, wrong = room.listed(), place_cases.arguments()
    for words in wrong:
        name = " ".join(words)[:90].replace("\n", " ")
        if room.attack(name, words).code not in (1, 2):
            room.wrong.append(f"{name}: accepted")
    found.check(room.listed() == before, "wrong arguments changed the store")
    found.tried(f"{len(wrong)} wrong commands")
    found.none("crashes, silent failures, wrong counts or changed stores", room.wrong)
    found.says(f"most work {room.slowest[1]}")
    found.at_most("which takes", room.slowest[0], 0.2, "s")
    room.memory.report(found, 8.5)
    giants(siege, room)
    many(siege, room)
    found.check(integrity(room.store) == "ok", integrity(room.store))


# The beginning of a file that continues for 4 GB: with NULs in a sparse file, and with valid
# contents through a pipe.
SPARSE = {"sparse.geojson": b"", "sparse": b"", "features.geojson": b'{"type":"FeatureCollection",'
          b'"features":[', "open.kml": b"<kml>", "open.gpx": b"<gpx>",
          "open.otrw": b'{"_type":"waypoints","waypoints":['}
ENDLESS = {"white space": (b'{"type":"FeatureCollection",', b" \n"),
           "white space alone": (b'{"type":"FeatureCollection","features":[]}', b" \n"),
           "a text": (b'{"type":"FeatureCollection","name":"', b"na"),
           "a feature": (b'{"type":"FeatureCollection","features":[{"name":"', b"na"),
           "brackets": (b'{"type":"FeatureCollection","features":[', b"[["),
           "white space in KML": (b"<kml>", b" \n"), "a name in GPX": (b"<gpx><wpt><name>", b"na"),
           "a comment in GPX": (b"<gpx><!--", b"na"),
           "white space for OwnTracks": (b'{"_type":"waypoints","waypoints":[', b" \n")}


def giants(siege, room):
    """Files of 4 GB: refused soon, in little memory, whatever they contain."""
    size, slowest, memory, wrong = siege.size(4 << 30, 1 << 29), (0, ""), Memory(), []

    def judge(name, result):
        nonlocal slowest
        slowest = max(slowest, (result.seconds, name))
        memory.merge(result.memory)
        if result.code not in (1, 2) or not result.errors:
            wrong.append(f"{name}: {result}")

    before = room.listed()
    for name, head in SPARSE.items():
        path = siege.path(name)
        with open(path, "wb") as file:
            file.write(head)
            file.truncate(size)
        judge(name, measured([siege.godwit, "places", "import", path, "--store", room.store], 120))
        os.unlink(path)
    for name, (head, filling) in ENDLESS.items():
        judge(f"{name} without end", endless(siege, room.store, head, filling, size))
    siege.found.tried(f"{len(SPARSE)} sparse files and {len(ENDLESS)} pipes of {size / 1e9:.1f} GB")
    siege.found.none("not refused", wrong)
    siege.found.says(f"slowest {slowest[1]}")
    siege.found.at_most("which takes", slowest[0], 12, "s")
    memory.report(siege.found, 13, "with")
    siege.found.check(room.listed() == before, "a file of 4 GB changed the store")


def endless(siege, store, head, filling, size):
    """A file read through a pipe."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            os.write(writer, head)
            block, left = filling * (1 << 19), size
            while left > 0:
                left -= os.write(writer, block)
        finally:
            os._exit(0)
    os.close(writer)
    os.set_inheritable(reader, True)
    result = measured([siege.godwit, "places", "import", f"/dev/fd/{reader}", "--store", store],
                      120, pass_fds=(reader,))
    os.close(reader)
    os.waitpid(child, 0)
    return result


def many(siege, room):
    """200,000 places in one file, with progress on a terminal."""
    count, path = siege.size(200_000, 20_000), siege.path("many.geojson")
    with open(path, "w") as file:
        file.write('{"type":"FeatureCollection","features":[')
        for number in range(count):
            place = [4 + number % 1000 / 250, 50 + number // 1000 / 100]
            file.write("," * (number > 0) + json.dumps({
                "type": "Feature", "properties": {"name": f"place {number}", "radius_m": 50},
                "geometry": {"type": "Point", "coordinates": place}}))
        file.write("]}")
    master, slave = pty.openpty()
    told = []
    thread = threading.Thread(target=lambda: told.extend(read_all(master)), daemon=True)
    thread.start()
    process = subprocess.Popen(
        [siege.godwit, "places", "import", path, "--store", room.store], env=CLEAN, stderr=slave,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    os.close(slave)
    start, memory = time.monotonic(), Memory()
    while process.poll() is None and time.monotonic() - start < 120:
        memory.look(process.pid)
        time.sleep(0.02)
    process.kill()
    seconds, output = time.monotonic() - start, process.stdout.read()
    thread.join(5)
    progress = b"".join(told)
    found = siege.found
    found.tried(f"{count:,} places in {os.path.getsize(path) / 1e6:.0f} MB")
    found.says(f"{progress.count(bytes([13]))} lines of progress")
    found.check(f"{count} places imported, 0 refused".encode() in output,
                f"many places: {output[-200:]!r}, {progress[-200:]!r}")
    found.check(progress.count(bytes([13])) >= 3, f"no progress was shown: {progress[:200]!r}")
    found.at_most("imported in", seconds, siege.size(60, 12), "s")
    memory.report(found, 15.5, "with")
    listed = len(alerts.listing(siege, room.store, "places", "list"))
    found.check(listed == count + 1, f"{listed:,} places are listed")


def read_all(descriptor):
    """A terminal's output until its other side is closed."""
    while True:
        try:
            chunk = os.read(descriptor, 65536)
        except OSError:
            return
        if not chunk:
            return
        yield chunk
