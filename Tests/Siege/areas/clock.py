"""The system's clock, wrong and jumping, and a long life."""

import os
import time

from areas.disk import HASTE
from daemon import Daemon, Watch, Worst
from field import area
from program import cpu_s, run
from receiver import Receiver, Walk, moment, now
from stores import integrity, number, points


def seconds_off(status, walk):
    """The offset of the daemon's date from the receiver's."""
    told = moment(status["time"].rstrip("Z"))
    return abs((told - walk.when).total_seconds())


def live_in(siege, name, environment):
    """A daemon in a faked time; returns its date's offset after a few fixes."""
    walk = Walk(now().isoformat())
    with Receiver(siege.path(f"rx-{name}")) as receiver, \
            Daemon(siege, siege.path(name), ["policy.name=continuous"], receiver.link,
                   environment=environment) as daemon:
        for _ in range(5):
            receiver.send(walk.epoch())
            time.sleep(1)
        off = seconds_off(daemon.status(), walk)
        code, _ = daemon.stop()
    stored = number(daemon.store, "SELECT count(*) FROM track_points WHERE time >= '2026'")
    return off, stored, code


@area("clock", minutes=0.6)
def clock(siege):
    """System's clock: 1960, 1970, 1990, 2016, 2034, and jumps of years"""
    found, worst = siege.found, 0
    library = shifted_clock(siege)
    if not library:
        return
    years = (1960, 1970, 1990, 2016, 2034)
    for year in years:
        off, stored, code = live_in(siege, f"in-{year}", clock_of(siege, library, year))
        found.check(code == 0, f"in {year}: ended with {code}")
        found.check(stored >= 1, f"in {year}: {stored} points with the receiver's date")
        worst = max(worst, off)
    found.tried(f"{len(years)} wrong years")
    for shift in (10, -55):
        worst = max(worst, jump(siege, library, shift, found))
    found.tried("+10 and -55 years while it runs")
    found.at_most("off after the first fixes", worst, 5, "s")


def jump(siege, library, years, found):
    """The clock jumps under a running daemon; returns its date's offset afterwards."""
    path, walk = siege.path(f"shift{years}"), Walk(now().isoformat())
    with Receiver(siege.path(f"rx{years}")) as receiver, \
            Daemon(siege, siege.path(f"jump{years}"), ["policy.name=continuous"], receiver.link,
                   environment={"LD_PRELOAD": library, "SHIFT_FILE": path}) as daemon:
        for turn in range(10):
            if turn == 5:
                with open(path, "w") as file:
                    file.write(str(years * 365 * 86_400))
            receiver.send(walk.epoch())
            time.sleep(1)
        status = daemon.status()
        code, _ = daemon.stop()
    found.check(code == 0, f"{years:+} years: ended with {code}: {daemon.tail()}")
    found.check(status["fixes"]["accepted"] >= 8,
                f"{years:+} years: {status['fixes']['accepted']} of 10 fixes accepted")
    return seconds_off(status, walk)


def clock_of(siege, library, year):
    """The environment of a program whose clock is in that year."""
    path = siege.path(f"shift-in-{year}")
    with open(path, "w") as file:
        file.write(str(int((moment(f"{year}-06-01T00:00:00") - now()).total_seconds())))
    return {"LD_PRELOAD": library, "SHIFT_FILE": path}


def shifted_clock(siege):
    """The library that shifts the clock of a process that preloads it."""
    source = os.path.join(os.path.dirname(os.path.dirname(__file__)), "shifted_clock.c")
    library = siege.path("shifted_clock.so")
    made = run(["cc", "-shared", "-fPIC", "-O", "-o", library, source])
    return library if made.code == 0 else siege.found.gap(f"cc: {made}")


@area("long-run", minutes=23)
def long_run(siege):
    """Long run: 54 simulated days on a pseudo-terminal, memory flat"""
    found, worst = siege.found, Worst()
    fixes = siege.size(234_798, 8_000)
    walk = DayWalk()
    settings = HASTE[:1] + HASTE[3:] + ["store.retention_points=2000", "dwell.min_dwell_s=300"]
    with Receiver(siege.path("rx")) as receiver, \
            Daemon(siege, siege.path("daemon"), settings, receiver.link) as daemon:
        start, sizes, descriptors = time.monotonic(), [], []
        early, first = None, cpu_s(daemon.pid)
        with Watch(daemon, every_s=1) as watch:
            for sent in range(fixes):
                receiver.send(walk.epoch())
                time.sleep(max(0, start + sent / 178 - time.monotonic()))
                if sent % 1_000 == 999:
                    early = early or (daemon.own_mb() if sent > fixes / 10 else None)
                    sizes.append(os.path.getsize(daemon.store) / 1e6)
                    descriptors.append(daemon.descriptors())
            worked, late = cpu_s(daemon.pid) - first, daemon.own_mb()
            status = daemon.status()
        code, stopped = daemon.stop()
    worst.add(watch, stopped)
    seconds = time.monotonic() - start
    found.tried(f"{(walk.when - walk.start).days} simulated days ({fixes:,} fixes) in "
                f"{seconds / 60:.0f} min")
    found.check(code == 0, f"ended with {code}: {daemon.tail()}")
    found.says(f"{status['fixes']['accepted']:,} fixes accepted, {points(daemon.store):,} points "
               f"and {number(daemon.store, 'SELECT count(*) FROM visits')} visits stored")
    found.check(status["fixes"]["accepted"] > 0.9 * fixes,
                f"rejected: {status['fixes']['rejected']}")
    found.at_most("memory growth", late - (early or late), 0.5, "MB")
    found.at_most("processor for a fix", 1e6 * worked / fixes, 400, "µs")
    # These include the store's lock, the logs' indexes, the radio map's three files and the spare
    # descriptors for when there are no more.
    found.at_most("descriptors", max(descriptors), 20)
    found.check(max(descriptors[len(descriptors) // 2:]) <= max(descriptors[:3]),
                f"descriptors grow: {descriptors[0]} to {max(descriptors)}")
    found.at_most("store", max(sizes), 1.7 + siege.size(1, 0), "MB")
    found.check(integrity(daemon.store) == "ok", f"integrity {integrity(daemon.store)}")
    worst.report(found, own_mb=3.5, status_ms=5)


class DayWalk(Walk):
    """Twenty seconds between fixes; stays of half an hour between walks of ten minutes."""

    def __init__(self):
        super().__init__("2026-11-23T00:00:00", step_s=20)
        self.start, self.count = self.when, 0

    def epoch(self):
        phase = self.count % 120
        self.step_deg = 28 / 111_195 if phase < 30 else 0.0
        self.step_deg *= 1 if self.count // 120 % 2 else -1
        self.speed_kn = 2.7 if phase < 30 else 0.0
        self.count += 1
        return super().epoch()
