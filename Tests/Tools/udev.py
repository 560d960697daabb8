#!/usr/bin/env python3
"""Applies the udev rules to fake devices with the udevadm that is there, and compares.

In namespaces of its own: a fake /sys, and a /dev, /run and /etc/group that no other process sees.
Exit code 77: it could not be tried here, and the last line says why.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve()
RULES = HERE.parents[2] / "udev"
UNTRIED = 77
GROUPS = {"root": 0, "tty": 5, "dialout": 20, "godwit": 901, "gpio": 902, "i2c": 903}

# The rules of other packages for the same devices, in the files' order: the last one wins.
# i2c-tools has a 60-i2c-tools.rules, Raspberry Pi OS a 99-com.rules.
DISTRIBUTION = {
    "50-udev-default.rules": 'SUBSYSTEM=="tty", GROUP="dialout"\n',
    "60-i2c-tools.rules": 'SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"\n',
    "99-com.rules": 'SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"\n'
                    'KERNEL=="ttyS0|ttyAMA10", SYMLINK+="serial0"\n',
}


class Device:
    """A device of the fake /sys, with its parent devices."""

    def __init__(self, path, subsystem, node=None, attributes=None, parents=()):
        self.path = "/sys/devices/" + path
        self.subsystem, self.node = subsystem, node
        self.attributes, self.parents = attributes or {}, parents

    def make(self, root, number):
        for parent in self.parents:
            parent.make(root, None)
        folder = root / self.path.removeprefix("/sys/")
        folder.mkdir(parents=True, exist_ok=True)
        (root / "class" / self.subsystem).mkdir(parents=True, exist_ok=True)
        if not (folder / "subsystem").is_symlink():
            (folder / "subsystem").symlink_to(f"/sys/class/{self.subsystem}")
        uevent = f"MAJOR=240\nMINOR={number}\nDEVNAME={self.node}\n" if self.node else ""
        (folder / "uevent").write_text(uevent)
        for name, value in self.attributes.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(value + "\n")


def usb_line(node, vendor, product, interface="00"):
    """A serial line of a USB device."""
    usb = Device(f"usb/{node}-usb", "usb", attributes={"idVendor": vendor, "idProduct": product})
    port = Device(f"usb/{node}-usb/1.0", "usb", attributes={"bInterfaceNumber": interface},
                  parents=[usb])
    return Device(f"usb/{node}-usb/1.0/tty/{node}", "tty", node, parents=[port])


def uart(node, parent, console="N"):
    return Device(f"platform/{parent}/tty/{node}", "tty", node, {"console": console},
                  [Device(f"platform/{parent}", "platform")])


def hwmon(name):
    return Device(f"platform/{name}/hwmon/hwmon3", "hwmon", None,
                  {"name": name, "update_interval": "35", "shunt_resistor": "10000",
                   "in1_input": "3300"})


IIO = Device("platform/1-0040/iio:device0", "iio", "iio:device0",
             {"name": "ina226", "buffer/enable": "0", "scan_elements/in_power2_en": "0",
              "current_timestamp_clock": "realtime", "in_voltage0_raw": "0"})
RECEIVER = {"links": ["/dev/gnss-receiver"], "tags": ["systemd"]}
OURS = {"group": "godwit", "mode": "0660"}
MONITOR = {"tags": ["systemd"], "alias": "/godwit/power-monitor"}

# (what it is, the device, distribution's rules that are there, what is expected)
CASES = [
    ("a GPIO chip", Device("platform/gpio/gpiochip0", "gpio", "gpiochip0"), [], OURS),
    ("a GPIO chip on Raspberry Pi OS", Device("platform/gpio/gpiochip0", "gpio", "gpiochip0"),
     ["99-com.rules"], {"group": "gpio", "mode": "0660"}),
    ("an I2C bus", Device("platform/i2c/i2c-dev/i2c-1", "i2c-dev", "i2c-1"), [], OURS),
    ("an I2C bus beside i2c-tools", Device("platform/i2c/i2c-dev/i2c-1", "i2c-dev", "i2c-1"),
     ["60-i2c-tools.rules"], {"group": "i2c", "mode": "0660"}),
    ("a disk", Device("platform/x/block/sda", "block", "sda"), [], {}),
    ("the kernel's GNSS", Device("platform/gnss/gnss0", "gnss", "gnss0"), [],
     {**OURS, **RECEIVER, "priority": 110}),
    ("an INA226", hwmon("ina226"), [], {**MONITOR, "writable": ["update_interval",
                                                              "shunt_resistor"]}),
    ("an INA3221", hwmon("ina3221"), [], {**MONITOR, "writable": ["update_interval",
                                                                "shunt_resistor"]}),
    ("a thermometer", hwmon("cpu_thermal"), [], {}),
    ("an INA226 under IIO", IIO, [], {**OURS, **MONITOR, "writable": [
        "buffer/enable", "scan_elements/in_power2_en", "current_timestamp_clock"]}),
    ("a u-blox 8 on USB", usb_line("ttyACM0", "1546", "01a8"), ["50-udev-default.rules"],
     {**RECEIVER, "group": "dialout", "priority": 100}),
    ("a u-blox modem", usb_line("ttyACM0", "1546", "1102"), [], {}),
    ("a converter", usb_line("ttyUSB0", "10c4", "ea60"), ["50-udev-default.rules"],
     {**RECEIVER, "group": "dialout", "priority": 50}),
    ("NMEA of a SIM7600", usb_line("ttyUSB1", "1e0e", "9001", "01"), ["50-udev-default.rules"],
     {**RECEIVER, "group": "dialout", "priority": 90}),
    ("AT of a SIM7600", usb_line("ttyUSB2", "1e0e", "9001", "02"), ["50-udev-default.rules"],
     {"group": "dialout"}),
    ("NMEA of a SIM7080", usb_line("ttyUSB1", "1e0e", "9205", "01"), [],
     {**RECEIVER, "priority": 90}),
    ("the header's UART", uart("ttyS0", "3f215040.serial"), ["99-com.rules"],
     {"links": ["/dev/gnss-receiver", "/dev/serial0"], "tags": ["systemd"], "priority": 10}),
    ("the header's UART as a console", uart("ttyS0", "3f215040.serial", "Y"), ["99-com.rules"],
     {"links": ["/dev/serial0"]}),
    ("the header's UART of a Pi 5", uart("ttyAMA0", "1f00030000.serial"), ["99-com.rules"],
     {**RECEIVER, "priority": 20}),
    ("a UART of somebody else's", uart("ttyS1", "fe201000.serial"), [], {}),
]


def apply(device, number, others):
    """udev's result for the device."""
    sys_root = pathlib.Path(tempfile.mkdtemp(dir="/run"))
    device.make(sys_root, number)
    shutil.rmtree("/run/udev", ignore_errors=True)
    pathlib.Path("/run/udev").mkdir()
    rules = pathlib.Path("/etc/udev/rules.d")
    shutil.rmtree(rules, ignore_errors=True)
    shutil.copytree(RULES, rules)
    for name in others:
        (rules / name).write_text(DISTRIBUTION[name])
    subprocess.run(["mount", "--bind", sys_root, "/sys"], check=True)
    try:
        outcome = subprocess.run(
            ["udevadm", "test", "--action=add", device.path], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, "SYSTEMD_DEVICE_VERIFY_SYSFS": "0", "SYSTEMD_COLORS": "0"})
        text = outcome.stdout
        seen = read(text, number)
        commands = re.findall(r"(?:run: '|RUN\{program\} : )/bin/sh -c '(.*?)'+$", text, re.M)
        if commands:
            seen["writable"] = writable(device, commands)
    finally:
        subprocess.run(["umount", "/sys"], check=True)
    complaints = re.findall(r"^.*(?:godwit[\w.-]*:\d+[^\n]*(?:[Ii]nvalid|[Uu]nknown|ignoring)).*$",
                            text, re.M)
    if outcome.returncode != 0 or complaints:
        seen["complaints"] = complaints or [text[-300:]]
    return seen


