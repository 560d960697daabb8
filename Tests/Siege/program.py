"""The program as a process: run to its end within a timeout, with its memory."""

import os
import select
import signal
import subprocess
import tempfile
import time

CLEAN = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}


class Result:
    def __init__(self, code, output, errors, seconds, hung, memory=None, worked_s=0):
        self.code, self.output, self.errors = code, output, errors
        self.seconds, self.hung = seconds, hung
        self.memory, self.worked_s = memory or Memory(), worked_s

    @property
    def died(self):
        """Ended by a signal of its own, such as a trap."""
        return self.code < 0 and not self.hung

    def __str__(self):
        end = "hung" if self.hung else f"rc {self.code}"
        return f"{end}, {self.errors[-300:].decode(errors='replace').strip()!r}"


class Memory:
    """The most that a process had of its own and resident at once.

    Only what is its own (RssAnon) has bounds. Of resident memory the most is pages of the program
    file, and the kernel keeps there as many as it likes: a program of 100 MB is shown with 13 MB on
    one machine and with 40 MB on another, and has allocated the same.
    """

    def __init__(self):
        self.own_mb = self.resident_mb = 0.0

    def look(self, pid):
        """Records its present memory; returns the private part."""
        own, resident = proc_mb(pid, "RssAnon", "VmRSS")
        self.add(own, resident)
        return own

    def add(self, own_mb, resident_mb):
        self.own_mb = max(self.own_mb, own_mb)
        self.resident_mb = max(self.resident_mb, resident_mb)

    def merge(self, other):
        self.add(other.own_mb, other.resident_mb)

    def report(self, found, own_mb, name="memory of its own"):
        found.at_most(name, self.own_mb, own_mb, "MB")
        found.says(f"resident {self.resident_mb:.3g} MB")


def proc_mb(pid, *fields):
    """These fields of a process, 0 if it has ended."""
    values = dict.fromkeys(fields, 0)
    try:
        with open(f"/proc/{pid}/status") as file:
            for line in file:
                name, _, rest = line.partition(":")
                if name in values:
                    values[name] = int(rest.split()[0]) / 1024
    except (OSError, ValueError):
        pass
    return [values[name] for name in fields]


def cpu_s(pid):
    """Time on a processor so far: the first field of schedstat, in ns."""
    try:
        with open(f"/proc/{pid}/schedstat") as file:
            return int(file.read().split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def run(arguments, limit_s=30, **options):
    """Runs to the end; a process that exceeds the limit is killed and counted as hung."""
    start = time.monotonic()
    options.setdefault("env", CLEAN)
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("stdout", subprocess.PIPE)
    process = subprocess.Popen(arguments, stderr=subprocess.PIPE, **options)
    hung = False
    try:
        output, errors = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        hung = True
        process.kill()
        output, errors = process.communicate()
    return Result(process.returncode, output or b"", errors, time.monotonic() - start, hung)


def measured(arguments, limit_s=30, **options):
    """Like run, with its memory and its processor time, measured every millisecond."""
    start = time.monotonic()
    output = open(options.pop("output", os.devnull), "wb")
    with output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(arguments, env=CLEAN, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=errors, **options)
        memory, worked, hung = Memory(), 0, False
        while process.poll() is None:
            memory.look(process.pid)
            worked = max(worked, cpu_s(process.pid))
            if time.monotonic() - start > limit_s:
                hung = True
                process.kill()
            time.sleep(0.001)
        seconds = time.monotonic() - start
        errors.seek(0)
        return Result(process.returncode, b"", errors.read(), seconds, hung, memory, worked)


def least_work(arguments, most_s, before=lambda: None, **options):
    """Like measured, up to three times until it works no longer than this: what others do on the
    machine, with the same caches, makes a run's processor time longer, and never shorter. Before
    each run: removes what the one before has left, at which it would end at once."""
    results = []
    while not results or min(result.worked_s for result in results) > most_s and len(results) < 3:
        before()
        results.append(measured(arguments, **options))
    return min(results, key=lambda result: result.worked_s)


def feed(arguments, data, limit_s=20):
    """Gives data at standard input and takes all output. Its memory is looked at with every piece,
    and while it still waits for the end of the input."""
    start = time.monotonic()
    process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, env=CLEAN, bufsize=0)
    source, sink = process.stdin.fileno(), process.stdout.fileno()
    os.set_blocking(source, False)
    waiting = select.poll()
    waiting.register(source, select.POLLOUT)
    waiting.register(sink, select.POLLIN)
    view, sent, output, memory, hung = memoryview(data), 0, [], Memory(), False
    while True:
        events = waiting.poll(max(0, limit_s - (time.monotonic() - start)) * 1000)
        if not events:
            hung = True
            process.kill()
            break
        for descriptor, event in events:
            if descriptor == sink:
                output.append(os.read(sink, 1 << 18))
            elif event & select.POLLERR:
                sent = len(view)
            else:
                sent += os.write(source, view[sent:sent + (1 << 18)])
                memory.look(process.pid)
        if not process.stdin.closed and sent >= len(view):
            memory.look(process.pid)
            waiting.unregister(source)
            process.stdin.close()
        if output and not output[-1]:
            break
    process.stdout.close()
    if not process.stdin.closed:
        process.stdin.close()
    code = process.wait()
    return Result(code, b"".join(output), b"", time.monotonic() - start, hung, memory)


def name_of(code):
    return signal.Signals(-code).name if code < 0 else f"rc {code}"
