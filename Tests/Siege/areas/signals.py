"""Signals at any moment, and limits of the system."""

import os
import resource
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor

from daemon import Daemon, Refused, Watch
from field import area
from receiver import Receiver, Walk
from stores import integrity, number


@area("hangups", minutes=1.5)
def hangups(siege):
    """SIGHUP in storms, SIGSTOP, and a visit that outlives both and kill -9"""
    found, walk = siege.found, Walk("2026-11-22T02:00:00", step_m=0)
    settings = ["policy.name=continuous", "gate.max_time_jump_s=86400",
                "trajectory.max_interval_s=1"]
    with Receiver(siege.path("rx")) as receiver:
        daemon = Daemon(siege, siege.path("daemon"), settings, receiver.link).start()
        with daemon:
            storm = siege.size(1_300, 200)
            for turn in range(storm):
                daemon.signal(signal.SIGHUP)
                if turn % 20 == 0:
                    receiver.send(walk.epoch())
                time.sleep(0.002)
            found.check(goes_on(daemon, receiver, walk), "no fixes after the SIGHUPs")
            reloads = daemon.text().count("settings")
            daemon.signal(signal.SIGSTOP)
            stopped = siege.size(45, 5)
            time.sleep(stopped)
            daemon.signal(signal.SIGCONT)
            found.check(goes_on(daemon, receiver, walk), f"no fixes after {stopped} s of SIGSTOP")
            visits = outlive(daemon, receiver, walk, found)
            code, _ = daemon.stop()
    found.tried(f"{storm:,} SIGHUP ({reloads} lines about settings), SIGSTOP {stopped} s, "
                "3 SIGHUP and 3 kill -9 within a stay")
    found.check(code == 0, f"ended with {code}: {daemon.tail()}")
    found.check(not os.path.exists(daemon.socket), "the socket is left")
    found.at_most("visits of one stay", visits, 1)


def goes_on(daemon, receiver, walk, limit_s=10):
    """Whether new fixes are counted."""
    before = daemon.status()["receiver"]["counters"]["fixes"]
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        receiver.send(walk.epoch())
        time.sleep(0.2)
        if daemon.status()["receiver"]["counters"]["fixes"] > before:
            return True
    return False


def outlive(daemon, receiver, walk, found):
    """A stay of an hour through three reloads and three kills; the number of visits stored."""
    for turn in range(6):
        if turn < 3:
            daemon.signal(signal.SIGHUP)
        else:
            daemon.ask({"command": "commit"})
            daemon.kill()
            receiver.free()
            daemon.start()
        for _ in range(30):
            for _ in range(20):
                receiver.send(walk.epoch())
            time.sleep(0.12)
    daemon.ask({"command": "commit"})
    found.check(integrity(daemon.store) == "ok", "the store is damaged")
    return number(daemon.store, "SELECT count(*) FROM visits") or 2


@area("early-end", minutes=0.4)
def early_end(siege):
    """SIGTERM at 120 moments of the start"""
    found, wrong, orderly = siege.found, [], 0
    count = siege.size(120, 30)
    for turn in range(count):
        daemon = Daemon(siege, siege.path(str(turn)), ["receiver.kind=none"]).launch()
        time.sleep(turn * 0.12 / count)
        daemon.process.terminate()
        try:
            code = daemon.process.wait(10)
        except Exception:
            code = None
            daemon.kill()
        orderly += code == 0
        if code not in (0, -signal.SIGTERM) or os.path.exists(daemon.socket):
            wrong.append(f"after {turn * 120 / count:.0f} ms: {code}, {daemon.tail()}")
        if os.path.exists(daemon.store) and (state := integrity(daemon.store)) != "ok":
            wrong.append(f"after {turn * 120 / count:.0f} ms: {state}")
    found.tried(f"SIGTERM at {count} moments of the start")
    found.says(f"{orderly} orderly ends")
    found.none("other ends, sockets left or stores damaged", wrong)


def limited(*limits):
    def setup():
        for kind, value in limits:
            resource.setrlimit(kind, (value, value))
    return setup


def closed(*descriptors):
    def setup():
        for descriptor in descriptors:
            os.close(descriptor)
    return setup


def limits(siege):
    """The conditions before the daemon starts, by name."""
    cases = {f"nofile {n}": {"setup": limited((resource.RLIMIT_NOFILE, n))}
             for n in (3, 5, 8, 10, 12, 14, 16, 20)}
    cases.update({f"address space {n} MB": {"setup": limited((resource.RLIMIT_AS, n << 20))}
                  for n in (50, 60, 70, 80, 100, 120)})
    cases["stack 64 kB"] = {"setup": limited((resource.RLIMIT_STACK, 65_536))}
    cases.update({f"closed {names}": {"setup": closed(*names)}
                  for names in ((0,), (1,), (2,), (0, 1, 2))})
    for value in ("", "relative", "@nobody", "/nowhere/socket", "/dev/null", "x" * 200):
        cases[f"NOTIFY_SOCKET {value[:20]}"] = {"environment": {"NOTIFY_SOCKET": value}}
    for value in ("", "0", "x", "-5", "18446744073709551615", "1"):
        cases[f"WATCHDOG_USEC {value}"] = {"environment": {"WATCHDOG_USEC": value}}
    return cases


@area("limits", minutes=1)
def limits_of_the_system(siege):
    """Limits: descriptors, address space, stack, closed descriptors, wrong NOTIFY/WATCHDOG"""
    found, wrong, ran, said = siege.found, [], [], []

    def one(case):
        name, options = case
        daemon = Daemon(siege, siege.path(name.replace("/", "-").replace(" ", "-")),
                        ["receiver.kind=none"], **options)
        try:
            daemon.start(5)
        except Refused as error:
            (said if daemon.process.poll() not in (None, 0) and daemon.text() else wrong).append(
                f"{name}: {error}")
            daemon.kill()
            return
        with daemon:
            with Watch(daemon) as watch:
                time.sleep(1.5)
        if watch.cpu_percent > 5 or watch.missed:
            wrong.append(f"{name}: {watch.cpu_percent:.0f} % of a processor")
        ran.append(name)

    cases = limits(siege)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, cases.items()))
    found.tried(f"{len(cases)} limits")
    found.says(f"{len(ran)} ran, {len(said)} said why not")
    found.none("silent, hung or busy", sorted(wrong))
    refused_watchdogs = [case for case in said if case.startswith("WATCHDOG")]
    found.none("watchdog settings that keep it from starting", refused_watchdogs)


@area("deaf-notify", minutes=0.3)
def deaf_notify(siege):
    """A notify socket that is not read"""
    found, path = siege.found, siege.path("notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
        notices.bind(path)
        daemon = Daemon(siege, siege.path("daemon"), ["receiver.kind=none"],
                        environment={"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "20000"})
        with daemon:
            with Watch(daemon) as watch:
                time.sleep(siege.size(15, 6))
            _, seconds = daemon.stop()
    found.tried(f"a notify socket that is not read, {siege.size(15, 6)} s")
    found.check(not watch.missed, f"{watch.missed} requests went unanswered")
    found.says(f"{watch.missed} requests unanswered, stop {seconds:.2f} s")

