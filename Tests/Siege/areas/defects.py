"""Former defects, tried again: each is a separate area, so that each has a verdict."""

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import time

from areas.kills import DENSE
from daemon import Daemon, Refused
from field import area
from program import cpu_s, run
from receiver import Receiver, Walk, checked, epoch, moment
from stores import change, integrity, number, points

CONTINUOUS = ["policy.name=continuous"]


def life(siege, name="life.gpkg"):
    """Two weeks: 364 points, 43 visits."""
    path = siege.path(name)
    run([siege.godwit, "simulate", "--days", "14", "--from", "2026-11-07", "--store", path])
    return path


def spoken(receiver, walk, count, pause=0.1):
    for _ in range(count):
        receiver.send(walk.epoch())
        time.sleep(pause)


@area("wrong-date", minutes=0.3)
def wrong_date(siege):
    """One fix with a wrong date, and retention: nothing may be deleted for it"""
    found, base, lost = siege.found, life(siege), []
    before = points(base)
    sentences = {
        "2000": epoch(moment("2000-01-01T00:00:00"), 53, 6),
        "2070": epoch(moment("1970-01-01T00:00:00"), 53, 6),
        "2046": epoch(moment("2046-07-09T02:00:00"), 53, 6),
        "2079": epoch(moment("2079-12-31T02:00:00"), 53, 6),
        "ZDA 2106": checked("GPZDA,020000.00,22,11,2106,00,00")
        + epoch(moment("2026-11-22T02:00:00"), 53, 6)}
    for days in (30, 365):
        for name, text in sentences.items():
            store = siege.path(f"{name}-{days}.gpkg")
            shutil.copy(base, store)
            with Receiver(siege.path("rx")) as receiver, \
                    Daemon(siege, siege.path(f"d-{name}-{days}"),
                           CONTINUOUS + [f"store.retention_days={days}"], receiver.link,
                           store=store) as daemon:
                receiver.send(text)
                time.sleep(1.5)
                daemon.stop()
            if points(store) < before:
                lost.append(f"{name}, {days} days: {before - points(store)} of {before} points")
    found.tried(f"{len(sentences)} dates x 2 retentions on {before} points")
    found.none("deletions", lost)


@area("socket-is-a-file", minutes=0.1)
def socket_is_a_file(siege):
    """A control socket that names a file must not delete it"""
    found, base = siege.found, life(siege)
    notes = siege.path("notes.txt")
    with open(notes, "w") as file:
        file.write("precious\n")
    gone = []
    for path, store in ((notes, siege.path("s.gpkg")), (base, base)):
        before = os.stat(path)
        daemon = Daemon(siege, siege.path("daemon"), ["receiver.kind=none"], store=store,
                        socket_path=path).launch()
        time.sleep(1.5)
        daemon.stop()
        if not os.path.isfile(path) or os.stat(path).st_ino != before.st_ino:
            gone.append(os.path.basename(path))
    found.tried("a text file and the store itself as the socket")
    found.none("files gone", gone)


@area("two-daemons", minutes=0.3)
def two_daemons(siege):
    """Two daemons on one store: neither overwrites the other's records"""
    found, store = siege.found, siege.path("store.gpkg")
    daemons, receivers, walks = [], [], []
    for name, latitude in (("first", 53.0), ("second", 48.0)):
        receivers.append(Receiver(siege.path(f"rx-{name}")))
        walks.append(Walk("2026-11-22T02:00:00", latitude=latitude, step_s=1, step_m=3))
        daemons.append(Daemon(siege, siege.path(name), DENSE, receivers[-1].link, store=store))
    sessions = 0
    first, second = daemons
    with first, second:
        for _ in range(60):
            for receiver, walk in zip(receivers, walks):
                receiver.send(walk.epoch())
            time.sleep(0.1)
        one = first.status()
        try:
            other = second.status()["store"]
        except Refused:
            other = {"failure": "it has ended", "waiting_records": 0}
        code, _ = first.stop()
        second.stop()
    north = number(store, "SELECT count(*) FROM track_points WHERE hex(substr(geom, 1, 2)) = "
                   "'4750'")
    sessions = number(store, "SELECT count(*) FROM gnss_sessions")
    for receiver in receivers:
        receiver.unplug()
    found.tried("two carriers, two daemons, one store")
    found.check(other["failure"], "the second daemon writes into the store of the first")
    found.says(f"second: {other['failure']}, {other['waiting_records']} records wait; "
               f"{north} points and {sessions} sessions stored")
    found.check(code == 0 and north >= one["fixes"]["accepted"] - 2,
                "the first daemon's points are not all there")
    found.check(integrity(store) == "ok", "the store is damaged")


def move_away(store):
    os.rename(store, store + ".bak")


