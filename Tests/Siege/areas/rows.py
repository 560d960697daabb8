"""Stores with wild values, odd stores, several users, and a huge one."""

import os
import shutil
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor

from areas.kills import DENSE, Carrier
from daemon import Daemon, Refused, Watch
from exports import commands, complaint
from field import area
from isolation import obey_permissions
from mutation import VALUES, flip, json_value, pick, splice
from program import Memory, measured, run
from receiver import Receiver, Walk
from stores import change, integrity, number, points, query

WILD = [None, "", "x", 0, -1, 1, 2**63 - 1, -2**63, 1e308, -1e308, float("inf"), -float("inf"),
        5e-324, b"", b"\x00" * 100, b"GP", "nan", "inf", "9999-99-99T99:99:99Z",
        "-271821-04-20T00:00:00Z", "1970-01-01T00:00:00.000Z", "2200-01-01T00:00:00.000Z", "\x00",
        "x" * 100_000, "\x1b[31m", "]]>", "'; DROP TABLE visits; --", "\ud7ff", 181.0, 91.0, -0.0]
TABLES = ["track_points", "visits", "destinations", "gnss_sessions", "coarse_observations",
          "power_segments", "events", "meta", "migrations", "gpkg_contents",
          "gpkg_geometry_columns", "gpkg_spatial_ref_sys"]


def life(siege, days=14):
    """A store with a synthetic life."""
    path = siege.path("life.gpkg")
    run([siege.godwit, "simulate", "--days", str(days), "--from", "2026-11-07", "--store", path],
        limit_s=300)
    return path


def columns(path):
    return [(table, row[1]) for table in TABLES
            for row in query(path, f"PRAGMA table_info({table})")]


def vandalise(path, chance, places):
    """Wild values in one to four columns, in one row or in all of them."""
    done = []
    for _ in range(1 + int(chance.random() * 4)):
        table, column = pick(chance, places)
        value, first = pick(chance, WILD), int(chance.random() * 50)
        where = "" if chance.random() < 0.3 else (
            f" WHERE rowid IN (SELECT rowid FROM {table} LIMIT 3 OFFSET {first})")
        try:
            change(path, f"UPDATE {table} SET {column} = ?{where}", value)
            done.append(f"{table}.{column} = {str(value)[:20]!r}")
        except sqlite3.Error:
            pass
    return ", ".join(done)


def live_a_little(siege, folder, store, wrong, what, epochs=6):
    """Runs a daemon on this store for a few fixes."""
    with Receiver(folder + ".rx") as receiver:
        daemon = Daemon(siege, folder, ["policy.name=continuous"], receiver.link, store=store)
        walk = Walk()
        try:
            with daemon:
                for _ in range(epochs):
                    receiver.send(walk.epoch())
                    time.sleep(0.08)
                daemon.status()
                code, _ = daemon.stop()
            # A refused store accepts nothing, and the end reports the resulting losses.
            if code != 0 and "records could not be stored and are lost" not in daemon.tail():
                wrong.append(f"{what}: daemon ended with {code}: {daemon.tail()[-150:]}")
        except Refused as error:
            wrong.append(f"{what}: {error}")
    shutil.rmtree(folder, ignore_errors=True)


@area("rows", minutes=4)
def rows(siege):
    """Rows, fuzzing: commands and daemon starts on stores with wild values"""
    found, wrong, refused = siege.found, [], []
    base = life(siege)
    places = columns(base)
    stores = siege.size(376, 30)

    def one(number):
        chance = siege.chance(number)
        store = siege.path(f"{number}.gpkg")
        shutil.copy(base, store)
        what = f"store {number} ({vandalise(store, chance, places)})"
        every = commands(store) + [
            ("text", ["destinations", "label", "--store", store, "1", "home"]),
            ("text", ["visits", "--store", store])]
        for kind, arguments in every:
            result = run([siege.godwit, *arguments])
            if result.code not in (0, 1, 2) or (result.code and not result.errors):
                wrong.append(f"{what}: {' '.join(arguments[:2])}: {result}")
            elif result.code:
                refused.append(result.code)
            elif kind != "text" and (why := complaint(kind, result.output)):
                wrong.append(f"{what}: {' '.join(arguments[:2])}: {why}")
        live_a_little(siege, siege.path(f"d-{number}"), store, wrong, what)
        for name in os.listdir(siege.folder):
            if name.startswith(f"{number}.gpkg"):
                os.unlink(siege.path(name))

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(one, range(stores)))
    found.tried(f"{stores * 10:,} commands and {stores} daemon starts")
    found.says(f"{len(refused)} commands said why not")
    found.none("crashes, silent failures or outputs that do not parse", sorted(wrong))


