"""The uplink on a board: its settings, its calls, and the number of received records."""

import pathlib
import subprocess

from far import CREDENTIALS, HOME, LINE, rows
from service import SETTINGS, Service, Unit, systemctl, wait

SOCKET = "/run/godwit-uplink.sock"
STORE = "/var/lib/godwit/godwit.gpkg"
INTERVAL = "periodic.interval_s = {}"
# The laboratory's settings, with a fix every few seconds, and without recipients.
GOOD = 'device.name = "lab"\n' + SETTINGS.read_text().replace(
    'name = "continuous"', f'name = "periodic"\n{INTERVAL.format(5)}')
# CALLS COUNT PAUSE
CALLS = f"""
import socket, sys, time
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
    for _ in range(int(sys.argv[1])):
        link.sendto(b"x", {SOCKET!r})
        time.sleep(float(sys.argv[2]))
"""
service = Service()
uplink = Unit("godwit-uplink.service")


def settings(delay, requests="orders", interval=5):
    return GOOD.replace(INTERVAL.format(5), INTERVAL.format(interval)) + f"""
[uplink]
user = "ann"
delay_s = {delay}
alert_delay_s = {delay}
requests = "{requests}"
answer_topics = ["lab/answers"]
owntracks_key_file = "{CREDENTIALS}/phrase"
[uplink.owntracks_http]
url = "http://localhost:8083/pub"
[uplink.mqtt]{LINE}"{CREDENTIALS}/password"
collector = true
"""


def use(delay, **others):
    """For the daemon, too, which reads these at its start."""
    SETTINGS.write_text(settings(delay, **others))
    systemctl("restart", "godwit")
    systemctl("stop", uplink.name)


def call(user="godwit", count=1, pause=0):
    """The faults; nothing if there are none."""
    return subprocess.run(["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups",
                           "python3", "-c", CALLS, str(count), str(pause)],
                          capture_output=True, text=True).stderr


def is_delivered(seconds):
    """Checks that all stored records have arrived, once; how many. None within the limit: None."""
    service.commit()
    stored = rows(STORE)
    if stored == 0 or wait(seconds, lambda: rows(HOME) >= stored) is None:
        return None
    return stored


def maps(process):
    return pathlib.Path(f"/proc/{process}/maps").read_text() if process else ""
