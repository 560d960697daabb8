"""Runs a function in namespaces of its own: processes, mounts and network.

Whatever it starts or mounts ends with it, also when it or this program is killed: the kernel ends
a PID namespace with its first process, and unmounts what is no longer visible
(pid_namespaces(7), mount_namespaces(7)).
"""

import ctypes
import fcntl
import json
import os
import select
import signal
import socket
import struct
import threading
import traceback

CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = (
    0x20000, 0x10000000, 0x20000000, 0x40000000)
MS_REC, MS_PRIVATE, MNT_DETACH = 1 << 14, 1 << 18, 2
PR_SET_PDEATHSIG, PR_CAPBSET_DROP = 1, 24
CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 1, 2
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1

libc = ctypes.CDLL(None, use_errno=True)


def call(function, *arguments):
    if function(*arguments) < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def mount(source, folder, kind, options=""):
    call(libc.mount, source.encode(), os.fsencode(folder), kind.encode(), 0, options.encode())


def unmount(folder):
    call(libc.umount2, os.fsencode(folder), MNT_DETACH)


def leave_the_machine():
    """Enters the namespaces; the caller has to fork for the PID namespace."""
    user, group = os.getuid(), os.getgid()
    flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET
    call(libc.unshare, flags | (CLONE_NEWUSER if user else 0))
    if user:
        for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"),
                           ("gid_map", f"0 {group} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    call(libc.mount, b"none", b"/", None, MS_REC | MS_PRIVATE, None)


def obey_permissions():
    """For a child before its exec: even root may then read and write only what the mode allows."""
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH) * (os.getuid() == 0):
        call(libc.prctl, PR_CAPBSET_DROP, capability, 0, 0, 0)


def furnish():
    """A /proc of this namespace's processes, and a loopback interface that is up."""
    mount("proc", "/proc", "proc")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as interface:
        request = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(interface, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(interface, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | IFF_UP))


def dies_with_its_parent():
    call(libc.prctl, PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


class Child:
    """A function in a process and namespaces of its own, whose result is JSON."""

    # A child that another thread forks meanwhile would keep this one's pipe open.
    forking = threading.Lock()

    def __init__(self, function):
        with self.forking:
            self.output, writer = os.pipe()
            self.pid = os.fork()
            if self.pid:
                os.close(writer)
                return
        try:
            os.setsid()
            dies_with_its_parent()
            leave_the_machine()
            inner = os.fork()
            if inner == 0:
                self.live(function, writer)
            os.close(writer)
            os.waitpid(inner, 0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)

    @staticmethod
    def live(function, writer):
        try:
            dies_with_its_parent()
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            furnish()
            result = function()
        except BaseException:
            result = {"error": traceback.format_exc()}
        with os.fdopen(writer, "w") as file:
            json.dump(result, file)
        os._exit(0)

    def result(self, limit_s):
        """What the function returned; None when it was killed or took longer than the limit."""
        text = b""
        while True:
            ready, _, _ = select.select([self.output], [], [], limit_s)
            chunk = os.read(self.output, 65536) if ready else b""
            if not chunk:
                break
            text += chunk
        self.end()
        return json.loads(text) if text else None

    def end(self):
        pid, self.pid = self.pid, None
        if pid:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            os.close(self.output)
