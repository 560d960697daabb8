"""`godwit run` as a process, and a watch over its memory, processor time and answers."""

import json
import os
import select
import signal
import socket
import statistics
import subprocess
import threading
import time

from program import CLEAN, Memory, cpu_s, proc_mb


class Refused(Exception):
    """No answer at the control socket."""


class Daemon:
    """One daemon with everything it writes in one folder."""

    def __init__(self, siege, folder, settings=(), device=None, store=None, socket_path=None,
                 wrapper=(), environment=None, setup=None, options=()):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        self.store = store or os.path.join(folder, "store.gpkg")
        self.socket = socket_path or os.path.join(folder, "control")
        self.log = os.path.join(folder, "log")
        self.config = os.path.join(folder, "godwit.toml")
        for name in ("godwit.toml", "board.toml"):
            with open(os.path.join(folder, name), "a"):
                pass
        receiver = [f"receiver.device={device}", "receiver.baud=9600"] if device else []
        values = ["control.group=root", "store.commit_interval_s=0"] + receiver + list(settings)
        self.arguments = list(wrapper) + [
            siege.godwit, "run", "--config", self.config,
            "--board", os.path.join(folder, "board.toml"), "--store", self.store,
            "--socket", self.socket, *options]
        for value in values:
            self.arguments += ["--set", value]
        self.environment = {**CLEAN, **(environment or {})}
        self.setup = setup
        self.process = None

    def launch(self, stderr=None):
        """Starts it without waiting."""
        log = stderr if stderr is not None else open(self.log, "ab")
        self.process = subprocess.Popen(
            self.arguments, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            preexec_fn=self.setup, start_new_session=True)
        if stderr is None:
            log.close()
        return self

    def start(self, limit_s=10):
        """Starts it; returns when it answers."""
        self.launch()
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise Refused(f"ended at its start with {self.process.returncode}: {self.tail()}")
            try:
                self.ask({"command": "status"}, limit_s)
                return self
            except Refused:
                time.sleep(0.01)
        raise Refused(f"no answer {limit_s} s after its start: {self.tail()}")

    @property
    def pid(self):
        """The daemon itself, also under a wrapper."""
        pid = self.process.pid
        if self.arguments[0].endswith("godwit"):
            return pid
        try:
            with open(f"/proc/{pid}/task/{pid}/children") as file:
                return int((file.read().split() or [pid])[0])
        except OSError:
            return pid

    def raw(self, request, limit_s=5):
        """The answer to one request, as bytes."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(limit_s)
            try:
                client.connect(self.socket)
                client.sendall(request)
                answer = b""
                while not answer.endswith(b"\n"):
                    chunk = client.recv(65536)
                    if not chunk:
                        break
                    answer += chunk
                return answer
            except OSError as error:
                raise Refused(str(error))

    def ask(self, request, limit_s=5):
        answer = self.raw(json.dumps(request).encode() + b"\n", limit_s)
        try:
            return json.loads(answer)
        except ValueError:
            raise Refused(f"the answer is {answer[:100]!r}")

    def status(self, limit_s=5):
        return self.ask({"command": "status"}, limit_s)

    def wait(self, condition, limit_s=10):
        """Whether a status with this property arrives in time."""
        end = time.monotonic() + limit_s
        while time.monotonic() < end and self.is_alive():
            try:
                if condition(self.status()):
                    return True
            except Refused:
                pass
            time.sleep(0.02)
        return False

    def is_alive(self):
        return self.process.poll() is None

    def signal(self, number):
        os.kill(self.pid, number)

    def stop(self, limit_s=10):
        """Ends it in an orderly way; returns the exit code and the seconds it took."""
        start = time.monotonic()
        if self.is_alive():
            self.signal(signal.SIGTERM)
        try:
            code = self.process.wait(limit_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None, limit_s
        return code, time.monotonic() - start

    def kill(self):
        if self.is_alive():
            self.signal(signal.SIGKILL)
        self.process.wait()

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def own_mb(self):
        """The memory that it has allocated (Memory explains why not the resident part)."""
        return proc_mb(self.pid, "RssAnon")[0]

    def text(self):
        with open(self.log, "rb") as file:
            return file.read().decode(errors="replace")

    def tail(self):
        return self.text()[-300:].strip()

    def __enter__(self):
        return self.start() if self.process is None else self

    def __exit__(self, *_):
        self.kill()


class Watch:
    """Looks at a daemon while it is pestered: memory, processor time, how fast it answers.

    In a process of its own, so that what this one does is not taken for the daemon's slowness.
    """

    def __init__(self, daemon, every_s=0.25):
        self.daemon, self.every_s = daemon, every_s

    def __enter__(self):
        self.reader, writer = os.pipe()
        self.ender, ending = os.pipe()
        self.child = os.fork()
        if self.child == 0:
            try:
                # A client's connection that this copy kept would never be closed.
                low, high = sorted((writer, self.ender))
                for first, last in ((3, low), (low + 1, high), (high + 1, 65_536)):
                    os.closerange(first, last)
                os.write(writer, json.dumps(self.look()).encode() + b"\n")
            finally:
                os._exit(0)
        os.close(writer)
        os.close(self.ender)
        self.ending = ending
        return self

    def look(self):
        pid, start = self.daemon.pid, time.monotonic()
        first_cpu, last_cpu, last_time = cpu_s(pid), 0, start
        memory, waits, missed = Memory(), [], 0
        while True:
            ready, _, _ = select.select([self.ender], [], [], self.every_s)
            memory.look(pid)
            last_cpu, last_time = cpu_s(pid) or last_cpu, time.monotonic()
            try:
                before = time.monotonic()
                self.daemon.status()
                waits.append(time.monotonic() - before)
            except Refused:
                missed += 1
            if ready:
                break
        return {"own": memory.own_mb, "resident": memory.resident_mb, "waits": waits,
                "missed": missed, "cpu": last_cpu - first_cpu, "seconds": last_time - start}

    def __exit__(self, *_):
        # A byte and a line, not the end of file: watches that other threads fork hold the pipes,
        # too.
        os.write(self.ending, b".")
        with os.fdopen(self.reader) as file:
            self.seen = json.loads(file.readline())
        os.close(self.ending)
        os.waitpid(self.child, 0)
        self.memory = Memory()
        self.memory.add(self.seen["own"], self.seen["resident"])
        self.cpu_percent = 100 * self.seen["cpu"] / max(0.1, self.seen["seconds"])
        waits = self.seen["waits"] or [5.0]
        self.usual_ms = 1000 * statistics.median(waits)
        self.worst_ms = 1000 * max(waits)
        self.missed = self.seen["missed"]


class Worst:
    """The worst results of several watches, entered into findings with one limit each."""

    def __init__(self):
        self.memory = Memory()
        self.cpu_percent = self.usual_ms = self.worst_ms = self.missed = 0
        self.stops_s = []
        self.lock = threading.Lock()

    def add(self, watch, stop_s=0):
        with self.lock:
            self.memory.merge(watch.memory)
            for name in ("cpu_percent", "usual_ms", "worst_ms"):
                setattr(self, name, max(getattr(self, name), getattr(watch, name)))
            self.stops_s.append(stop_s or 0)
            self.missed += watch.missed

    def report(self, found, own_mb, cpu_percent=None, status_ms=None, stop_s=None):
        self.memory.report(found, own_mb)
        if cpu_percent is not None:
            found.at_most("processor", self.cpu_percent, cpu_percent, "%")
        if status_ms is not None:
            found.at_most("status", self.usual_ms, status_ms, "ms")
            found.says(f"slowest {self.worst_ms:.3g} ms")
        if stop_s is not None:
            found.at_most("stop", statistics.median(self.stops_s), stop_s, "s")
            found.says(f"slowest {max(self.stops_s):.3g} s")
        found.check(not self.missed, f"{self.missed} requests for the status went unanswered")