def remove(store):
    for ending in ("", "-wal", "-shm"):
        if os.path.exists(store + ending):
            os.unlink(store + ending)


def restore(store):
    shutil.copy(os.path.join(os.path.dirname(store), "life.gpkg"), store + ".new")
    os.rename(store + ".new", store)


def truncate(store):
    os.truncate(store, 0)


@area("store-replaced", minutes=1.5)
def store_replaced(siege):
    """A store deleted, moved, replaced or truncated underneath: no acknowledged record is lost"""
    found, wrong = siege.found, []
    for deed in (remove, move_away, restore, truncate):
        room = siege.room(deed.__name__)
        store = os.path.join(room, "store.gpkg")
        shutil.copy(life(siege, f"{deed.__name__}/life.gpkg"), os.path.join(room, "copy"))
        walk = Walk(step_m=3)
        with Receiver(os.path.join(room, "rx")) as receiver, \
                Daemon(siege, os.path.join(room, "d"), DENSE, receiver.link,
                       store=store) as daemon:
            spoken(receiver, walk, 20)
            daemon.ask({"command": "commit"})
            before = daemon.status()["fixes"]["accepted"]
            deed(store)
            spoken(receiver, walk, 20)
            status = daemon.ask({"command": "commit"})
            after = status["fixes"]["accepted"] - before
            kept = points(store) if os.path.exists(store) and integrity(store) == "ok" else 0
            told = status["store"]["failure"] or status["store"]["waiting_records"]
            if not told and kept < after - 2:
                wrong.append(f"{deed.__name__}: {after} fixes acknowledged, {kept} points there")
            daemon.wait(lambda status: not status["store"]["waiting_records"], 70)
            daemon.stop()
        if not os.path.exists(store) or integrity(store) != "ok":
            wrong.append(f"{deed.__name__}: no sound store afterwards")
        elif points(store) < after - 2 + (364 if deed is restore else 0):
            wrong.append(f"{deed.__name__}: {points(store)} points afterwards")
    found.tried("rm, mv, a backup moved there, truncate, under a daemon that stores")
    found.none("losses", wrong)


@area("output-is-the-store", minutes=0.1)
def output_is_the_store(siege):
    """No output may be the store, its log or a link to it"""
    found, wrong = siege.found, []
    base = life(siege)
    os.link(base, siege.path("hard.gpkg"))
    os.symlink(base, siege.path("soft.gpkg"))
    for kind in ("gpx", "csv"):
        for output in (base, siege.path("hard.gpkg"), siege.path("soft.gpkg")):
            result = run([siege.godwit, "export", kind, "--store", base, "--output", output])
            if result.code == 0 or integrity(base) != "ok" or integrity(output) != "ok":
                wrong.append(f"{kind} to {os.path.basename(output)}: {result}")
    found.tried("export to the store, a hard link and a symbolic link")
    found.none("accepted or destroyed", wrong)


@area("mad-extent", minutes=0.3)
def mad_extent(siege):
    """An invalid box in gpkg_contents"""
    found, wrong = siege.found, []
    base = life(siege)
    for number_, sql in enumerate((
            "min_x = 10, max_x = 5", "min_x = 'x'", "min_y = 9e999", "max_x = -9e999",
            "min_x = NULL", "min_x = x'00', max_y = 'nan'")):
        for table in ("track_points", "visits"):
            store = siege.path(f"{number_}-{table}.gpkg")
            shutil.copy(base, store)
            change(store, f"UPDATE gpkg_contents SET {sql} WHERE table_name = '{table}'")
            with Receiver(siege.path("rx")) as receiver:
                daemon = Daemon(siege, siege.path(f"d-{number_}-{table}"), DENSE, receiver.link,
                                store=store).start()
                spoken(receiver, Walk(step_m=3), 8)
                code, _ = daemon.stop()
            if code != 0:
                wrong.append(f"{table} {sql}: ended with {code}")
    found.tried("6 boxes x 2 tables")
    found.none("deaths", wrong)


@area("interrupted", minutes=0.6)
def interrupted(siege):
    """simulate, replay and export that are interrupted leave nothing behind"""
    found, wrong, cut = siege.found, [], 0
    base = life(siege)
    trace = siege.path("trace.nmea")
    walk = Walk()
    with open(trace, "wb") as file:
        file.write(b"".join(walk.epoch() for _ in range(300_000)))
    long = siege.path("long.gpkg")
    run([siege.godwit, "simulate", "--days", "200", "--store", long])
    for turn in range(siege.size(5, 2)):
        for number_ in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for name in ("simulate", "replay", "export"):
                room = siege.room(f"{turn}-{number_}-{name}")
                output = os.path.join(room, "out")
                arguments = {
                    "simulate": ["simulate", "--days", "3650", "--store", output],
                    "replay": ["replay", trace, "--store", output],
                    "export": ["export", "gpx", "--store", long, "--output", output]}[name]
                process = subprocess.Popen([siege.godwit, *arguments], stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL)
                time.sleep(0.02 + 0.005 * turn if name == "export" else 0.3 + 0.1 * turn)
                process.send_signal(number_)
                code = process.wait(20)
                cut += code != 0
                if code != 0 and os.listdir(room):
                    wrong.append(f"{name}, {signal.Signals(number_).name}: {os.listdir(room)}")
    found.tried(f"{cut} interrupted runs of simulate, replay and export")
    found.check(points(base) > 0, "the life is gone")
    found.none("runs that left something", wrong)


