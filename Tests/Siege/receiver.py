"""A GNSS receiver on a pseudo-terminal, and its output."""

import datetime
import fcntl
import functools
import operator
import os
import pty
import select
import time
import tty

TIOCNXCL = 0x540D

def checked(sentence):
    """A sentence with its checksum, from the text between $ and *."""
    body = sentence if isinstance(sentence, bytes) else sentence.encode()
    return b"$%s*%02X\r\n" % (body, functools.reduce(operator.xor, body, 0))


def ubx(kind, number, payload=b""):
    """A UBX frame with its checksum."""
    body = bytes((kind, number, len(payload) & 255, len(payload) >> 8)) + payload
    a = b = 0
    for byte in body:
        a = (a + byte) & 255
        b = (b + a) & 255
    return b"\xb5\x62" + body + bytes((a, b))


def moment(text):
    return datetime.datetime.fromisoformat(text)


def minutes(degrees, width):
    whole = int(abs(degrees))
    return f"{whole:0{width}d}{(abs(degrees) - whole) * 60:08.5f}"


def epoch(when, latitude, longitude, speed_kn=0.0, hdop="0.9", satellites="09"):
    """One epoch: GGA and RMC."""
    place = (f"{minutes(latitude, 2)},{'N' if latitude >= 0 else 'S'},"
             f"{minutes(longitude, 3)},{'E' if longitude >= 0 else 'W'}")
    clock = f"{when:%H%M%S}.{when.microsecond // 10_000:02d}"
    return (checked(f"GPGGA,{clock},{place},1,{satellites},{hdop},10,M,0,M,,")
            + checked(f"GPRMC,{clock},A,{place},{speed_kn:.1f},0,{when:%d%m%y},,,A"))


class Walk:
    """A carrier that walks north: each epoch is a second later and a metre farther."""

    def __init__(self, start=None, latitude=53.0, longitude=6.0, step_s=1, step_m=1.0):
        self.when = moment(start) if start else now()
        self.latitude, self.longitude = latitude, longitude
        self.step = datetime.timedelta(seconds=step_s)
        self.step_deg, self.speed_kn = step_m / 111_195, step_m / step_s / 0.5144

    def epoch(self):
        text = epoch(self.when, self.latitude, self.longitude, self.speed_kn)
        self.when += self.step
        self.latitude += self.step_deg
        if abs(self.latitude) > 60:
            self.step_deg = -self.step_deg
        return text


def now():
    return datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0, tzinfo=None)


class Receiver:
    """A pseudo-terminal, to which a link points."""

    def __init__(self, link):
        self.link = link
        self.sent = 0
        self.master = self.slave = None
        self.plug()

    def plug(self):
        """A new pseudo-terminal, as after a USB receiver came back."""
        self.unplug()
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        self.name = os.ttyname(self.slave)
        os.chmod(self.name, 0o666)
        if os.path.lexists(self.link):
            os.unlink(self.link)
        os.symlink(self.name, self.link)

    def unplug(self):
        for descriptor in (self.master, self.slave):
            if descriptor is not None:
                os.close(descriptor)
        self.master = self.slave = None
        if os.path.lexists(self.link):
            os.unlink(self.link)

    def offer(self, data):
        """Writes what fits; returns the number of bytes."""
        try:
            count = os.write(self.master, data)
        except OSError:
            return 0
        self.sent += count
        return count

    def send(self, data, limit_s=10):
        """Writes all of it, if it is accepted within the time."""
        end = time.monotonic() + limit_s
        while data:
            data = data[self.offer(data):]
            if data:
                left = end - time.monotonic()
                if left <= 0:
                    return False
                select.select([], [self.master], [], min(0.02, left))
        return True

    def free(self):
        """What the last close of a real line does: the killed daemon's claim ends (TIOCEXCL)."""
        fcntl.ioctl(self.slave, TIOCNXCL)

    def hear(self):
        """The daemon's output; a receiver has to read or its line fills up."""
        try:
            return os.read(self.master, 65536)
        except OSError:
            return b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.unplug()
