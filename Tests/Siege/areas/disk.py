"""Disks that are full, small or slow to come."""

import math
import os
import shutil
import time

from areas.kills import DENSE
from daemon import Daemon, Watch, Worst
from exports import commands
from field import area
from isolation import mount, unmount
from program import run
from receiver import Receiver, Walk, now
from stores import integrity, number, points

# For receivers that simulate days quickly: only the store is tested.
HASTE = DENSE + ["gate.max_speed_mps=10000", "gate.max_acceleration_mps2=1000",
                 "store.min_free_MB=0"]


def hurry(receiver, walk, count, rate_hz, until=None):
    """This many epochs at this rate, or fewer if an event occurs."""
    start = time.monotonic()
    for sent in range(count):
        if sent % 20 == 0 and until and until():
            return sent
        receiver.send(walk.epoch())
        time.sleep(max(0, start + sent / rate_hz - time.monotonic()))
    return count


class SmallDisk:
    """A file system in memory of this size."""

    def __init__(self, siege, name, size):
        self.folder = siege.room(name)
        mount("none", self.folder, "tmpfs", f"size={size}")
        self.filler = os.path.join(self.folder, "filler")

    def fill(self):
        with open(self.filler, "ab", buffering=0) as file:
            try:
                while file.write(b"\0" * 4096) == 4096:
                    pass
            except OSError:
                pass

    def free(self):
        os.unlink(self.filler)


def fill_and_free(siege, daemon, disk, receiver, walk, found):
    """Fills the disk under the daemon; returns how many records waited at the end."""
    disk.fill()
    hurry(receiver, walk, siege.size(900, 120), 150)
    time.sleep(0.5)
    full = daemon.status()["store"]
    found.check(full["failure"], "the disk is full and the status does not say so")
    found.check(full["dropped_records"] == 0, f"{full['dropped_records']} records were dropped")
    disk.free()
    found.check(daemon.wait(lambda status: status["store"]["waiting_records"] == 0
                            and status["store"]["failure"] is None, 90),
                "the records do not go to the disk that has room again")
    return full["waiting_records"]


@area("disk-full", minutes=4)
def disk_full(siege):
    """Disk full: 1.2 MB tmpfs twice, at the start, every command to /dev/full"""
    found, walk, waited = siege.found, Walk(step_m=3), []
    disk = SmallDisk(siege, "small", "1200k")
    store = os.path.join(disk.folder, "store.gpkg")
    with Receiver(siege.path("rx")) as receiver:
        with Daemon(siege, siege.path("daemon"), HASTE, receiver.link, store=store) as daemon:
            hurry(receiver, walk, 300, 150)
            for _ in range(2):
                waited.append(fill_and_free(siege, daemon, disk, receiver, walk, found))
            accepted = daemon.status()["fixes"]["accepted"]
            code, _ = daemon.stop()
    stored = points(store)
    found.tried(f"1.2 MB tmpfs, twice: {sum(waited):,} records waited")
    found.check(min(waited) > 50, f"hardly anything waited: {waited}")
    found.check(code == 0, f"ended with {code}: {daemon.tail()}")
    found.says(f"{stored:,} of {accepted:,} fixes stored")
    found.check(stored >= accepted - 2, f"{accepted - stored} fixes are missing")
    found.check(integrity(store) == "ok", f"integrity {integrity(store)}")
    full_at_start(siege, disk)
    commands_on_full(siege, disk)
    unmount(disk.folder)


def full_at_start(siege, disk):
    found, walk = siege.found, Walk(step_m=3)
    store = os.path.join(disk.folder, "late.gpkg")
    disk.fill()
    with Receiver(siege.path("rx-late")) as receiver, \
            Daemon(siege, siege.path("late"), HASTE, receiver.link, store=store) as daemon:
        hurry(receiver, walk, 100, 100)
        found.check(daemon.wait(lambda status: status["store"]["waiting_records"] > 50),
                    "nothing waits although the disk was full at the start")
        for name in os.listdir(disk.folder):
            if not name.startswith("late"):
                os.unlink(os.path.join(disk.folder, name))
        found.check(daemon.wait(lambda status: status["store"]["waiting_records"] == 0, 90),
                    "a disk that was full at the start is not used when it has room: "
                    f"{daemon.status()['store']}, {os.listdir(disk.folder)}, "
                    f"{os.statvfs(disk.folder).f_bavail} blocks free")
        accepted = daemon.status()["fixes"]["accepted"]
        daemon.stop()
    found.tried("full at the start")
    found.check(points(store) >= accepted - 2, f"{points(store)} of {accepted} fixes stored")


