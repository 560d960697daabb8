"""The whole daemon on a pseudo-terminal with arbitrary input."""

import signal
import time
from concurrent.futures import ThreadPoolExecutor

from daemon import Daemon, Refused, Watch, Worst
from field import area
from mutation import damaged, pick, stretch, units
from receiver import Receiver, Walk, checked, epoch, moment, ubx
from stores import integrity

SETTINGS = [
    ["policy.name=continuous", "receiver.family=auto"],
    ["policy.name=hybrid", "receiver.family=ubloxM8", "power_switch.kind=command",
     "policy.hybrid.slu_interval_s=10"],
    ["policy.name=periodic", "policy.periodic.interval_s=1", "receiver.family=mediatek",
     "power_switch.kind=command"],
    ["policy.name=continuous", "receiver.family=casic", "power_switch.kind=command"],
    ["policy.name=periodic", "policy.periodic.interval_s=2", "receiver.family=airoha",
     "power_switch.kind=command"],
    ["policy.name=continuous", "receiver.accept_missing_checksums=true",
     "gate.max_time_jump_s=86400"],
]
COMMANDS = [b'{"command":"status"}\n', b'{"command":"commit"}\n',
            b'{"command":"gnss","state":"on"}\n', b'{"command":"gnss","state":"off"}\n',
            b'{"command":"gnss","state":"auto"}\n', b'{"command":"gnss"}\n', b"{}\n", b"\xff\xfe\n"]


def answers(chance):
    """Possible answers of a u-blox receiver, and impossible ones."""
    kind, number = pick(chance, ((5, 0), (5, 1), (0x0A, 4), (0x06, 0x3B), (0x0D, 3), (0x13, 0x80),
                                 (0x09, 0x14), (0x01, 0x07), (0x27, 3)))
    payload = bytes(int(chance.random() * 256) for _ in range(int(chance.random() * 120)))
    return ubx(kind, number, payload if chance.random() < 0.7 else bytes((6, 0x3B)))


def acknowledgements(chance):
    talk = pick(chance, (
        f"PMTK001,{int(chance.random() * 999)},{int(chance.random() * 5)}", "PMTK010,001",
        "PMTK705,AXN_5.1,0000,20", f"PAIR001,{int(chance.random() * 999)},0", "PAIR010,0,0,2044,0",
        "PCAS10,0", "GPTXT,01,01,02,SW=URANUS5", "PMTK001,161,3,99999999999", "PAIR001"))
    return checked(talk)


def wild_dates(chance):
    text = pick(chance, ("1980-01-06T00:00:00", "1999-08-22T00:00:00", "2019-04-07T00:00:00",
                         "2038-01-19T03:14:08", "2079-12-31T23:59:59", "2026-11-22T02:00:00",
                         "2000-01-01T00:00:00", "2026-02-28T23:59:59"))
    return epoch(moment(text), chance.random() * 180 - 90, chance.random() * 360 - 180)


class Speech:
    """The output of one run's receiver, in one of six families."""

    def __init__(self, family, chance, recordings):
        self.family, self.chance = family, chance
        self.walk, self.others = Walk(), pick(chance, recordings)
        self.parts = pick(chance, recordings)

    def next(self):
        chance = self.chance
        if chance.random() < 0.2:
            return self.walk.epoch()
        if self.family in (0, 1):
            return stretch(self.parts, chance, self.others)
        if self.family == 2:
            return answers(chance)
        if self.family == 3:
            return acknowledgements(chance)
        if self.family == 4:
            return wild_dates(chance)
        return damaged(self.walk.epoch(), chance, self.others) + answers(chance)


def pauses(schedule, chance):
    """The receiver's pauses after its output: six kinds."""
    return (0, 0.02, 0.2 * chance.random(), 1 if chance.random() < 0.05 else 0,
            0.15, 0.5 * chance.random() ** 4)[schedule]


class Run:
    """One run of the daemon with one receiver."""

    def __init__(self, siege, number, recordings):
        self.number, self.chance = number, siege.chance(number)
        self.speech = Speech(number % 6, self.chance, recordings)
        self.sent = self.commands = self.hangups = 0
        self.wrong = []

    def pester(self, daemon, receiver, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end and daemon.is_alive():
            receiver.hear()
            receiver.send(self.speech.next(), 0.5)
            time.sleep(pauses(self.number % 7 % 6, self.chance))
            if self.chance.random() < 0.05 and self.commands < 8:
                self.commands += 1
                try:
                    daemon.raw(pick(self.chance, COMMANDS))
                except Refused as error:
                    self.wrong.append(f"run {self.number}: {error}")
            if self.chance.random() < 0.03 and daemon.is_alive():
                self.hangups += 1
                daemon.signal(signal.SIGHUP)


@area("live", minutes=4)
def live(siege):
    """Whole daemon, live fuzzing: logs, answers, acknowledgements, wild dates, SIGHUP"""
    logs = siege.recordings("gpsd-logs/*.log", "receiver-logs/*.log", "receiver-logs/*.ubx")
    recordings = [parts for parts in map(units, logs) if parts]
    worst, found = Worst(), siege.found

    def one(number):
        run = Run(siege, number, recordings)
        with Receiver(siege.path(f"rx-{number}")) as receiver:
            with Daemon(siege, siege.path(str(number)), SETTINGS[number // 6 % 6],
                        receiver.link) as daemon:
                with Watch(daemon) as watch:
                    run.pester(daemon, receiver, siege.size(20, 4))
                code, seconds = daemon.stop()
        worst.add(watch, seconds)
        run.sent, state = receiver.sent, integrity(daemon.store)
        if code != 0 or state != "ok":
            run.wrong.append(f"run {number}: {code}, integrity {state}, {daemon.tail()}")
        return run

    with ThreadPoolExecutor(4) as pool:
        runs = list(pool.map(one, range(siege.size(41, 6))))
    found.tried(f"{len(runs)} runs, {sum(run.sent for run in runs) / 1e6:.1f} MB, "
                f"{sum(run.commands for run in runs)} control commands, "
                f"{sum(run.hangups for run in runs)} SIGHUP")
    found.none("deaths, unanswered commands or damaged stores",
               [case for run in runs for case in run.wrong])
    worst.report(found, own_mb=3.5, stop_s=1)
