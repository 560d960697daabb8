"""A Raspberry Pi's card, inspected without starting it: what the boot ROM, the firmware, U-Boot and
the kernel look for exists, and is consistent."""

import pathlib
import struct
import zlib

import card as cards
from machine import in_tools

# What the firmware looks for, by the board (Raspberry Pi documentation, "The boot folder"), and the
# name under which U-Boot asks the slot for a device tree (board/raspberrypi/rpi/rpi.c).
TREES = {
    "raspberry-pi-zero-2-w": ["bcm2837-rpi-zero-2-w"],
    "raspberry-pi-3": ["bcm2837-rpi-3-b", "bcm2837-rpi-3-b-plus", "bcm2837-rpi-3-a-plus"],
    "raspberry-pi-4": ["bcm2711-rpi-4-b"],
}
FIRMWARE = {
    "raspberry-pi-zero-2-w": ["bootcode.bin", "start.elf", "fixup.dat"],
    "raspberry-pi-3": ["bootcode.bin", "start.elf", "fixup.dat"],
    "raspberry-pi-4": ["start4.elf", "fixup4.dat"],
}


def check(lab, board):
    """The card of a board, lab.card."""
    check_table(lab)
    check_boot(lab, board)
    check_slot(lab, board)


def check_table(lab):
    entries = cards.partitions(lab.card)
    lab.check([entry["type"] for entry in entries] == [0x0C, 0x83, 0x83, 0x83],
              f"the types of the partitions: {entries}")
    lab.check([entry["active"] for entry in entries] == [True, False, False, False],
              "the boot partition alone has the boot flag")
    lab.check(all(entry["start"] % (4 << 20) == 0 for entry in entries), "not aligned to 4 MiB")
    with open(lab.card, "rb") as file:
        file.seek(440)
        lab.check(struct.unpack("<I", file.read(4))[0] == 0x676F6477, "the disk's signature")
    environment, right = cards.environment(lab.card)
    lab.check(right == 2 and environment["BOOT_ORDER"] == "A", f"environment: {environment}")


def check_boot(lab, board):
    names = {name.removeprefix("::/") for name in cards.list_boot(lab.card)}
    wanted = FIRMWARE[board] + ["config.txt", "u-boot.bin", "uboot.env", "boot.scr", "godwit.toml",
                                "overlays.txt"] + [f"{tree}.dtb" for tree in TREES[board]]
    lab.check(names >= set(wanted), f"missing on the boot partition: {set(wanted) - names}")
    config = dict(line.split("=", 1) for line in cards.read_boot(lab.card, "config.txt").split("\n")
                  if "=" in line and not line.startswith("#"))
    lab.check(config["arm_64bit"] == "1" and config["kernel"] == "u-boot.bin", f"{config}")
    # Below that the firmware wants start_cd.elf and fixup_cd.dat (documentation of config.txt, gpu_mem).
    lab.check(int(config["gpu_mem"]) >= 32 and "start_x" not in config, f"{config}")
    settings = cards.read_boot(lab.card, "godwit.toml")
    lab.check(board in settings, f"godwit.toml does not name {board}")
    lab.check("\r\n" in settings or "\n" in settings, "godwit.toml has no lines")
    in_tools(lab.folder, "mcopy", "-o", "-i", cards.boot_image(lab.card), "::/uboot.env",
             "uboot.env")
    blob = (lab.folder / "uboot.env").read_bytes()
    lab.check(zlib.crc32(blob[4:]) == struct.unpack("<I", blob[:4])[0], "uboot.env: its CRC")
    lab.check(b"bootdelay=-2\0" in blob and b"bootcmd=" in blob, "uboot.env: its contents")
    lab.check(b"stdout=vidconsole\0" in blob, "U-Boot would speak to the receiver")


def slot_file(lab, path, target):
    in_tools(lab.folder, "debugfs", "-R", f"dump {path} {target}", "root.ext4", check=False)
    file = lab.folder / target
    return file if file.exists() and file.stat().st_size else None


