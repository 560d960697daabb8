"""A Raspberry Pi 3's card in an emulated Raspberry Pi 3 (QEMU's raspi3b): Debian's kernel starts its root,
the daemon drives GPIO17 by pinctrl-bcm2835 and reads the receiver on pins 8 and 10.

The emulator starts the kernel itself: it has no boot ROM, and no firmware for U-Boot to ask. What those
find is the area static's. Its watchdog resets the board as soon as it is started
(hw/misc/bcm2835_powermgt.c), so that the kernel does without it here, and nothing reaches it by network
(its USB loses transfers): what is seen is the GPIO line while it runs, and the card afterwards.
"""

import time

import card as cards
import static_area
from cuts_area import stored_ids
from lab import newest, unpacked
from machine import Lines, Machine, MachineError, in_tools
from receiver import Receiver

BOARD = "raspberry-pi-3"
TREE = "bcm2837-rpi-3-b.dtb"
# BCM2835 ARM Peripherals, 6.1: GPLEV0, on a Pi 3's bus.
GPIO_LEVELS = 0x3F200034
SWITCH = 17
ARGUMENTS = ("root=PARTUUID=676f6477-02 rootfstype=ext4 ro rauc.slot=A quiet panic=10 fsck.mode=skip "
             "console=tty1 modprobe.blacklist=bcm2835_wdt")
SETTINGS = """\
boards = ["raspberry-pi-3", "gpio-load-switch"]

[policy]
name = "periodic"

[policy.periodic]
interval_s = 30

[store]
commit_interval_s = 5
"""
# Switch-ons to wait for: with the third one it has fixed twice, and committed what it slept on.
TURNS = 3


class RaspberryPi(Machine):
    """One start of the board, with kernel, initrd and merged.dtb of the folder."""

    gpio_levels = GPIO_LEVELS

    def __init__(self, folder):
        self.prepare(folder)
        self.start([
            "qemu-system-aarch64", "-M", "raspi3b", "-kernel", "/work/kernel", "-initrd", "/work/initrd",
            "-dtb", "/work/merged.dtb", "-append", ARGUMENTS, "-serial", "chardev:gnss",
            *self.outside(), "-drive", "file=/work/card.img,format=raw,if=sd,cache=writeback"])


def boot_files(lab):
    """What U-Boot would load from slot A, with the overlay that it would apply."""
    cards.extract(lab.card, 1, lab.folder / "root.ext4")
    names = in_tools(lab.folder, "debugfs", "-R", "ls -p /boot", "root.ext4").stdout.split("/")
    for start, target in (("vmlinuz-", "kernel"), ("initrd.img-", "initrd")):
        name = next(part for part in names if part.startswith(start))
        lab.check(static_area.slot_file(lab, f"/boot/{name}", target), f"no {target} in the slot")
    base = static_area.slot_file(lab, f"/boot/dtb/broadcom/{TREE}", TREE)
    static_area.check_overlay(lab, base, "godwit-uart")


def switched(machine, receiver, turns, limit=1800):
    """Waits until the line has come on so often; seconds until it first did."""
    while sum(1 for state, _ in receiver.switched if state == "on") < turns:
        if not machine.is_running or time.monotonic() - machine.started > limit:
            raise MachineError(f"the line did not come on {turns} times: {receiver.switched}")
        time.sleep(1)
    return receiver.switched[0][1] - machine.started


def run(lab):
    image = newest(lab.image.parent, f"*-{BOARD}.img.zst")
    if not image:
        print(f"  pi: SKIPPED: there is no card of a Raspberry Pi 3: make image BOARD={BOARD}")
        return
    lab.image = unpacked(image)
    lab.new_card(SETTINGS)
    boot_files(lab)
    with RaspberryPi(lab.folder) as machine:
        receiver = Receiver(machine, Lines(machine), line=SWITCH)
        receiver.start()
        lab.figure("GPIO17 first on after", f"{switched(machine, receiver, TURNS):.0f} s")
        machine.cut()
        receiver.ends.set()
    lab.check_file_system()
    points = len(stored_ids(lab.store()))
    lab.check(points >= 1, "no position was stored")
    lab.figure("before its supply was cut", f"GPIO17 on {TURNS} times, {points} positions stored")
    report = cards.read_boot(lab.card, "godwit-report.txt")
    lab.check(report and "SELF-TEST" in report, f"the report has no self-test:\n{report}")
    lab.check("gpiochip0" in report, f"the self-test does not name the GPIO chip:\n{report}")
    (lab.folder / "report.txt").write_text(report)
