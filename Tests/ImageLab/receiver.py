"""A receiver on the board's serial port: NMEA 0183 once a second, while its supply is on."""

import datetime
import functools
import operator
import threading
import time

from machine import MachineError, connected


def sentence(body):
    return f"${body}*{functools.reduce(operator.xor, body.encode()):02X}\r\n"


def degrees(value, width, letters):
    whole = int(abs(value))
    minutes = (abs(value) - whole) * 60
    return f"{whole:0{width}d}{minutes:07.4f},{letters[value < 0]}"


def epoch(now, latitude, longitude, speed):
    """RMC and GGA of one second; speed in m/s."""
    clock = now.strftime("%H%M%S.00")
    place = f"{degrees(latitude, 2, 'NS')},{degrees(longitude, 3, 'EW')}"
    return (
        sentence(f"GPRMC,{clock},A,{place},{speed / 0.5144:.2f},0.0,{now.strftime('%d%m%y')},,,A")
        + sentence(f"GPGGA,{clock},{place},1,09,0.9,34.0,M,46.0,M,,"))


class Receiver(threading.Thread):
    """Silent while the line is off; searches for so many seconds after it came on.

    journey: seconds since the start to metres north of the place and the speed in m/s. moment: when
    this receiver was there before, in seconds since the epoch, and elapsed since its start,
    for a board that goes on from a saved state.
    """

    def __init__(self, machine, lines=None, line=0, search=3.0, place=(52.52, 13.405),
                 journey=lambda seconds: (0.0, 0.0), moment=None, elapsed=0.0):
        super().__init__(daemon=True)
        self.machine = machine
        self.lines = lines
        self.line = line
        self.search = search
        self.place = place
        self.journey = journey
        self.started = time.monotonic() - elapsed
        self.behind_s = time.time() - moment if moment else 0.0
        self.switched = []
        self.ends = threading.Event()

    def run(self):
        link = connected(self.machine.folder / "gnss")
        on_since = None
        while not self.ends.wait(1.0 - time.time() % 1.0):
            if not self.is_on():
                if on_since is not None:
                    self.switched.append(("off", time.monotonic()))
                on_since = None
                continue
            if on_since is None:
                on_since = time.monotonic()
                self.switched.append(("on", on_since))
            try:
                link.sendall(self.words(time.monotonic() - on_since >= self.search))
            except OSError:
                return

    def words(self, has_fix):
        now = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(
            seconds=self.behind_s)
        if has_fix:
            north, speed = self.journey(time.monotonic() - self.started)
            # A degree of latitude is 111 km.
            return epoch(now, self.place[0] + north / 111e3, self.place[1], speed).encode()
        return sentence("GPRMC,,V,,,,,,,,,,N").encode()

    def is_on(self):
        if self.lines is None:
            return True
        try:
            return bool(self.lines.level(self.line))
        except (OSError, ValueError, MachineError):
            return False
