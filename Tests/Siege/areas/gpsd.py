"""gpsd: false ones, damaged reports, and the real one in trouble."""

import shutil
import signal
import socket
import struct
import subprocess
import threading
import time

from daemon import Daemon, Watch, Worst
from field import area
from findings import Skipped
from mutation import damaged_line, pick
from program import CLEAN
from receiver import Receiver, Walk

VERSION = b'{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r\n'


def settings(port):
    return ["receiver.kind=gpsd", "receiver.host=127.0.0.1", f"receiver.port={port}",
            "receiver.gpsd_control=", "policy.name=continuous"]


def send_for_ever(block, pause=0.0):
    def speak(client, end):
        while time.monotonic() < end:
            client.sendall(block)
            time.sleep(pause)
    return speak


def close_at_once(client, end):
    pass


def reset_at_once(client, end):
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def silence(client, end):
    time.sleep(max(0, end - time.monotonic()))


def half_lines(client, end):
    while time.monotonic() < end:
        client.sendall(b'{"class":"TPV","device":"/dev/rx",')
        time.sleep(0.2)
        client.sendall(b'"mode":1}\r\n')


def slowloris(client, end):
    for byte in VERSION * 100:
        if time.monotonic() > end:
            return
        client.sendall(bytes((byte,)))
        time.sleep(0.1)


def half_closed(client, end):
    client.sendall(VERSION)
    client.shutdown(socket.SHUT_WR)
    silence(client, end)


