"""The emulated board: qemu-system-aarch64 of Debian 13's tools, started by U-Boot from a card.

Its sides to the outside world: the console (a log), ssh (a forwarded port), QMP (to pull the power
button), qtest (to read the GPIO lines), and a serial port on a socket, where a receiver is.
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / (
    "godwit/image")
TOOLS = CACHE / "tools"
U_BOOT = "/usr/lib/u-boot/qemu_arm64/u-boot.bin"
# PL061: GPIODATA with every line's mask bit set, below its base on the virt board (hw/arm/virt.c,
# ARM PrimeCell GPIO PL061 TRM, 3.3.1).
GPIO_DATA = 0x9030000 + 0x3FC


class MachineError(Exception):
    """The emulated board failed to do what it should."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Machine:
    """One start of the board. A folder holds the card (card.img) and the sockets.

    state: one that save_state left in a qcow2 card; the board goes on from there, with the card as it
    was then.
    """

    # The file from which Lines reads the levels.
    gpio_levels = GPIO_DATA

    def __init__(self, folder, memory=512, date=None, watchdog=True, arguments=(),
                 card="/work/card.img", state=None):
        self.prepare(folder)
        # With ACPI the virt board has another power button and no PL061 (hw/arm/virt.c).
        command = [
            "qemu-system-aarch64", "-M", "virt,acpi=off", "-cpu", "cortex-a72", "-smp", "2", "-m",
            str(memory), "-accel", "tcg,thread=multi", "-bios", U_BOOT,
            "-serial", "file:/work/console.log", *self.outside(),
            "-drive", f"file={card},format={card_kind(card)},if=none,id=card,cache=writeback",
            "-device", "virtio-blk-pci,drive=card,serial=LAB0001",
            "-device", "pci-serial,chardev=gnss",
            "-device", "virtio-net-pci,netdev=net,romfile=", *arguments]
        if watchdog:
            command += ["-device", "i6300esb", "-action", "watchdog=reset"]
        if date:
            command += ["-rtc", f"base={date}"]
        if state:
            command += ["-loadvm", state]
        self.start(command)

    def prepare(self, folder):
        """The emulator's options that do not depend on the board."""
        self.folder = pathlib.Path(folder)
        self.port = free_port()
        self.console = self.folder / "console.log"
        self.started = time.monotonic()
        for name in ("qmp", "qtest", "gnss"):
            (self.folder / name).unlink(missing_ok=True)

    def outside(self):
        """The options for the connections to the outside world that every board has."""
        return ["-display", "none", "-monitor", "none",
                "-qmp", "unix:/work/qmp,server=on,wait=off",
                "-qtest", "unix:/work/qtest,server=on,wait=off", "-qtest-log", "none",
                "-chardev", "socket,id=gnss,path=/work/gnss,server=on,wait=off",
                "-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{self.port}-:22"]

    def start(self, command):
        """Starts the emulator in the tools' tree, with the folder as its /work."""
        self.console.unlink(missing_ok=True)
        self.errors = open(self.folder / "qemu.log", "ab")
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c",
             'mount --bind "$1" "$2/work" && mount -t proc proc "$2/proc" && '
             'mount --rbind /dev "$2/dev" && shift && root=$1 && shift && '
             'exec chroot "$root" "$@"', "sh", str(self.folder), str(TOOLS), *command],
            stdin=subprocess.DEVNULL, stdout=self.errors, stderr=self.errors,
            start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cut()

    @property
    def is_running(self):
        return self.process.poll() is None

    def cut(self):
        """Cuts the supply: no process gets a chance to write anything."""
        if self.is_running:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.errors.close()

    def log(self):
        return self.console.read_text(errors="replace") if self.console.exists() else ""

    def wait_log(self, text, limit, count=1):
        """Waits for the text's count-th occurrence at the console; returns the seconds waited."""
        begin = time.monotonic()
        while self.log().count(text) < count:
            if not self.is_running:
                raise MachineError(f"the emulator ended before '{text}'")
            if time.monotonic() - begin > limit:
                raise MachineError(f"no '{text}' at the console within {limit} s")
            time.sleep(0.2)
        return time.monotonic() - begin

    def ssh(self, command, limit=60, check=True, given=None):
        """Runs a command as root in the guest and returns its output."""
        process = subprocess.run(
            ["ssh", "-q", "-i", str(key()), "-p", str(self.port), "-o", "BatchMode=yes",
             "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
             "-o", f"ConnectTimeout={min(limit, 20)}", "godwit-admin@127.0.0.1",
             "sudo bash -c " + quoted(command)],
            capture_output=True, timeout=limit, input=given)
        if check and process.returncode != 0:
            raise MachineError(
                f"'{command}' ended with {process.returncode}: "
                f"{(process.stdout + process.stderr).decode(errors='replace').strip()[-800:]}")
        return process.stdout.decode(errors="replace")

    def daemon_memory(self):
        """The daemon's memory in kB, without a query to it: resident, and private and dirty."""
        words = self.ssh("grep -E '^(Rss|Private_Dirty)' "
                         "/proc/$(systemctl show -P MainPID godwit)/smaps_rollup").split()
        return int(words[1]), int(words[4])

    def boot_report(self):
        """The system's report on the boot partition."""
        return self.ssh("cat /boot/firmware/godwit-report.txt")

    def wait_ssh(self, limit=180):
        begin = time.monotonic()
        while True:
            try:
                return self.ssh("true", limit=25) or time.monotonic() - begin
            except (MachineError, subprocess.TimeoutExpired):
                if not self.is_running or time.monotonic() - begin > limit:
                    raise MachineError(f"no ssh within {limit} s") from None
                time.sleep(1)

    def copy_in(self, path, target):
        with open(path, "rb") as file:
            process = subprocess.run(
                ["ssh", "-q", "-i", str(key()), "-p", str(self.port), "-o", "BatchMode=yes",
                 "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
                 "godwit-admin@127.0.0.1", f"sudo tee {target} >/dev/null"],
                stdin=file, capture_output=True, timeout=600)
        if process.returncode != 0:
            raise MachineError(f"{target} cannot be written: {process.stderr[-300:]}")

    def ask(self, command, limit=10, **arguments):
        """Runs a QMP command; returns its answer."""
        with connected(self.folder / "qmp") as link:
            link.settimeout(limit)
            stream = link.makefile("rw")
            stream.readline()
            for request in ({"execute": "qmp_capabilities"},
                            {"execute": command, "arguments": arguments}):
                stream.write(json.dumps(request) + "\n")
                stream.flush()
                answer = json.loads(stream.readline())
                while "event" in answer:
                    answer = json.loads(stream.readline())
            if "return" not in answer:
                raise MachineError(f"{command}: {answer}")
            return answer["return"]

    def press_power(self):
        self.ask("system_powerdown")

    def save_state(self, name):
        """Saves the state of the whole board into its card, which has to be qcow2."""
        told = self.ask("human-monitor-command", limit=300, **{"command-line": f"savevm {name}"})
        if told.strip():
            raise MachineError(f"the state is not saved: {told.strip()}")

    def wait_end(self, limit):
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            raise MachineError(f"the board is not off after {limit} s") from None


