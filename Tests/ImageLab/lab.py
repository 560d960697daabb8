"""What the areas share: a prepared card, counted checks, reported figures."""

import gzip
import pathlib
import subprocess
import time

import card as cards
from machine import PROJECT, TOOLS, MachineError, clear, copy_card, in_tools, key

SETTINGS = """\
# The laboratory's board: a receiver on the second serial port, its supply on line 0 of the PL061.
boards = ["qemu-virt", "gpio-load-switch"]

[device]
name = "image-lab"

[policy]
name = "continuous"

[image]
ssh_keys = ["{key}"]
"""


class Failed(Exception):
    """A check that failed."""


class Lab:
    """One area's folder, its checks and its figures."""

    def __init__(self, area, image, folder):
        self.area = area
        self.image = pathlib.Path(image)
        self.folder = pathlib.Path(folder) / area
        self.checks = 0
        self.figures = []
        clear(self.folder)

    @property
    def card(self):
        return self.folder / "card.img"

    def check(self, holds, what):
        self.checks += 1
        if not holds:
            raise Failed(what)

    def figure(self, name, value):
        self.figures.append((name, value))
        print(f"  {self.area}: {name}: {value}", flush=True)

    def new_card(self, settings=None, size="4G"):
        """The image on a card of a size, with settings as a user would write them."""
        copy_card(self.image, self.card)
        subprocess.run(["truncate", "-s", size, str(self.card)], check=True)
        public = key().with_suffix(".pub").read_text().strip()
        text = (settings or SETTINGS).replace("{key}", public)
        cards.write_boot(self.card, "godwit.toml", text.replace("\n", "\r\n"))

    def data_partition(self):
        """The data partition of the card as a file."""
        target = self.folder / "data.ext4"
        target.unlink(missing_ok=True)
        cards.extract(self.card, 3, target)
        return target

    def check_file_system(self):
        """In the state it was left: after the journal is replayed, there must be no errors."""
        self.data_partition()
        replay = in_tools(self.folder, "e2fsck", "-p", "data.ext4", check=False)
        self.check(replay.returncode in (0, 1), f"e2fsck -p: {replay.stdout}{replay.stderr}")
        full = in_tools(self.folder, "e2fsck", "-f", "-n", "data.ext4", check=False)
        self.check(full.returncode == 0, f"e2fsck -f -n: {full.stdout}{full.stderr}")

    def store(self):
        """A copy of the store and its log from the data partition."""
        for name in ("godwit.gpkg", "godwit.gpkg-wal", "godwit.gpkg-shm"):
            (self.folder / name).unlink(missing_ok=True)
            in_tools(self.folder, "debugfs", "-R", f"dump /godwit/{name} {name}", "data.ext4",
                     check=False)
        return self.folder / "godwit.gpkg"


def newest(folder, pattern):
    """The newest of the files; None if there is none."""
    return max(pathlib.Path(folder).glob(pattern), key=lambda file: file.stat().st_mtime, default=None)


def unpacked(image):
    """The card of an .img.zst, unpacked beside it once."""
    image = pathlib.Path(image)
    target = image.with_suffix("")
    if not target.exists() or target.stat().st_mtime < image.stat().st_mtime:
        with open(target, "wb") as file:
            subprocess.run(["chroot", str(TOOLS), "zstd", "-dc", "-"], stdin=open(image, "rb"),
                           stdout=file, check=True)
        subprocess.run(["fallocate", "--dig-holes", str(target)], check=True)
    return target
