"""The program as a process: run to its end within a time, with its memory."""

import os
import select
import signal
import subprocess
import tempfile
import time

CLEAN = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}


class Result:
    def __init__(self, code, output, errors, seconds, hung, peak_mb=0, worked_s=0):
        self.code, self.output, self.errors = code, output, errors
        self.seconds, self.hung = seconds, hung
        self.peak_mb, self.worked_s = peak_mb, worked_s

    @property
    def died(self):
        """By a signal of its own making, such as a trap."""
        return self.code < 0 and not self.hung

    def __str__(self):
        end = "hung" if self.hung else f"rc {self.code}"
        return f"{end}, {self.errors[-300:].decode(errors='replace').strip()!r}"


def proc_kb(pid, field):
    try:
        with open(f"/proc/{pid}/status") as file:
            for line in file:
                if line.startswith(field + ":"):
                    return int(line.split()[1])
    except (OSError, ValueError):
        pass
    return 0


def cpu_s(pid):
    """Time on a processor so far: the first field of schedstat, in ns."""
    try:
        with open(f"/proc/{pid}/schedstat") as file:
            return int(file.read().split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def run(arguments, limit_s=30, **options):
    """Runs to the end; what takes longer than the limit is killed and called hung."""
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
    """Like run, with its largest memory and its processor time, looked at every millisecond."""
    start = time.monotonic()
    output = open(options.pop("output", os.devnull), "wb")
    with output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(arguments, env=CLEAN, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=errors, **options)
        peak, worked, hung = 0, 0, False
        while process.poll() is None:
            peak = max(peak, proc_kb(process.pid, "VmHWM"))
            worked = max(worked, cpu_s(process.pid))
            if time.monotonic() - start > limit_s:
                hung = True
                process.kill()
            time.sleep(0.001)
        seconds = time.monotonic() - start
        errors.seek(0)
        return Result(process.returncode, b"", errors.read(), seconds, hung, peak / 1024, worked)


def feed(arguments, data, limit_s=20):
    """Gives data at standard input and takes all output. Its memory is read while it still waits
    for the end of the input."""
    start = time.monotonic()
    process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, env=CLEAN, bufsize=0)
    source, sink = process.stdin.fileno(), process.stdout.fileno()
    os.set_blocking(source, False)
    waiting = select.poll()
    waiting.register(source, select.POLLOUT)
    waiting.register(sink, select.POLLIN)
    view, sent, output, peak, hung = memoryview(data), 0, [], 0, False
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
        if not process.stdin.closed and sent >= len(view):
            peak = proc_kb(process.pid, "VmHWM")
            waiting.unregister(source)
            process.stdin.close()
        if output and not output[-1]:
            break
    process.stdout.close()
    if not process.stdin.closed:
        process.stdin.close()
    code = process.wait()
    return Result(code, b"".join(output), b"", time.monotonic() - start, hung, peak / 1024)


def name_of(code):
    return signal.Signals(-code).name if code < 0 else f"rc {code}"