def commands_on_full(siege, disk):
    found, wrong = siege.found, []
    store = siege.path("life.gpkg")
    run([siege.godwit, "simulate", "--days", "14", "--store", store])
    disk.fill()
    made = run([siege.godwit, "simulate", "--days", "14",
                "--store", os.path.join(disk.folder, "life.gpkg")])
    output = os.path.join(disk.folder, "life.gpx")
    exported = run([siege.godwit, "export", "gpx", "--store", store, "--output", output])
    left = [name for name in os.listdir(disk.folder) if name.startswith("life")]
    for what, result in (("simulate", made), ("export --output", exported)):
        if result.code != 1 or not result.errors:
            wrong.append(f"{what} on a full disk: {result}")
    if left:
        wrong.append(f"left behind on a full disk: {left}")
    every = [arguments for _, arguments in commands(store)] + [
        ["config", "default"], ["config", "show"], ["config", "check"], ["--help"],
        ["config", "show", "--json"], ["visits", "--store", store]]
    for arguments in every:
        with open("/dev/full", "wb") as full:
            result = run([siege.godwit, *arguments], stdout=full)
        if result.code != 1 or not result.errors:
            wrong.append(f"{' '.join(arguments[:2])} to /dev/full: {result}")
    found.tried(f"simulate, export, {len(every)} commands to /dev/full")
    found.none("silent or left something behind", wrong)


@area("store-unopened", minutes=3.2)
def store_unopened(siege):
    """Store cannot be opened for long"""
    found, walk, worst = siege.found, Walk(step_m=3), Worst()
    folder, fixes = siege.path("later"), siege.size(31_000, 2_500)
    store = os.path.join(folder, "store.gpkg")
    with Receiver(siege.path("rx")) as receiver, \
            Daemon(siege, siege.path("daemon"), HASTE, receiver.link, store=store) as daemon:
        with Watch(daemon, every_s=0.5) as watch:
            hurry(receiver, walk, fixes, 182)
            daemon.wait(lambda status: status["receiver"]["counters"]["fixes"] >= fixes - 1)
            status = daemon.status()
        waiting, dropped = status["store"]["waiting_records"], status["store"]["dropped_records"]
        found.check(status["store"]["failure"], "no reason why nothing is stored")
        os.mkdir(folder)
        found.check(daemon.wait(lambda status: status["store"]["waiting_records"] == 0, 90),
                    "the records do not go into the store that is there now")
        code, stopped = daemon.stop()
    worst.add(watch, stopped)
    seconds, accepted = watch.seen["seconds"], status["fixes"]["accepted"]
    found.tried(f"{seconds:.0f} s, {accepted:,} fixes")
    found.check(code == 0, f"ended with {code}")
    found.at_most("waiting", waiting, 20_000, "records")
    found.says(f"{dropped:,} oldest dropped and counted, {points(store):,} stored afterwards")
    # Few other records wait besides points (sessions, notes).
    found.check(points(store) + dropped >= accepted - 10, "records are neither stored nor counted")
    found.check(points(store) >= min(19_000, accepted - 2), "too few were kept")
    worst.report(found, own_mb=11)


@area("disk-short", minutes=1.2)
def disk_short(siege):
    """Disk short of space: 40 MB tmpfs below min_free_MB, four starts"""
    found, disk = siege.found, SmallDisk(siege, "short", "40m")
    store = os.path.join(disk.folder, "store.gpkg")
    # Only a store above 4 MB is cut, by twentieths until there is 1 MB of room inside it.
    made = run([siege.godwit, "simulate", "--days", str(siege.size(150, 60)), "--from",
                "2024-10-01", "--store", store], limit_s=180)
    if made.code or os.path.getsize(store) < 5 << 20:
        return found.check(False, f"there is no store of more than 4 MB to begin with: {made}")
    # The store accepts the date that agrees with the clock.
    before, counts, walk = points(store), [], Walk(now().isoformat())
    twentieths = math.ceil((1 << 20) / (os.path.getsize(store) / 20))

    def is_cut(status):
        return status["fixes"]["accepted"] > 0 and status["store"]["waiting_records"] == 0 and (
            points(store) < before)

    with Receiver(siege.path("rx")) as receiver:
        for turn in range(4):
            with Daemon(siege, siege.path(f"daemon-{turn}"), ["policy.name=continuous"],
                        receiver.link, store=store) as daemon:
                hurry(receiver, walk, 30, 10)
                found.check(daemon.wait(is_cut, 60), f"start {turn}: {daemon.status()['store']}")
                # Leaves time for another deletion.
                time.sleep(1)
                code, _ = daemon.stop()
                found.check(code == 0, f"start {turn} ended with {code}")
            counts.append(number(store, "SELECT count(*) FROM track_points WHERE time < ?",
                                 "2026-11-20"))
    found.tried(f"{len(counts)} starts with {before:,} points")
    deleted = 100 * (before - min(counts)) / before
    found.check(deleted > 0, "a disk short of space makes no room in the store")
    found.at_most("deleted", deleted, 5 * twentieths + 0.5, "%")
    found.check(counts[0] == counts[-1], f"every start deletes again: {counts}")
    found.check(integrity(store) == "ok", f"integrity {integrity(store)}")
    found.says(f"points left after each start: {', '.join(map(str, counts))}")
    unmount(disk.folder)
    shutil.rmtree(disk.folder, ignore_errors=True)
