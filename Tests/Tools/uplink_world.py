"""What the trials of the uplink have in common: a board, a collector at home, and their comparison.

Everything a trial starts is in its Crew, which ends with the trial, however that ends.
"""
import contextlib
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SETTINGS = """
[device]
name = "bike"
[store]
path = "{folder}/track.gpkg"
[receiver]
kind = "none"
[control]
socket = "{folder}/control"
[uplink]
path = "{folder}/uplink.db"
user = "{user}"
receipt_s = 0
most_waiting = 1000000
"""
BROKERS = """
[uplink.mqtt]
brokers = [{brokers}]
owntracks = {owntracks}
collector = {collector}
home_assistant = {home_assistant}
"""
# Of the tables that a collector gets, those that the writer fills.
TABLES = ["track_points", "visits", "events", "crossings", "power_segments"]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def brokers(*addresses, owntracks=False, collector=False, home_assistant=False):
    """The settings of a client of these brokers."""
    flags = {"owntracks": owntracks, "collector": collector, "home_assistant": home_assistant}
    return BROKERS.format(
        brokers=", ".join(f'"{address}"' for address in addresses),
        **{name: str(flag).lower() for name, flag in flags.items()})


def await_that(holds, what, patience=30, pause=0.05):
    """Polls for a condition without a notification: a port that listens, a row in a file."""
    deadline = time.monotonic() + patience
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not within {patience} s")
        time.sleep(pause)


def listens(port, host="127.0.0.1"):
    with socket.socket() as one:
        one.settimeout(1)
        return one.connect_ex((host, port)) == 0


class Crew:
    """The processes of a trial, each by its name, with their output in a file of that name."""

    def __init__(self, folder):
        self.folder = folder
        self.running = {}
        self.kills = {}

    def start(self, name, command, **options):
        with open(f"{self.folder}/{name}.log", "a", encoding="utf-8") as log:
            options = {"stdout": log, "stderr": log, "stdin": subprocess.DEVNULL} | options
            self.running[name] = subprocess.Popen(command, **options)
        return self.running[name]

    def alive(self, name):
        return name in self.running and self.running[name].poll() is None

    def kill(self, name):
        """Kills like a power cut; counted."""
        if self.alive(name):
            self.running[name].kill()
            self.running[name].wait()
            self.kills[name] = self.kills.get(name, 0) + 1

    def stop(self, name, patience=20):
        """Stops like a service."""
        if not self.alive(name):
            return
        self.running[name].terminate()
        try:
            self.running[name].wait(patience)
        except subprocess.TimeoutExpired:
            self.running[name].kill()
            self.running[name].wait()

    def close(self):
        for process in self.running.values():
            if process.poll() is None:
                process.kill()
                process.wait()


class Trial:
    """A folder and a crew for `with`: both are removed afterwards, but the folder of a failure
    stays."""

    def __init__(self, name):
        self.name = name
        self.folder = tempfile.mkdtemp(prefix="godwit-uplink-")
        self.crew = Crew(self.folder)
        self.start = time.monotonic()

    def __enter__(self):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        return self

    def __exit__(self, *_):
        self.crew.close()

    @property
    def seconds(self):
        return time.monotonic() - self.start

    def verdict(self, problems, text):
        self.crew.close()
        if problems:
            print("\n".join(problems + [f"left in {self.folder}"]))
        else:
            shutil.rmtree(self.folder)
        print(f"uplink-{self.name}: {'FAILED' if problems else 'passed'}: {text}")
        return 1 if problems else 0


class Board:
    """A store, an outbox and a collection in one folder."""

    def __init__(self, godwit, folder, settings, seed=1, user="ann", home=None):
        self.godwit, self.folder = os.path.abspath(godwit), folder
        self.random = random.Random(seed)
        self.settings = f"{folder}/godwit.toml"
        self.store, self.home = f"{folder}/track.gpkg", f"{folder}/home.gpkg"
        self.outbox = f"{folder}/uplink.db"
        self.home_settings = f"{folder}/home.toml" if home else self.settings
        general = SETTINGS.format(folder=folder, user=user)
        write(self.settings, general + settings)
        if home:
            write(self.home_settings, general + home)
        self.begin()

    @property
    def run(self):
        return [self.godwit, "run", "--config", self.settings, "--no-power"]

    @property
    def uplink(self):
        return [self.godwit, "uplink", "--config", self.settings]

    @property
    def serve(self):
        """The uplink as its service."""
        return [self.godwit, "uplink", "run", "--service", "--config", self.settings]

    @property
    def collect(self):
        return [self.godwit, "collect", "--config", self.home_settings, "--store", self.home]

    @property
    def writer(self):
        return [sys.executable, f"{HERE}/uplink_writer.py", self.store,
                str(self.random.randrange(1 << 30))]

    @contextlib.contextmanager
    def daemon(self):
        """The daemon, once it has reported that it is ready."""
        path = f"{self.folder}/notify"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices, \
                open(f"{self.folder}/daemon.log", "a", encoding="utf-8") as log:
            notices.bind(path)
            notices.settimeout(30)
            daemon = subprocess.Popen(
                self.run, stdout=log, stderr=log, env=os.environ | {"NOTIFY_SOCKET": path})
            try:
                while "READY=1" not in notices.recv(4096).decode():
                    pass
                yield
            finally:
                daemon.terminate()
                daemon.wait()
                os.unlink(path)

    def begin(self):
        """A store as the daemon makes it, with its log of changes."""
        with self.daemon():
            pass

    def waiting(self):
        """Messages that have no confirmed receipt."""
        with sqlite3.connect(f"file:{self.outbox}?mode=ro", uri=True, timeout=10) as outbox:
            return outbox.execute("SELECT count(*) FROM outbox WHERE state < 2").fetchone()[0]

    def handed_over(self):
        """Messages that count as received."""
        with sqlite3.connect(f"file:{self.outbox}?mode=ro", uri=True, timeout=10) as outbox:
            return outbox.execute("SELECT count(*) FROM outbox WHERE state > 0").fetchone()[0]

    def drain(self, run, patience):
        """Runs the uplink until nothing waits. The faults if that does not happen."""
        deadline = time.monotonic() + patience
        while True:
            result = run()
            if not (left := self.waiting()) and result == 0:
                return []
            if time.monotonic() > deadline:
                return [f"{left} messages wait after {patience} s, the last run ended with {result}"]
            time.sleep(0.2)

    def compare(self):
        """Problems, and the number of records."""
        problems, records = [], 0
        store, home = sqlite3.connect(self.store), sqlite3.connect(self.home)
        for table in TABLES:
            columns = [row[1] for row in store.execute(f"PRAGMA table_info({table})")][1:]
            names = ", ".join(columns)
            own = {row[0]: row[1:] for row in store.execute(f"SELECT id, {names} FROM {table}")}
            rows = home.execute(f"SELECT record, {names} FROM {table}").fetchall()
            records += len(own)
            problems += differences(table, own, rows)
        return problems, records


def differences(table, own, rows):
    there = {row[0]: row[1:] for row in rows}
    problems = []
    if len(rows) != len(there):
        problems.append(f"{table}: {len(rows) - len(there)} twice")
    if lost := own.keys() - there.keys():
        problems.append(f"{table}: {len(lost)} lost, such as {min(lost)}")
    if more := there.keys() - own.keys():
        problems.append(f"{table}: {len(more)} too many, such as {min(more)}")
    if other := [key for key in own.keys() & there.keys() if own[key] != there[key]]:
        problems.append(f"{table}: {len(other)} different, such as {min(other)}")
    return problems


def told(counts):
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
