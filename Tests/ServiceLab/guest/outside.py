"""External influences: gpsd, which has the receiver, and the system's clock."""

import json
import os
import subprocess
import time

import bench
from service import RESULTS, Service, systemctl, wait

service = Service()


def gpsd(findings, form):
    """Debian's own, socket-activated, with its control socket opened by our drop-in."""
    line = bench.SupplyLine()
    receiver = bench.Receiver(line, float((RESULTS / "date").read_text()))
    receiver.plug_in()
    wait(20, lambda: os.path.exists("/dev/ttyACM0"))
    code, said = systemctl("restart", "gpsd.socket")
    state = os.stat("/run/gpsd.sock")
    findings.check("its control socket is the group's", code == 0
                   and state.st_mode & 0o777 == 0o660 and state.st_gid != 0, said)
    systemctl("restart", "godwit")
    waited = wait(90, lambda: service.fixes() > 0)
    if form == "closed":
        findings.check("closed: gpsd is not reached, and the daemon says so", waited is None
                       and service.is_active and service.at("receiver.failure") is not None,
                       service.at("receiver.failure"))
        return
    findings.check("fixes come through gpsd", waited is not None, service.at("receiver.failure"))
    findings.check("gpsd runs as Debian starts it",
                   systemctl("is-active", "gpsd.service")[1] == "active")


def wrong_date(findings, form):
    """A board without a clock: 1970, until the receiver knows better."""
    findings.check("it starts in whatever year", wait(30, lambda: service.is_active) is not None,
                   time.strftime("%Y"))
    systemctl("stop", "godwit")
    bench.run("date", "--set", "1970-01-02 00:00:00")
    code, said = systemctl("start", "godwit")
    findings.check("it starts in 1970", code == 0, said)
    line = bench.SupplyLine()
    now = float((RESULTS / "date").read_text())
    receiver = bench.Receiver(line, now)
    receiver.plug_in()
    waited = wait(60, lambda: service.fixes() > 0)
    findings.check("the receiver's date is believed", waited is not None, service.at("date"))
    systemctl("stop", "godwit")
    done = subprocess.run(["godwit", "track", "--json"], capture_output=True, text=True)
    year = time.strftime("%Y", time.gmtime(now))
    dates = [json.loads(row).get("time", "") for row in done.stdout.splitlines()
             if row.startswith("{")]
    findings.check("nothing is stored with the wrong one",
                   bool(dates) and all(date.startswith(year) for date in dates),
                   dates[:2] or done.stdout[:200] + done.stderr)
