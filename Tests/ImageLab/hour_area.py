"""The board in real time: a ride, half an hour at one place, a ride, with the default policy."""

import json
import statistics
import time

from lab import SETTINGS
from machine import Lines, Machine
from receiver import Receiver

DEFAULT = SETTINGS.replace('[policy]\nname = "continuous"\n', "")
# When the stay begins and ends, in s; the speed of the rides, in m/s.
STAY_S = (900, 2700)
SPEED = 10.0


def journey(seconds):
    moving = min(seconds, STAY_S[0]) + max(0.0, seconds - STAY_S[1])
    return SPEED * moving, 0.0 if STAY_S[0] <= seconds < STAY_S[1] else SPEED


def run(lab):
    minutes = lab.options.minutes
    lab.new_card(DEFAULT)
    with Machine(lab.folder) as machine:
        receiver = Receiver(machine, Lines(machine), journey=journey)
        receiver.start()
        machine.wait_ssh(600)
        sizes = []
        while time.monotonic() - receiver.started < 60 * minutes:
            lab.check(machine.is_running, "the emulator ended")
            time.sleep(60)
            sizes.append(machine.daemon_memory()[0])
        report = json.loads(machine.ssh("godwit status --json"))
        visits = json.loads(machine.ssh("godwit visits --json"))
        (lab.folder / "status.json").write_text(json.dumps(report, indent=1))
        (lab.folder / "visits.json").write_text(json.dumps(visits, indent=1))
        lab.check(machine.ssh("systemctl show -P NRestarts godwit").strip() == "0", "it restarted")
        errors = machine.ssh("journalctl -b -u godwit -p err -o cat --no-pager").strip()
        lab.check(errors in ("", "-- No entries --"), f"errors in its journal: {errors}")
        check_hour(lab, receiver, report, visits, minutes)
        lab.figure("daemon resident every minute, median / largest",
                   f"{statistics.median(sizes):.0f} / {max(sizes)} kB")
        lab.check(statistics.median(sizes) < 10e3, f"the daemon takes too much memory: {sizes} kB")
        machine.ssh("systemctl poweroff", check=False)
        machine.wait_end(240)
    lab.check_file_system()


def check_hour(lab, receiver, report, visits, minutes):
    lab.check(report["fixes"]["accepted"] > 0, f"no fixes: {report}")
    lab.check(report["store"]["failure"] is None, f"the store: {report}")
    on = sum(1 for state, _ in receiver.switched if state == "on")
    lab.figure("at real pace", f"{minutes} minutes, {report['fixes']['accepted']} fixes, "
                               f"the line was switched on {on} times, {len(visits)} visits")
    if minutes >= 60:
        place = 52.52 + SPEED * STAY_S[0] / 111e3
        near = [v for v in visits if abs(v["lat"] - place) * 111e3 < 150]
        lab.check(near, f"the stay is not among the visits: {visits}")
