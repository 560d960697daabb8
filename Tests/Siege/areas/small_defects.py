"""Small former defects."""

import glob
import os
import socket
import threading
import time

from areas.disk import HASTE, SmallDisk, hurry
from daemon import Daemon, Refused
from field import area
from isolation import unmount
from program import CLEAN, run
from receiver import Receiver, Walk
from stores import points, query

CONTINUOUS = ["policy.name=continuous"]


@area("successor", minutes=0.1)
def successor(siege):
    """A daemon that ends leaves the socket of its successor alone"""
    found = siege.found
    first = Daemon(siege, siege.path("first"), ["receiver.kind=none"]).start()
    with first:
        os.unlink(first.socket)
        with Daemon(siege, siege.path("second"), ["receiver.kind=none"],
                    socket_path=first.socket) as second:
            first.stop()
            try:
                second.status()
            except Refused as error:
                found.check(False, f"the successor cannot be reached: {error}")
            second.stop()
    found.tried("socket deleted, second started, first stopped")


@area("clock-back", minutes=0.3)
def clock_back(siege):
    """The receiver's clock goes back an hour and forward again: no two visits overlap"""
    found, path, store = siege.found, siege.path("back.nmea"), siege.path("back.gpkg")
    text = b""
    for start, count in (("08:00:00", 900), ("07:00:00", 300), ("08:20:00", 2_400)):
        walk = Walk(f"2026-11-22T{start}", step_m=0)
        text += b"".join(walk.epoch() for _ in range(count))
    with open(path, "wb") as file:
        file.write(text)
    result = run([siege.godwit, "replay", path, "--store", store])
    found.check(result.code == 0, f"replay: {result}")
    visits = query(store, "SELECT arrival, coalesce(departure, '9') FROM visits ORDER BY arrival")
    overlaps = [f"{one} and {other}" for one, other in zip(visits, visits[1:])
                if other[0] < one[1]]
    found.tried("an hour back for five minutes within a stay")
    found.says(f"{len(visits)} visits")
    found.none("overlaps", overlaps)


@area("full-at-end", minutes=0.2)
def full_at_end(siege):
    """Disk full at SIGTERM: losses are reported, and the exit code is not 0"""
    found, disk = siege.found, SmallDisk(siege, "small", "1200k")
    with Receiver(siege.path("rx")) as receiver, \
            Daemon(siege, siege.path("daemon"), HASTE, receiver.link,
                   store=os.path.join(disk.folder, "store.gpkg")) as daemon:
        walk = Walk(step_m=3)
        hurry(receiver, walk, 60, 50)
        disk.fill()
        hurry(receiver, walk, 300, 100)
        waiting = daemon.status()["store"]["waiting_records"]
        code, _ = daemon.stop()
    text = daemon.text()
    found.tried(f"SIGTERM with {waiting} records that wait for a full disk")
    found.check(code == 1, f"the exit code is {code}")
    last = text.strip().splitlines()[-3:]
    found.check(any(str(n) in line for line in last for n in range(waiting - 3, waiting + 6)),
                f"no word of how many are lost: {last}")
    unmount(disk.folder)


GOOD = {
    "gpx": ('<gpx version="1.1"><trk><trkseg>', '<trkpt lat="53.%05d" lon="6.0">'
            "<time>2026-11-22T02:%02d:%02dZ</time></trkpt>\n", "</trkseg></trk></gpx>\n"),
    "csv": ("time,lat,lon,ele\n", "2026-11-22T02:%02d:%02dZ,53.%05d,6.0,10\n", ""),
    "plt": ("Geolife trajectory\nWGS 84\nAltitude is in Feet\nReserved 3\n0,2,255,My Track\n0\n",
            "53.%05d,6.0,0,10,46348.1,2026-11-22,02:%02d:%02d\n", ""),
}
BAD = {
    "gpx": ['<trkpt lat="91" lon="6.0"><time>2026-11-22T02:05:00Z</time></trkpt>\n',
            '<trkpt lat="53" lon="6"><ele>nan</ele><time>2026-11-22T02:05:00Z</time></trkpt>\n'],
    "csv": ["2026-11-22T02:05:00Z,91,6.0,10\n", "2026-11-22T02:05:00Z,53,6.0,nan\n",
            "\0" * 60 + "\n"],
    "plt": ["91,6.0,0,10,46348.1,2026-11-22,02:05:00\n",
            "53,6.0,0,nan,46348.1,2026-11-22,02:05:00\n", "\0" * 60 + "\n"],
}