def damaged_state(text, chance):
    kind = chance.random()
    for _ in range(1 + int(chance.random() * 3)):
        if kind < 0.6:
            text = json_value(text, chance)
        elif kind < 0.8:
            text = flip(text, chance, None)
        else:
            text = splice(text, chance, [text, *VALUES])
    return text.decode(errors="replace")


@area("state", minutes=6)
def state(siege):
    """State, fuzzing: daemon starts on a damaged tracker_state"""
    found, wrong = siege.found, []
    base = life(siege)
    text = query(base, "SELECT value FROM meta WHERE key = 'tracker_state'")[0][0]
    starts = siege.size(1_087, 40)

    def one(number):
        path = siege.path(f"{number}.gpkg")
        shutil.copy(base, path)
        value = damaged_state(text.encode(), siege.chance(number))
        change(path, "UPDATE meta SET value = ? WHERE key = 'tracker_state'", value)
        live_a_little(siege, siege.path(f"d-{number}"), path, wrong, f"state {number}")
        if (whole := integrity(path)) != "ok":
            wrong.append(f"state {number}: {whole}")
        os.unlink(path)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(one, range(starts)))
    found.tried(f"{starts:,} daemon starts on damaged states of {len(text):,} bytes")
    found.none("crashes or damaged stores", sorted(wrong))


@area("readers", minutes=0.5)
def readers(siege):
    """Readers and writers: labels by three processes, listings, the daemon writing"""
    found, wrong = siege.found, []
    store = life(siege)
    labels, listings = siege.size(60, 10), siege.size(87, 15)
    places = number(store, "SELECT count(*) FROM destinations")
    carrier = Carrier(siege, rate_hz=20)

    def label(process):
        for turn in range(labels):
            place = 1 + (3 * turn + process) % places
            result = run([siege.godwit, "destinations", "label", "--store", store, str(place),
                          f"place {process}-{turn}"])
            if result.code != 0:
                wrong.append(f"label: {result}")

    def listing(turn):
        kind, arguments = commands(store)[turn % 8]
        result = run([siege.godwit, *arguments])
        if result.code != 0 or complaint(kind, result.output):
            wrong.append(f"{arguments[0]}: {result}")

    with Daemon(siege, siege.path("daemon"), DENSE, carrier.receiver.link,
                store=store) as daemon, ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(label, process) for process in range(3)]
        reading = [pool.submit(listing, turn) for turn in range(listings)]
        for task in writers + reading:
            task.result()
        accepted = daemon.status()["fixes"]["accepted"]
        code, _ = daemon.stop()
    carrier.stop()
    kept = number(store, "SELECT count(*) FROM destinations WHERE label LIKE 'place %'")
    found.tried(f"{3 * labels} labels by 3 processes, {listings} listings, {accepted} fixes")
    found.none("failures", wrong)
    found.check(code == 0, f"the daemon ended with {code}: {daemon.tail()}")
    found.check(kept == min(places, 3 * labels), f"{kept} labels are left on {places} places")
    found.says(f"{kept} of {places} places named, integrity {integrity(store)}")
    found.check(integrity(store) == "ok", "the store is damaged")


