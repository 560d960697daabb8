"""kill -9 and power cuts under input: acknowledged data is on disk."""

import fcntl
import os
import struct
import subprocess
import threading
import time

from daemon import Daemon, Refused
from field import area
from findings import Skipped
from isolation import mount, unmount
from program import run
from receiver import Receiver, Walk
from stores import integrity, number, query

# Every fix becomes a track point.
DENSE = ["policy.name=continuous", "trajectory.sed_bound_m=0.1", "trajectory.max_interval_s=1",
         "gate.max_time_jump_s=86400"]
EXT4_IOC_SHUTDOWN, NOLOGFLUSH = 0x8004587D, 2  # fs/ext4/ext4.h, include/uapi/linux/ext4.h


class Carrier:
    """A receiver that keeps moving, whatever happens to the daemon."""

    def __init__(self, siege, rate_hz):
        self.receiver, self.walk = Receiver(siege.path("rx")), Walk(step_m=3)
        self.rate_hz = rate_hz
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self.speak, daemon=True)
        self.thread.start()

    def speak(self):
        while not self.stopping.wait(1 / self.rate_hz):
            self.receiver.hear()
            self.receiver.offer(self.walk.epoch())

    def stop(self):
        self.stopping.set()
        self.thread.join()
        self.receiver.unplug()


class Acknowledged:
    """The data that the daemon has reported as durable so far."""

    def __init__(self):
        self.last = self.points = self.states = self.at_start = 0
        self.missing = []

    def started(self):
        """A new daemon counts its fixes from zero."""
        self.at_start = self.points

    def ask(self, daemon):
        """Records what is stored once the daemon reports that nothing waits."""
        answer = daemon.ask({"command": "commit"})
        if answer["store"]["waiting_records"] == 0 and answer["store"]["failure"] is None:
            self.last = number(daemon.store, "SELECT max(id) FROM track_points")
            self.points = number(daemon.store, "SELECT count(*) FROM track_points")
            self.states += 1
            # While moving, every fix is a point but the newest, whose step is still open.
            accepted = answer["fixes"]["accepted"]
            if self.points < self.at_start + accepted - 2:
                self.missing.append(f"{self.points - self.at_start} of {accepted} fixes stored")

    def is_there(self, store):
        return (number(store, "SELECT count(*) FROM track_points") >= self.points
                and (not self.last or number(
                    store, "SELECT count(*) FROM track_points WHERE id = ?", self.last) == 1))


@area("kill", minutes=3)
def kill(siege):
    """kill -9 under input: every acknowledged state on disk"""
    found, chance, acknowledged = siege.found, siege.random, Acknowledged()
    lost, damaged, silent = [], [], 0
    carrier = Carrier(siege, rate_hz=20)
    daemon = Daemon(siege, siege.path("daemon"), DENSE, carrier.receiver.link)
    kills = siege.size(211, 12)
    for turn in range(kills):
        acknowledged.started()
        daemon.start()
        time.sleep(0.3 + chance.random() * 0.3)
        try:
            acknowledged.ask(daemon)
        except Refused:
            silent += 1
        time.sleep(chance.random() * 0.2)
        daemon.kill()
        carrier.receiver.free()
        if not acknowledged.is_there(daemon.store):
            lost.append(f"kill {turn}")
        if (state := integrity(daemon.store)) != "ok":
            damaged.append(f"kill {turn}: {state}")
    daemon.start()
    daemon.stop()
    carrier.stop()
    interrupted = number(
        daemon.store, "SELECT count(*) FROM gnss_sessions WHERE outcome = 'interrupted'")
    found.tried(f"{kills} kills under input")
    found.says(f"{acknowledged.states} acknowledged states on disk, {acknowledged.points:,} points")
    found.none("lost", lost)
    found.none("acknowledged without being stored", acknowledged.missing)
    found.none("integrity failures", damaged)
    found.check(acknowledged.states >= kills - 1, f"{silent} times nothing was acknowledged")
    found.check(acknowledged.points > 3 * kills, f"only {acknowledged.points} points were stored")
    found.check(interrupted >= kills - 1,
                f"{interrupted} of {kills} sessions are closed as interrupted")
    found.says(f"{interrupted} sessions closed as interrupted")


class Disk:
    """An ext4 in a file whose power can be cut."""

    def __init__(self, siege):
        self.image, self.folder = siege.path("disk"), siege.room("mounted")
        with open(self.image, "wb") as file:
            file.truncate(64 << 20)
        made = run(["mkfs.ext4", "-q", "-F", self.image])
        if made.code != 0:
            raise Skipped(f"mkfs.ext4: {made}")
        self.loop = None
        self.mount()

    def mount(self):
        attached = run(["losetup", "--find", "--show", self.image])
        if attached.code != 0:
            raise Skipped(f"no loop device: {attached}")
        self.loop = attached.output.decode().strip()
        try:
            mount(self.loop, self.folder, "ext4")
        except OSError as error:
            raise Skipped(f"ext4 cannot be mounted: {error}")
        finally:
            # It is removed with its last user (LO_FLAGS_AUTOCLEAR).
            subprocess.run(["losetup", "--detach", self.loop], stderr=subprocess.DEVNULL)

    def cut(self):
        """Nothing reaches the disk any more, not even the journal."""
        folder = os.open(self.folder, os.O_RDONLY)
        fcntl.ioctl(folder, EXT4_IOC_SHUTDOWN, struct.pack("I", NOLOGFLUSH))
        os.close(folder)

    def unmount(self):
        # Not lazily: it has to be unmounted before it is mounted again.
        run(["umount", self.folder])


@area("power-cut", minutes=0.5)
def power_cut(siege):
    """Power cut: ext4 shut down without its journal"""
    found, chance, disk = siege.found, siege.random, Disk(siege)
    carrier = Carrier(siege, rate_hz=20)
    daemon = Daemon(siege, siege.path("daemon"), DENSE, carrier.receiver.link,
                    store=os.path.join(disk.folder, "store.gpkg"))
    lost, damaged, acknowledged = [], [], Acknowledged()
    turns = siege.size(5, 2)
    for turn in range(turns):
        acknowledged.started()
        daemon.start()
        for _ in range(4):
            time.sleep(0.3 + chance.random() / 2)
            acknowledged.ask(daemon)
        disk.cut()
        time.sleep(0.3)
        daemon.kill()
        carrier.receiver.free()
        disk.unmount()
        disk.mount()
        if not acknowledged.is_there(daemon.store):
            lost.append(f"cut {turn}: {query(daemon.store, 'SELECT count(*) FROM track_points')}")
        if (state := integrity(daemon.store)) != "ok":
            damaged.append(f"cut {turn}: {state}")
    daemon.start()
    daemon.stop()
    carrier.stop()
    unmount(disk.folder)
    found.tried(f"{turns} cuts under input")
    found.says(f"{acknowledged.states} acknowledged states, {acknowledged.points} points")
    found.none("lost", lost)
    found.none("acknowledged without being stored", acknowledged.missing)
    found.none("damaged", damaged)
    found.check(acknowledged.points > 10 * turns, "hardly anything was stored")
