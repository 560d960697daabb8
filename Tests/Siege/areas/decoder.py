"""The decoder under damaged recordings."""

import json
import multiprocessing
import os

from field import area
from mutation import stretch, units
from program import Memory, feed

INPUTS = 150  # in one process


class Batch:
    """The inputs and results of one process, summed over many."""

    def __init__(self):
        self.processes = self.bytes = self.lines = self.parsed = 0
        self.memory, self.slowest_s = Memory(), 0
        self.bad = {"deaths": [], "hangs": [], "other exit codes": [], "lines that are not a fix": []}

    def add(self, other):
        for name in ("processes", "bytes", "lines", "parsed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.memory.merge(other.memory)
        self.slowest_s = max(self.slowest_s, other.slowest_s)
        for name, cases in other.bad.items():
            self.bad[name] += cases


def is_on_earth(line):
    try:
        fix = json.loads(line)
        return (fix["class"] == "TPV" and abs(fix.get("lat", 0)) <= 90
                and abs(fix.get("lon", 0)) <= 180)
    except (ValueError, KeyError, TypeError):
        return False


def attack(number):
    """One process: 150 inputs, one after the other."""
    siege, recordings = attack.given
    chance = siege.chance(number)
    parts = recordings[number % len(recordings)]
    others = recordings[int(chance.random() * len(recordings))]
    data = b"".join(stretch(parts, chance, others) for _ in range(INPUTS))
    result = feed([siege.godwit, "decode", "-"], data)
    batch = Batch()
    batch.processes, batch.bytes, batch.lines = 1, len(data), result.output.count(b"\n")
    batch.memory, batch.slowest_s = result.memory, result.seconds
    if result.died:
        batch.bad["deaths"].append(f"process {number}: {result}")
    elif result.hung:
        batch.bad["hangs"].append(f"process {number}")
    elif result.code not in (0, 1):
        batch.bad["other exit codes"].append(f"process {number}: {result}")
    if number % 7 == 0:
        lines = result.output.splitlines()
        batch.parsed = len(lines)
        batch.bad["lines that are not a fix"] += [
            f"process {number}: {line[:80]!r}" for line in lines if not is_on_earth(line)][:3]
    return batch


@area("decoder", minutes=20)
def decoder(siege):
    """Decoder, mutation fuzzing: bit flips, splices, field values, lengths"""
    logs = siege.recordings("gpsd-logs/*", "receiver-logs/*.log", "receiver-logs/*.ubx")
    attack.given = siege, [parts for parts in map(units, logs) if parts]
    total = Batch()
    count = siege.size(41_898, 400)
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        for batch in pool.imap_unordered(attack, range(count), chunksize=8):
            total.add(batch)
    found = siege.found
    found.tried(f"{total.processes * INPUTS:,} damaged inputs of {len(logs)} recordings in "
                f"{total.processes:,} processes, {total.bytes / 1e9:.3g} GB")
    for what, cases in total.bad.items():
        found.none(what, cases)
    found.says(f"{total.lines:,} lines out, {total.parsed:,} parsed")
    total.memory.report(found, 2.5, "largest process")
    found.at_most("slowest", total.slowest_s, 20, "s")