def read(text, number):
    """udevadm 252 logs what it does, 254 and newer list it at the end as well."""
    def last(*patterns):
        found = [match for pattern in patterns for match in re.findall(pattern, text, re.M)]
        return found[-1] if found else None

    seen = {}
    gid = last(r" GROUP (\d+)", r"\(gid=(\d+)\)")
    if gid:
        seen["group"] = {number: name for name, number in GROUPS.items()}[int(gid)]
    mode = last(r" MODE (\d+)", r"^Device node permission:\n\s+(\d+)")
    if mode:
        seen["mode"] = mode
    for key, name in [("links", r"\bDEVLINKS=(.*)"), ("alias", r"\bSYSTEMD_ALIAS=(.*)"),
                      ("tags", r"\bTAGS=:(.*):")]:
        value = last(name)
        if value:
            seen[key] = value if key == "alias" else sorted(value.replace(":", " ").split())
    data = pathlib.Path(f"/run/udev/data/c240:{number}")
    priority = last(r"^Device node symlinks: \(priority=(-?\d+)\)") or (
        re.findall(r"^L:(-?\d+)", data.read_text(), re.M)[-1:] if data.exists() else None)
    level = int(priority if isinstance(priority, str) else priority[0]) if priority else 0
    if level:
        seen["priority"] = level
    return seen


def writable(device, commands):
    """Which attributes the group may write after the rules' commands have run."""
    for command in commands:
        subprocess.run(["/bin/sh", "-c", command], check=True)
    folder = pathlib.Path(device.path)
    return [name for name in device.attributes
            if (folder / name).stat().st_mode & 0o020
            and (folder / name).stat().st_gid == GROUPS["godwit"]]


def isolate():
    """From here on /dev, /run and the rules' folders are ours alone."""
    group = "".join(f"{name}:x:{number}:\n" for name, number in GROUPS.items())
    for place in ["/usr/lib/udev/rules.d", "/lib/udev/rules.d", "/etc/udev", "/run", "/dev"]:
        if pathlib.Path(place).is_dir():
            subprocess.run(["mount", "-t", "tmpfs", "tmpfs", place], check=True)
    os.mknod("/dev/null", 0o600 | 0o020000, os.makedev(1, 3))
    pathlib.Path("/run/group").write_text(group)
    subprocess.run(["mount", "--bind", "/run/group", "/etc/group"], check=True)


def main():
    if "--isolated" not in sys.argv:
        if not shutil.which("udevadm") or not shutil.which("unshare"):
            print("udevadm and unshare are not both there")
            sys.exit(UNTRIED)
        apart = ["unshare", "--mount", "--propagation", "private"]
        if os.getuid() != 0 or subprocess.run(
                apart + ["mount", "-t", "tmpfs", "tmpfs", "/run"], capture_output=True).returncode:
            print("mounting needs root in a mount namespace of its own")
            sys.exit(UNTRIED)
        os.execvp("unshare", apart + [sys.executable, str(HERE), "--isolated"])
    isolate()
    failures = 0
    for number, (what, device, others, expected) in enumerate(CASES, 1):
        seen = apply(device, number, others)
        if seen != expected:
            failures += 1
            print(f"{what}: expected {expected}, udev does {seen}")
    version = subprocess.run(["udevadm", "--version"], capture_output=True, text=True).stdout
    print(f"udev {version.strip()}: {len(CASES) - failures} of {len(CASES)} devices as expected")
    sys.exit(1 if failures else 0)


main()
