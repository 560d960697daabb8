#!/usr/bin/env python3
"""Inside: lab.py SCENARIO FORM, started by lab.service when the system is up. Leaves findings, the
journal and `ended` in /results, and has systemd switch the machine off."""

import subprocess
import sys
import traceback

import alert
import data
import life
import outside
import uplink
from service import RESULTS, Findings

SCENARIOS = {"life": life.life, "no-data": data.missing, "no-data-plain": data.required,
             "read-only": data.turns_read_only, "1970": outside.wrong_date, "gpsd": outside.gpsd,
             "alert": alert.alert, "uplink": uplink.uplink_scenario}


def main():
    findings = Findings()
    try:
        SCENARIOS[sys.argv[1]](findings, sys.argv[2])
    except Exception:
        findings.check("the scenario came to its end", False,
                       traceback.format_exc().replace("\n", " | "))
    journal = subprocess.run(["journalctl", "--no-pager", "--output=short-monotonic"],
                             capture_output=True, text=True).stdout
    (RESULTS / "journal").write_text(journal)
    (RESULTS / "ended").write_text("yes\n")


main()