class Lines:
    """The levels of the board's GPIO lines, read over its bus."""

    def __init__(self, machine):
        self.address = machine.gpio_levels
        self.link = connected(machine.folder / "qtest")
        self.stream = self.link.makefile("rw")

    def level(self, line):
        self.stream.write(f"readl {self.address:#x}\n")
        self.stream.flush()
        answer = self.stream.readline().split()
        while answer and answer[0] == "IRQ":
            answer = self.stream.readline().split()
        if len(answer) != 2 or answer[0] != "OK":
            raise MachineError(f"qtest answers {answer}")
        return int(answer[1], 16) >> line & 1


def connected(path, limit=20):
    """A socket of the emulator, which makes it when it starts."""
    begin = time.monotonic()
    while True:
        link = socket.socket(socket.AF_UNIX)
        link.settimeout(10)
        try:
            link.connect(str(path))
            return link
        except OSError:
            link.close()
            if time.monotonic() - begin > limit:
                raise MachineError(f"nothing answers at {path}") from None
            time.sleep(0.1)


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def key():
    """The ssh key of these tests."""
    path = CACHE / "lab-key"
    if not path.exists():
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "image-lab", "-f",
                        str(path)], check=True)
    return path


def in_tools(folder, *command, check=True):
    """A command of the tools' tree, in a folder."""
    return subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c",
         'mount --bind "$1" "$2/work" && mount -t proc proc "$2/proc" && '
         'mount --rbind /dev "$2/dev" && shift && root=$1 && shift && '
         'exec chroot "$root" sh -c \'cd /work && exec "$@"\' sh "$@"',
         "sh", str(folder), str(TOOLS), *command],
        capture_output=True, check=check, text=True, errors="replace")


def copy_card(source, target):
    """A separate card for a test; holes stay holes."""
    target.unlink(missing_ok=True)
    subprocess.run(["cp", "--sparse=always", "--reflink=auto", str(source), str(target)],
                   check=True)


def convert_card(folder, source, target):
    """Converts a card from the format of its name into another one."""
    (folder / target).unlink(missing_ok=True)
    in_tools(folder, "qemu-img", "convert", "-f", card_kind(source), "-O", card_kind(target),
             source, target)


def card_kind(name):
    """QEMU's name for a card's format: qcow2 by its name, raw otherwise."""
    return "qcow2" if name.endswith(".qcow2") else "raw"


def clear(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