def rows(kind, numbers):
    pattern = GOOD[kind][1]
    for number in numbers:
        place, minute, second = number * 20, number // 60, number % 60
        yield pattern % ((minute, second, place) if kind == "csv" else (place, minute, second))


@area("bad-row", minutes=0.1)
def bad_row(siege):
    """One bad row in a GPX, CSV or PLT: the others are kept"""
    found, wrong, cases = siege.found, [], 0
    for kind, bad in BAD.items():
        head, _, tail = GOOD[kind]
        for number, row in enumerate(bad):
            cases += 1
            path = siege.path(f"{number}.{kind}")
            with open(path, "w") as file:
                file.write(head + "".join(rows(kind, range(0, 300))) + row
                           + "".join(rows(kind, range(301, 600))) + tail)
            store = path + ".gpkg"
            result = run([siege.godwit, "replay", path, "--store", store, "--json"])
            if result.code != 0:
                wrong.append(f"{kind} {row.strip()[:50]!r}: {result}")
            elif points(store) < 2:
                wrong.append(f"{kind} {row.strip()[:50]!r}: {points(store)} points")
    found.tried(f"{cases} bad rows among 599 good ones")
    found.none("traces refused as a whole", wrong)


def drip(path, text, every_s, stopping):
    """A false daemon that answers a byte at a time."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(8)
        client, _ = listener.accept()
        with client:
            try:
                for byte in text:
                    client.sendall(bytes((byte,)))
                    if stopping.wait(every_s):
                        return
            except OSError:
                pass


@area("false-daemon", minutes=0.5)
def false_daemon(siege):
    """godwit status against a false daemon: ends, and prints no escape sequences"""
    found, stopping = siege.found, threading.Event()
    slow = siege.path("slow")
    threading.Thread(target=drip, args=(slow, b"{" + b" " * 1_000, 1.0, stopping),
                     daemon=True).start()
    time.sleep(0.2)
    result = run([siege.godwit, "status", "--socket", slow], limit_s=12)
    found.check(not result.hung, "status waits for ever for a byte every second")
    stopping.set()
    loud, stopping = siege.path("loud"), threading.Event()
    text = (b'{"error":"\\u001b[2J\\u001b]0;owned\\u0007 no"}\n')
    threading.Thread(target=drip, args=(loud, text, 0, stopping), daemon=True).start()
    time.sleep(0.2)
    answer = run([siege.godwit, "status", "--socket", loud], limit_s=12)
    found.check(b"\x1b" not in answer.output + answer.errors, "escape sequences are printed")
    found.tried("a byte a second, escape sequences")
    found.says(f"gave up after {result.seconds:.1f} s")


@area("preloaded", minutes=0.1)
def preloaded(siege):
    """A preloaded library that calls setenv: the arguments are seen"""
    found = siege.found
    libraries = glob.glob("/usr/lib/*/faketime/libfaketime.so.1")
    if not libraries:
        return found.gap("libfaketime is not installed")
    result = run([siege.godwit, "config", "check"],
                 env={**CLEAN, "LD_PRELOAD": libraries[0], "FAKETIME": "+0"})
    found.tried("config check with libfaketime preloaded")
    found.check(b"OVERVIEW" not in result.output, "the program sees no arguments")


@area("lone-return", minutes=0.1)
def lone_return(siege):
    """A lone carriage return in the settings is named"""
    path, found = siege.path("cr.toml"), siege.found
    with open(path, "wb") as file:
        file.write(b"a = 1\rb = 2\n")
    result = run([siege.godwit, "config", "check", "--config", path])
    found.tried("a = 1\\rb = 2")
    found.check(result.code == 2, f"{result}")
    found.check(b"found the end of the line, expected the end of the line" not in result.errors,
                "the message says nothing")

