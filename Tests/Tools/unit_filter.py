#!/usr/bin/env python3
"""unit_filter.py UNIT PROGRAM [ARGUMENT...]: runs a program with the system calls of a systemd unit.

As systemd does it (systemd.exec(5)): the lines of SystemCallFilter= in their order, and what other
settings deny by name. Nothing else of the unit. The groups are those of the systemd that is here.
Exit code 77: it could not be tried here, and the last line says why.
"""

import ctypes
import errno
import os
import pathlib
import shutil
import subprocess
import sys

UNTRIED = 77
ALLOW, FAIL = 0x7FFF0000, 0x00050000 | errno.EPERM  # seccomp_init(3)
DENYING = {
    "ProtectClock": ["@clock"],
    "ProtectKernelModules": ["@module"],
    "ProtectKernelLogs": ["syslog"],
    "ProtectHostname": ["sethostname", "setdomainname"],
}


def settings(unit):
    """The assignments of [Service], in their order."""
    section = ""
    for line in pathlib.Path(unit).read_text().splitlines():
        line = line.strip()
        if line.startswith("["):
            section = line
        elif section == "[Service]" and "=" in line and line[0] not in "#;":
            name, value = line.split("=", 1)
            yield name.strip(), value.strip()


def expanded(names):
    """The system calls of these names and groups."""
    calls = set()
    for name in names:
        if not name.startswith("@"):
            calls.add(name)
            continue
        command = ["systemd-analyze", "syscall-filter", name]
        listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        words = [line.split("#")[0].strip() for line in listing.splitlines()[1:]]
        calls |= expanded([word for word in words if word])
    return calls


def allowed(unit):
    calls, denied = None, set()
    for name, value in settings(unit):
        if name == "SystemCallFilter":
            names = expanded(value.lstrip("~").split())
            if calls is None:
                assert not value.startswith("~"), "only a list of what is allowed is understood"
                calls = expanded(["@default"])
            calls = calls - names if value.startswith("~") else calls | names
        elif value == "yes":
            denied |= expanded(DENYING.get(name, []))
    return calls - denied


def apply(calls):
    library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(FAIL)))
    for name in sorted(calls):
        number = library.seccomp_syscall_resolve_name(name.encode())
        # Names that this machine's library does not know are left out, as in systemd.
        if number != -1:
            library.seccomp_rule_add(context, ctypes.c_uint32(ALLOW), number, 0)
    return library.seccomp_load(context)


def main():
    if shutil.which("systemd-analyze") is None:
        sys.exit(untried("systemd-analyze is not installed"))
    try:
        failure = apply(allowed(sys.argv[1]))
    except OSError as error:
        sys.exit(untried(f"libseccomp cannot be loaded: {error}"))
    if failure != 0:
        sys.exit(untried(f"the kernel takes no filter: {os.strerror(-failure)}"))
    os.execv(sys.argv[2], sys.argv[2:])


def untried(why):
    print(f"unit_filter: not tried: {why}")
    return UNTRIED


if __name__ == "__main__":
    main()