@area("deaf-stderr", minutes=0.3)
def deaf_stderr(siege):
    """stderr is not read: the daemon goes on"""
    found = siege.found
    reader, writer = os.pipe()
    fcntl.fcntl(writer, 1031, 4096)  # F_SETPIPE_SZ
    with Receiver(siege.path("rx")) as receiver:
        daemon = Daemon(siege, siege.path("daemon"), CONTINUOUS, receiver.link)
        daemon.launch(stderr=writer)
        os.close(writer)
        time.sleep(0.5)
        missed = 0
        with daemon:
            for _ in range(300):
                daemon.signal(signal.SIGHUP)
                time.sleep(0.01)
            try:
                before = daemon.status()["receiver"]["counters"]["fixes"]
                spoken(receiver, Walk(), 10, 0.2)
                counted = daemon.status()["receiver"]["counters"]["fixes"] - before
            except Refused:
                missed, counted = 1, 0
            code, seconds = daemon.stop()
    os.close(reader)
    found.tried("a pipe of 4 kB at stderr, 300 SIGHUP")
    found.check(not missed, "the status goes unanswered")
    found.check(counted >= 8, f"{counted} of 10 fixes are counted")
    found.check(code == 0, f"SIGTERM: {code} after {seconds:.1f} s")
    found.says(f"{counted} of 10 fixes, stop {seconds:.2f} s")


@area("no-descriptors", minutes=0.3)
def no_descriptors(siege):
    """Out of descriptors: no spinning, and the status is answered"""
    found, busy, silent = siege.found, [], []
    for most in (10, 12, 14, 16):
        daemon = Daemon(siege, siege.path(str(most)), ["receiver.kind=none"],
                        wrapper=["prlimit", f"--nofile={most}"]).launch()
        time.sleep(1)
        if not daemon.is_alive():
            continue
        clients = []
        for _ in range(4):
            client = socket.socket(socket.AF_UNIX)
            client.connect(daemon.socket)
            clients.append(client)
        before = cpu_s(daemon.process.pid)
        time.sleep(4)
        share = 100 * (cpu_s(daemon.process.pid) - before) / 4
        if share > 5:
            busy.append(f"nofile {most}: {share:.0f} %")
        try:
            daemon.status(3)
        except Refused as error:
            silent.append(f"nofile {most}: {error}")
        for client in clients:
            client.close()
        daemon.stop()
    found.tried("4 limits of descriptors, 4 silent clients each")
    found.none("busy loops", busy)
    found.none("times without an answer", silent)


@area("fast-line", minutes=0.5)
def fast_line(siege):
    """A receiver at the rate of 230400, 460800 and 921600 baud: no sentence is lost"""
    found, lost = siege.found, []
    for rate in (23_000, 46_000, 92_000):
        walk = Walk(step_s=1)
        with Receiver(siege.path("rx")) as receiver, \
                Daemon(siege, siege.path(str(rate)), CONTINUOUS, receiver.link) as daemon:
            daemon.wait(lambda status: status["receiver"]["failure"] is None)
            start, refused, sent, wanted = time.monotonic(), 0, 0, 0
            while time.monotonic() < start + siege.size(8, 4):
                text = walk.epoch()
                wanted += 1
                # A line does not wait: bytes that the kernel's buffer refuses are lost.
                refused += len(text) - receiver.offer(text)
                sent += len(text)
                time.sleep(max(0, start + sent / rate - time.monotonic()))
            time.sleep(1)
            counters = daemon.status()["receiver"]["counters"]
            daemon.stop()
        if refused or counters["fixes"] < wanted - 1 or counters["bad_checksums"]:
            lost.append(f"{rate / 1000:.0f} kB/s: {counters['fixes']} of {wanted} fixes, "
                        f"{100 * refused / sent:.0f} % refused, "
                        f"{counters['bad_checksums']} bad checksums")
        found.says(f"{rate / 1000:.0f} kB/s: {counters['fixes']} of {wanted} fixes")
    found.tried("3 rates")
    found.none("rates with losses", lost)
