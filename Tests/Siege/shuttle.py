"""A carrier between stations, inside and outside of places, no faster than a car."""

import datetime
import threading

from receiver import Receiver, epoch

DEGREE_M = 111_195
SOUTH, EAST = 53.0, 6.0
LEG_M = 700  # from one station to the next: every second one is amid three places
STATIONS = 6
SPEED_MPS, RATE_HZ = 85, 10
NEAR_M, STAY_S = 100, 3
# All places that overlap at a station, with their extent along the way.
REACH_M = {"circle": 50, "large": 90, "square": 70}
# The distances inside and outside at which one location is enough (PlacePresence).
INSIDE_M, OUTSIDE_M = 7, 500


def latitude(metres):
    return SOUTH + metres / DEGREE_M


def square(name, metres, reach):
    """A feature of GeoJSON."""
    width = reach / DEGREE_M / 0.6
    south, north = latitude(metres - reach), latitude(metres + reach)
    ring = [[EAST - width, south], [EAST + width, south], [EAST + width, north],
            [EAST - width, north], [EAST - width, south]]
    return {"type": "Feature", "properties": {"name": name},
            "geometry": {"type": "Polygon", "coordinates": [ring]}}


class Shuttle:
    """A carrier between stations, back and forth, whatever happens to the daemon."""

    def __init__(self, link):
        self.receiver, self.metres, self.step = Receiver(link), 0.0, 1
        self.station, self.since = 0, self.now()
        self.moment, self.stopping = threading.Event(), threading.Event()
        marks = [sign * (reach + more) for reach in REACH_M.values() for sign in (-1, 1)
                 for more in (-INSIDE_M, OUTSIDE_M, NEAR_M - INSIDE_M)]
        self.marks = [LEG_M * station + mark for station in range(1, STATIONS + 1, 2)
                      for mark in marks]
        self.thread = threading.Thread(target=self.speak, daemon=True)
        self.thread.start()

    @staticmethod
    def now():
        return datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)

    @property
    def is_amid(self):
        return self.station % 2 == 1

    def go(self):
        """On to the next station."""
        if not 0 <= self.station + self.step <= STATIONS:
            self.step = -self.step
        self.since = None
        self.station += self.step

    def speak(self):
        turn = 0
        while not self.stopping.wait(1 / RATE_HZ):
            turn += 1
            goal, speed = self.station * LEG_M, 0
            if self.metres != goal:
                way = min(SPEED_MPS / RATE_HZ, abs(goal - self.metres))
                before, self.metres = self.metres, self.metres + (way if goal > self.metres
                                                                  else -way)
                low, high = sorted((before, self.metres))
                speed = SPEED_MPS
                if any(low < mark <= high for mark in self.marks):
                    self.moment.set()
            elif self.since is None:
                self.since = self.now()
            self.receiver.hear()
            # Repeating the same position would look like a stuck receiver.
            self.receiver.offer(epoch(self.now(), latitude(self.metres + turn % 5 * 0.3), EAST,
                                      speed / 0.5144))

    def stop(self):
        self.stopping.set()
        self.thread.join()
        self.receiver.unplug()