@area("huge-store", minutes=1)
def huge_store(siege):
    """Huge store: two years, all listings and exports, retention of all of it"""
    found, slowest, memory = siege.found, 0, Memory()
    start = time.monotonic()
    store = life(siege, days=siege.size(730, 90))
    made = time.monotonic() - start
    for _, arguments in commands(store):
        result = measured([siege.godwit, *arguments])
        found.check(result.code == 0, f"{' '.join(arguments[:2])}: {result}")
        slowest = max(slowest, result.seconds)
        memory.merge(result.memory)
    found.tried(f"{siege.size(730, 90)} days, {os.path.getsize(store) / 1e6:.1f} MB, made in "
                f"{made:.0f} s, {len(commands(store))} listings and exports")
    found.at_most("slowest", slowest, 0.24, "s")
    memory.report(found, 5)
    before = points(store)
    last = number(store, "SELECT max(time) FROM track_points")
    walk = Walk(last[:10] + "T23:00:00")
    with Receiver(siege.path("rx")) as receiver, \
            Daemon(siege, siege.path("daemon"), ["policy.name=continuous",
                                                 "store.retention_days=30"],
                   receiver.link, store=store) as daemon:
        with Watch(daemon, every_s=0.02) as watch:
            end = time.monotonic() + siege.size(20, 5)
            while time.monotonic() < end:
                receiver.send(walk.epoch())
                time.sleep(0.1)
        code, _ = daemon.stop()
    found.check(code == 0, f"the daemon ended with {code}")
    found.says(f"retention of 30 days: {before:,} points, {points(store):,} left")
    found.at_most("which holds the loop", watch.worst_ms / 1000, 0.6, "s")
    found.check(integrity(store) == "ok", f"integrity {integrity(store)}")


def odd_files(siege):
    """Paths that are not a store, by name; the daemon has to leave them unchanged."""
    room = siege.room("odd")

    def path(name):
        return os.path.join(room, name)

    base = life(siege)
    for name, sql in (("future", "INSERT INTO migrations VALUES (9999, 'future')"),
                      ("foreign", "DROP TABLE migrations")):
        shutil.copy(base, path(name))
        change(path(name), "PRAGMA journal_mode = DELETE")
        change(path(name), sql)
    shutil.copy(base, path("locked"))
    os.chmod(path("locked"), 0)
    with open(path("text"), "w") as file:
        file.write("precious\n" * 1_000)
    os.mkdir(path("folder"))
    os.mkfifo(path("fifo"))
    return {**{name: path(name) for name in ("future", "foreign", "text", "folder", "fifo")},
            "/dev/null": "/dev/null", "/dev/zero": "/dev/zero", "locked": path("locked"),
            "missing folder": path("later/store.gpkg")}


@area("odd-stores", minutes=2)
def odd_stores(siege):
    """Odd stores: future, foreign, text, folder, devices, FIFO, missing folder, mode 000"""
    found, wrong = siege.found, []

    def one(case):
        name, path = case
        before = open(path, "rb").read() if os.path.isfile(path) else None
        walk, folder = Walk(), siege.path("d-" + name.replace("/", "-").replace(" ", "-"))
        user = obey_permissions if name == "locked" else None
        os.mkdir(folder)
        with Receiver(folder + "-rx") as receiver:
            daemon = Daemon(siege, folder, ["policy.name=continuous"], receiver.link, store=path,
                            setup=user)
            with daemon:
                for _ in range(12):
                    receiver.send(walk.epoch())
                    time.sleep(0.15)
                status = daemon.status()["store"]
                if not status["failure"] or not status["waiting_records"]:
                    wrong.append(f"{name}: {status}")
                if name == "missing folder":
                    os.mkdir(os.path.dirname(path))
                    if not daemon.wait(lambda status: not status["store"]["failure"]
                                       and not status["store"]["waiting_records"], 90):
                        wrong.append(f"{name}: not used when it is there")
                code, _ = daemon.stop()
            if code not in (0, 1):
                wrong.append(f"{name}: ended with {code}")
        if before is not None and open(path, "rb").read() != before:
            wrong.append(f"{name}: the file was changed")
        listing = run([siege.godwit, "track", "--store", path])
        if name != "missing folder" and (listing.code not in (0, 1, 2) or not (
                listing.errors or listing.output)):
            wrong.append(f"{name}: track says {listing}")

    cases = odd_files(siege)
    with ThreadPoolExecutor(5) as pool:
        list(pool.map(one, cases.items()))
    found.tried(f"{len(cases)} kinds")
    found.none("changed, unexplained or not recovered", sorted(wrong))
