"""The receiver's line: floods, devices that are no receivers, devices that come and go."""

import os
import select
import socket
import time
from concurrent.futures import ThreadPoolExecutor

from daemon import Daemon, Watch, Worst
from field import area
from receiver import Receiver, Walk, ubx

CONTINUOUS = ["policy.name=continuous"]


def floods(siege):
    """Endless blocks of bytes by name."""
    walk = Walk()
    valid = b"".join(walk.epoch() for _ in range(2_000))
    report = b'{"class":"TPV","mode":3,"lat":53.0,"lon":6.0,"time":"2026-11-22T02:00:00.000Z"}\n'
    return {"random": siege.random.randbytes(1 << 18), "0xff": b"\xff" * (1 << 16),
            "dollars": b"$" * (1 << 16), "endless sentence": b"$GPGGA," + b"1" * (1 << 20),
            "JSON": report * 1_000, "UBX of 65,535": ubx(1, 7, b"\x00" * 65_535),
            "valid": valid}


def flood(siege, name, block, seconds):
    """Writes without a limit for some seconds; returns the watch, the rate and the end."""
    with Receiver(siege.path(f"rx-{name}")) as receiver:
        with Daemon(siege, siege.path(name), CONTINUOUS, receiver.link) as daemon:
            daemon.wait(lambda status: status["receiver"]["failure"] is None)
            with Watch(daemon) as watch:
                start, at = time.monotonic(), 0
                before = daemon.status()["receiver"]["bytes"]
                while time.monotonic() < start + seconds:
                    select.select([], [receiver.master], [], 0.1)
                    at = (at + receiver.offer(block[at:at + 65_536])) % len(block)
                read = daemon.status()["receiver"]["bytes"] - before
            rate = read / (time.monotonic() - start) / 1000
            code, stopped = daemon.stop()
    return watch, rate, code, stopped


@area("receiver-bytes", minutes=1.2)
def receiver_bytes(siege):
    """Receiver bytes: seven endless kinds, written without a bound"""
    found, worst, rates, ends, busy = siege.found, Worst(), [], [], []
    for name, block in floods(siege).items():
        watch, rate, code, stopped = flood(siege, name, block, siege.size(8, 2))
        worst.add(watch, stopped)
        rates.append(rate)
        # The 2 % limit was for 27 kB/s; a faster reader may work in proportion.
        share = watch.cpu_percent / max(1, rate / 27)
        if share > 2:
            busy.append(f"{name}: {watch.cpu_percent:.1f} % at {rate:.0f} kB/s")
        if code != 0:
            ends.append(f"{name}: ended with {code}")
    found.tried(f"{len(rates)} kinds, {siege.size(8, 2)} s each, writer unbounded")
    found.says(f"read {min(rates):.0f} to {max(rates):.0f} kB/s")
    found.says(f"processor up to {worst.cpu_percent:.2g} %")
    found.none("above 2 % for each 27 kB/s", busy)
    found.none("wrong ends", ends)
    worst.report(found, own_mb=3.5, status_ms=5, stop_s=0.05)


def devices(siege):
    """Thirteen things that are not a receiver."""
    folder = siege.room("things")

    def path(name):
        return os.path.join(folder, name)

    os.mkdir(path("folder"))
    os.mkfifo(path("fifo"))
    for name, data in (("file", b"$GPGGA,\r\n" * 100), ("empty", b"")):
        with open(path(name), "wb") as file:
            file.write(data)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path("socket"))
    return [path(name) for name in ("folder", "fifo", "file", "empty", "socket", "missing")] + [
        f"/dev/{name}" for name in ("zero", "null", "full", "urandom", "tty", "ptmx", "console")]


@area("devices", minutes=0.2)
def odd_devices(siege):
    """Devices that are no receivers: folder, FIFO, file, zero, null, full, urandom, tty, ..."""
    found, worst, wrong = siege.found, Worst(), []

    def one(path):
        name = path.replace("/", "-")
        with Daemon(siege, siege.path(name), CONTINUOUS, path) as daemon:
            with Watch(daemon, every_s=0.5) as watch:
                time.sleep(siege.size(5, 2))
                failure = daemon.status()["receiver"]["failure"]
            code, stopped = daemon.stop()
            worst.add(watch, stopped)
            # A new pseudo-terminal is a terminal, though a silent one, and so is the console of a
            # machine that has a serial one.
            is_silent = path in ("/dev/ptmx", "/dev/console")
            if not failure and not is_silent or code != 0:
                wrong.append(f"{path}: reason {failure!r}, ended with {code}")
            if watch.cpu_percent > 1:
                wrong.append(f"{path}: {watch.cpu_percent:.1f} % of a processor")

    paths = devices(siege)
    with ThreadPoolExecutor(len(paths)) as pool:
        list(pool.map(one, paths))
    found.tried(f"{len(paths)} devices")
    found.none("without a reason, with a wrong end, or busy", sorted(wrong))
    worst.report(found, own_mb=3.4, cpu_percent=1, stop_s=0.2)


@area("device-returns", minutes=0.5)
def device_returns(siege):
    """Device vanishes and returns, another pseudo-terminal each time"""
    found, times, lost, counts = siege.found, [], [], []
    walk = Walk()
    with Receiver(siege.path("rx")) as receiver, \
            Daemon(siege, siege.path("daemon"), CONTINUOUS, receiver.link) as daemon:
        for turn in range(siege.size(6, 3) + 1):
            start = time.monotonic()
            is_back = daemon.wait(lambda status: status["receiver"]["failure"] is None, 15)
            times.append(time.monotonic() - start)
            found.check(is_back, f"turn {turn}: not back after 15 s")
            before = daemon.status()["receiver"]["counters"]["fixes"]
            for _ in range(6):
                receiver.send(walk.epoch())
                time.sleep(0.2)
            # The last epoch ends with the silence after it.
            got = daemon.wait(lambda status: status["receiver"]["counters"]["fixes"]
                              >= before + 6, 3)
            if not got:
                lost.append(f"turn {turn}")
            # The connection that requested the status is closed by then.
            time.sleep(0.3)
            counts.append(daemon.descriptors())
            receiver.unplug()
            gone = daemon.wait(lambda status: status["receiver"]["failure"] is not None, 5)
            found.check(gone, f"turn {turn}: the lost device was not noticed")
            time.sleep(0.5)
            receiver.plug()
        code, _ = daemon.stop()
    found.check(code == 0, f"ended with {code}")
    found.tried(f"{len(times) - 1} times, another pseudo-terminal each time")
    found.at_most("back within", max(times[1:]), 3.5, "s")
    found.none("turns with lost fixes", lost)
    found.at_most("descriptors more at the end", counts[-1] - counts[0], 0)
