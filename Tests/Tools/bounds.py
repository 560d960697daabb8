#!/usr/bin/env python3
"""Prints what a week of each life takes, beside the least that it could: the table of
docs/results/least-energy.md.

Usage: Tests/Tools/bounds.py [GODWIT] [--lives NAME,...]
"""

import argparse
import json
import os
import subprocess
import tempfile

from results import ROOT

LIVES = ("city-resident", "commuter", "night-nurse", "school-run", "pensioner", "parcel-driver",
         "long-distance-driver", "hiker", "sailor", "stolen-bicycle")
BOARD = ["--days", "7", "--seed", "11", "--policy", "adaptive", "--bound", "--json",
         "--set", "power_switch.kind=virtual", "--set", "receiver.family=ubloxM8"]


def week(godwit, life, sources):
    with tempfile.TemporaryDirectory() as folder:
        command = [godwit, "simulate", "--life", life, "--sources", sources, "--config", "/dev/null",
                   "--store", os.path.join(folder, "week.gpkg"), *BOARD]
        run = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(run.stdout)


def row(godwit, life):
    moved, alone = (week(godwit, life, sources) for sources in ("motion", "none"))
    bounds = [alone[f"bound_{kind}_J"] for kind in ("clairvoyant", "perfect_motion")]

    def energy(summary):
        joules = summary["gnss_energy_J"] + summary["sources_energy_J"]
        times = " / ".join(f"{joules / bound:.1f} x" for bound in bounds)
        return f"{joules:.0f} J = {times}"

    cells = [life, *(f"{bound:.0f} J" for bound in bounds), energy(moved), energy(alone)]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("godwit", nargs="?", default=os.path.join(ROOT, ".build/release/godwit"))
    parser.add_argument("--lives", default=",".join(LIVES), metavar="NAME,...")
    options = parser.parse_args()
    print("| life | clairvoyant | perfect motion | `--sources motion` | no source |")
    print("|---|---|---|---|---|")
    for life in options.lives.split(","):
        print(row(options.godwit, life), flush=True)


if __name__ == "__main__":
    main()
