"""The areas by name, and what each of them gets to work with."""

import glob
import os
import random

from findings import Findings, Skipped

AREAS = {}


class Area:
    def __init__(self, function, name, minutes):
        self.function, self.name, self.minutes = function, name, minutes
        self.title = (function.__doc__ or name).strip().splitlines()[0].rstrip(".")


def area(name, minutes):
    """Declares an area; `minutes` is what its full size takes on two cores."""
    def declare(function):
        AREAS[name] = Area(function, name, minutes)
        return function
    return declare


class Siege:
    """One area's workplace: the program, a scratch folder, seeded random numbers, the size."""

    def __init__(self, name, godwit, data, folder, seed, is_full):
        self.name, self.godwit, self.data, self.folder = name, godwit, data, folder
        self.seed, self.is_full = seed, is_full
        self.random = random.Random(f"{seed}/{name}")
        self.found = Findings()

    def size(self, full, short):
        return full if self.is_full else short

    def chance(self, *names):
        """A separate random stream for a part that may run beside others."""
        return random.Random("/".join(map(str, (self.seed, self.name) + names)))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def room(self, name):
        """A new folder."""
        path = self.path(name)
        os.makedirs(path)
        return path

    def recordings(self, *patterns):
        """The contents of real recordings; without them the area is skipped, with a message."""
        paths = sorted(path for pattern in patterns
                       for path in glob.glob(os.path.join(self.data, pattern)))
        if not paths:
            raise Skipped(f"no {' or '.join(patterns)} in {self.data}; set GODWIT_DATA")
        contents = []
        for path in paths:
            with open(path, "rb") as file:
                contents.append(file.read())
        return contents
