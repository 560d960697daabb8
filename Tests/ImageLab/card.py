"""A card's partitions as a laptop or a checker sees them: files of the boot partition, the data
partition on its own, U-Boot's environment."""

import pathlib
import struct
import subprocess
import zlib

from machine import in_tools

SECTOR = 512
ENVIRONMENTS = (0x100000, 0x180000)
ENVIRONMENT_SIZE = 0x2000


def partitions(card):
    """Start and size in bytes of the four entries of the MBR."""
    with open(card, "rb") as file:
        table = file.read(SECTOR)
    if table[510:512] != b"\x55\xaa":
        raise ValueError(f"{card} has no partition table")
    entries = []
    for index in range(4):
        entry = table[446 + 16 * index:462 + 16 * index]
        start, size = struct.unpack("<II", entry[8:16])
        entries.append({"active": entry[0] == 0x80, "type": entry[4],
                        "start": start * SECTOR, "size": size * SECTOR})
    return entries


def boot_image(card):
    """The name of the boot partition inside the card for mtools(1)."""
    return f"{pathlib.Path(card).name}@@{partitions(card)[0]['start']}"


def read_boot(card, name):
    card = pathlib.Path(card)
    result = in_tools(card.parent, "mtype", "-i", boot_image(card), f"::/{name}", check=False)
    return result.stdout if result.returncode == 0 else None


def write_boot(card, name, text):
    card = pathlib.Path(card)
    given = card.parent / "given"
    given.write_text(text)
    in_tools(card.parent, "mcopy", "-o", "-i", boot_image(card), "given", f"::/{name}")
    given.unlink()


def remove_boot(card, name):
    card = pathlib.Path(card)
    in_tools(card.parent, "mdel", "-i", boot_image(card), f"::/{name}")


def list_boot(card):
    card = pathlib.Path(card)
    return in_tools(card.parent, "mdir", "-b", "-/", "-i", boot_image(card), "::/").stdout.split()


def extract(card, index, target):
    """One partition as a sparse file."""
    entry = partitions(card)[index]
    subprocess.run(
        ["dd", f"if={card}", f"of={target}", "bs=1M", "iflag=skip_bytes,count_bytes",
         f"skip={entry['start']}", f"count={entry['size']}", "conv=sparse", "status=none"],
        check=True)


def environment(card):
    """The newer of the two copies with a valid CRC, and the number of valid ones."""
    right = []
    with open(card, "rb") as file:
        for place in ENVIRONMENTS:
            file.seek(place)
            copy = file.read(ENVIRONMENT_SIZE)
            crc, count = struct.unpack("<IB", copy[:5])
            if zlib.crc32(copy[5:]) == crc:
                texts = copy[5:].split(b"\0\0", 1)[0].split(b"\0")
                right.append((count, dict(t.decode().split("=", 1) for t in texts if t)))
    if not right:
        return None, 0
    if len(right) == 2 and (right[0][0] + 1) % 256 == right[1][0]:
        right.reverse()
    return right[0][1], len(right)