# The actions of a false gpsd on one connection; those that close it leave a gap until the next.
KINDS = {
    "closes": close_at_once, "resets": reset_at_once, "half lines": half_lines,
    "10 MB line": send_for_ever(b'{"class":"' + b"x" * 10_000_000 + b'"}\r\n', 0.5),
    "no newline": send_for_ever(b"x" * 65_536), "newlines only": send_for_ever(b"\n" * 65_536),
    "report storm": send_for_ever(b'{"class":"TPV","mode":1}\r\n' * 2_000),
    "version storm": send_for_ever(VERSION * 700),
    "nesting": send_for_ever(b'{"a":' * 2_000 + b"\r\n"),
    "brackets": send_for_ever(b"[" * 60_000 + b"\r\n"),
    "wrong types": send_for_ever(b'{"class":[],"mode":{},"lat":"x","time":1e999}\r\n', 0.01),
    "slowloris": slowloris, "silence": silence, "half closed": half_closed,
    "HTTP": send_for_ever(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", 0.1),
    # The parser of libgps 3.22 never returns from this one.
    "bad object": send_for_ever(b'{:"class":"TPV"\r\n', 1),
    "binary": send_for_ever(bytes(range(256)) * 200),
    "errors": send_for_ever(b'{"class":"ERROR","message":"\\u001b[2Jno"}\r\n', 0.001),
    "devices": send_for_ever(b'{"class":"DEVICES","devices":[' + b'{"path":"/dev/x"},' * 3_000
                             + b'{"path":"/dev/y"}]}\r\n', 0.01),
}


class FalseGpsd:
    """Listens, and does the same on every connection."""

    def __init__(self, speak, seconds):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.end = time.monotonic() + seconds
        self.speak, self.connections = speak, 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while time.monotonic() < self.end:
            self.listener.settimeout(max(0.01, self.end - time.monotonic()))
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            with client:
                client.settimeout(1)
                try:
                    self.speak(client, self.end)
                except OSError:
                    pass


@area("false-gpsd", minutes=2.5)
def false_gpsd(siege):
    """False gpsd: closes, resets, storms, endless lines, slowloris, silence, HTTP"""
    found, worst, wrong, most, busiest = siege.found, Worst(), [], 0, ""
    seconds = siege.size(7, 2)
    for name, speak in KINDS.items():
        gpsd = FalseGpsd(speak, seconds + 1)
        with Daemon(siege, siege.path(name.replace(" ", "-")), settings(gpsd.port)) as daemon:
            with Watch(daemon) as watch:
                time.sleep(seconds)
            code, stopped = daemon.stop()
        if watch.cpu_percent >= worst.cpu_percent:
            busiest = name
        worst.add(watch, stopped)
        most = max(most, gpsd.connections)
        if code != 0 or not gpsd.connections:
            wrong.append(f"{name}: ended with {code}, {gpsd.connections} connections")
        if watch.cpu_percent > (6 if name == "newlines only" else 2):
            wrong.append(f"{name}: {watch.cpu_percent:.1f} % of a processor")
    found.tried(f"{len(KINDS)} kinds, {seconds} s each")
    found.none("deaths or busy loops", wrong)
    found.says(f"busiest {busiest}")
    found.at_most("connections", most, 5)
    worst.report(found, own_mb=3.8, cpu_percent=6, status_ms=10, stop_s=0.2)


def reports(siege):
    lines = [line + b"\r\n" for text in siege.recordings("gpsd-logs/*.chk")
             for line in text.splitlines() if line.startswith(b"{")]
    return lines[::7] or lines


@area("gpsd-reports", minutes=5)
def gpsd_reports(siege):
    """gpsd's JSON, fuzzing"""
    found, chance, lines = siege.found, siege.random, reports(siege)
    count, seconds = siege.size(75_680, 6_000), siege.size(280, 20)
    sent = [0]

    def speak(client, end):
        """A nineteenth of all, then the connection ends."""
        client.sendall(VERSION)
        share = count // 19 + 1
        for at in range(share):
            if sent[0] >= count or time.monotonic() > end:
                return
            sent[0] += 1
            client.sendall(damaged_line(pick(chance, lines), chance, lines))
            if at % 20 == 0:
                time.sleep(20 * seconds / count * 0.7)

    gpsd = FalseGpsd(speak, 60 + 2 * seconds)
    with Daemon(siege, siege.path("daemon"), settings(gpsd.port)) as daemon:
        with Watch(daemon, every_s=0.5) as watch:
            while time.monotonic() < gpsd.end and sent[0] < count and daemon.is_alive():
                time.sleep(0.1)
        code, stopped = daemon.stop()
    text = daemon.text()
    found.tried(f"{sent[0]:,} damaged lines, {gpsd.connections} connections, "
                f"{watch.seen['seconds']:.0f} s")
    found.check(code == 0, f"ended with {code}: {daemon.tail()}")
    found.check(sent[0] >= count * 0.9, f"only {sent[0]} of {count} lines were taken")
    found.check("\x1b" not in text and not any(
        line.startswith("fix accepted") for line in text.splitlines()),
        "escape sequences or forged lines in the log")
    found.at_most("work", watch.seen["cpu"], 2 + siege.size(0.5, 0), "s")
    worst = Worst()
    worst.add(watch, stopped)
    worst.report(found, own_mb=3.5)


class RealGpsd:
    """Debian's gpsd with one receiver, which sends five times a second."""

    def __init__(self, siege):
        self.program = shutil.which("gpsd", path=CLEAN["PATH"])
        if not self.program:
            raise Skipped("gpsd is not installed")
        self.receiver = Receiver(siege.path("rx"))
        self.process, self.walk = None, Walk()
        self.stopping = threading.Event()
        threading.Thread(target=self.speak, daemon=True).start()

    def speak(self):
        while not self.stopping.wait(0.2):
            self.receiver.hear()
            self.receiver.offer(self.walk.epoch())

    def start(self):
        # It opens the device as an unprivileged user, who needs access to it.
        self.process = subprocess.Popen(
            [self.program, "-N", "-n", "-S", "2947", self.receiver.name],
            env=CLEAN, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self):
        self.process.kill()
        self.process.wait()


def fixes_again(daemon, limit_s=60):
    """Seconds until the receiver's fixes are counted again."""
    start = time.monotonic()
    before = daemon.status()["receiver"]["counters"]["fixes"]
    daemon.wait(lambda status: status["receiver"]["counters"]["fixes"] > before + 1, limit_s)
    return time.monotonic() - start


@area("real-gpsd", minutes=2)
def real_gpsd(siege):
    """Real gpsd: killed, stopped, restarted quickly"""
    found, gpsd = siege.found, RealGpsd(siege)
    gpsd.start()
    with Daemon(siege, siege.path("daemon"), settings(2947)) as daemon:
        found.check(fixes_again(daemon) < 60, "no fixes before anything was done")
        after_kill = []
        for _ in range(siege.size(5, 2)):
            gpsd.kill()
            time.sleep(1)
            gpsd.start()
            after_kill.append(fixes_again(daemon))
        gpsd.process.send_signal(signal.SIGSTOP)
        time.sleep(siege.size(10, 3))
        gpsd.process.send_signal(signal.SIGCONT)
        after_stop = fixes_again(daemon)
        for _ in range(siege.size(15, 5)):
            gpsd.kill()
            gpsd.start()
            time.sleep(0.3)
        after_restarts = fixes_again(daemon)
        code, _ = daemon.stop()
    gpsd.stopping.set()
    gpsd.kill()
    found.check(code == 0, f"ended with {code}: {daemon.tail()}")
    found.tried(f"killed {len(after_kill)} times, stopped {siege.size(10, 3)} s, "
                f"{siege.size(15, 5)} quick restarts")
    found.at_most("fixes again after a kill", max(after_kill), 6, "s")
    found.at_most("after the stop", after_stop, 2, "s")
    found.at_most("after the restarts", after_restarts, 17, "s")