def check_slot(lab, board):
    cards.extract(lab.card, 1, lab.folder / "root.ext4")
    clean = in_tools(lab.folder, "e2fsck", "-f", "-n", "root.ext4", check=False)
    lab.check(clean.returncode == 0, f"slot A: {clean.stdout}")
    check_initial(lab)
    for chip in ("43430", "43455"):
        lab.check(slot_file(lab, f"/usr/lib/firmware/cypress/cyfmac{chip}-sdio.bin", "firmware"),
                  f"there is no firmware for the BCM{chip}")
    for tree in TREES[board]:
        base = slot_file(lab, f"/boot/dtb/broadcom/{tree}.dtb", f"{tree}.dtb")
        lab.check(base, f"{tree}.dtb is not in the slot")
        for overlay in ("godwit-uart", "godwit-ina226"):
            check_overlay(lab, base, overlay)


def check_initial(lab):
    """The file systems' modules that the board's card needs for its root."""
    listing = in_tools(lab.folder, "debugfs", "-R", "ls -p /boot", "root.ext4").stdout
    name = next(part for part in listing.split("/") if part.startswith("initrd.img-"))
    lab.check(slot_file(lab, f"/boot/{name}", "initrd"), "there is no initial file system")
    # Two archives: modules as they are, compressed already, then the rest (initramfs-tools).
    blob = (lab.folder / "initrd").read_bytes()
    (lab.folder / "rest").write_bytes(blob[blob.index(b"\x28\xb5\x2f\xfd"):])
    files = in_tools(lab.folder, "sh", "-c",
                     "cpio -t --quiet <initrd; zstd -dc rest | cpio -t --quiet", check=False).stdout
    for module in ("bcm2835", "sdhci-iproc", "fixed", "gpio-regulator", "bcm2835_wdt",
                   "ext4", "overlay"):
        lab.check(f"/{module}.ko" in files, f"{module}.ko is not in the initial file system")
    lab.check("scripts/init-bottom/godwit-overlay" in files, "nothing makes the overlay")


def check_overlay(lab, base, overlay):
    """As boot.cmd does it: the label i2c_arm first, then the overlay."""
    path = slot_file(lab, f"/boot/overlays/{overlay}.dtbo", f"{overlay}.dtbo")
    lab.check(path, f"{overlay}.dtbo is not in the slot")
    bus = in_tools(lab.folder, "fdtget", base.name, "/__symbols__", "i2c1").stdout.strip()
    in_tools(lab.folder, "fdtput", "-t", "s", base.name, "/__symbols__", "i2c_arm", bus)
    merged = in_tools(lab.folder, "fdtoverlay", "-i", base.name, "-o", "merged.dtb", path.name,
                      check=False)
    lab.check(merged.returncode == 0, f"{overlay} on {base.name}: {merged.stderr}")
    if overlay == "godwit-uart":
        state = in_tools(lab.folder, "fdtget", "merged.dtb", "/soc/serial@7e215040",
                         "status").stdout.strip()
        lab.check(state == "disabled", f"the mini UART is {state}")


def run(lab):
    """Every board whose card is in the output folder."""
    from lab import newest, unpacked
    from machine import copy_card
    output = pathlib.Path(lab.image).parent
    found = 0
    for board in TREES:
        image = newest(output, f"*-{board}.img.zst")
        if not image:
            continue
        copy_card(unpacked(image), lab.card)
        before = lab.checks
        lab.check(image.stat().st_size < 250e6, f"{image} is too large")
        check(lab, board)
        lab.figure(board, f"{lab.checks - before} checks, "
                          f"{image.stat().st_size / 1e6:.0f} MB compressed")
        found += 1
    if not found:
        print(f"  static: no card of a Raspberry Pi is in {output}: make image BOARD=...")
