"""The trial of an uplink that stays connected: after every fault it has to recover by itself."""
import os
import socket
import sys
import time

from uplink_faults import KINDS, Siege, compare_receivers
from uplink_network import Network
from uplink_world import Trial, told

# The back-off after a failure is half a minute, and doubles with each further one; a recipient
# without a subscriber is retried after five.
MOST_SECONDS = 400
VICTIMS = ["broker", "collector", "receivers"]


class Watch:
    """One process of the uplink through all faults, without a restart from outside."""

    def __init__(self, siege):
        self.siege = siege
        self.random = siege.random
        self.waits = {}

    def call(self):
        """As the daemon does when something was recorded."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as caller:
            try:
                caller.sendto(b"\n", f"{self.siege.board.folder}/call")
            except OSError:
                pass  # It has not created its socket yet.

    def call_until(self, holds, patience):
        """Whether the condition was met."""
        deadline = time.monotonic() + patience
        while not holds():
            if time.monotonic() > deadline:
                return False
            self.call()
            time.sleep(0.5)
        return True

    def round(self):
        """A fault while records arrive, and then quiet, in which all of them have to arrive."""
        siege = self.siege
        siege.ensure("writer")
        kind = self.random.choice(VICTIMS + KINDS["board"] + ["home"])
        if kind in VICTIMS:
            siege.crew.kill(kind)
        elif kind == "home":
            siege.faults.strike("home")
            kind = f"home {siege.faults.current['home'][0]}"
        else:
            siege.faults.strike("board", kind)
        self.call_until(lambda: False, self.random.uniform(1, 45))
        siege.faults.lift_all()
        siege.ensure(*VICTIMS)
        siege.crew.stop("writer")
        self.await_arrival(kind)

    def await_arrival(self, kind):
        start = time.monotonic()
        if not self.call_until(lambda: self.siege.board.waiting() == 0, MOST_SECONDS):
            self.siege.problems.append(
                f"{kind}: {self.siege.board.waiting()} messages wait {MOST_SECONDS} s after it")
        if not self.siege.crew.alive("uplink"):
            ending = self.siege.crew.running["uplink"].returncode
            self.siege.problems.append(f"{kind}: the uplink has ended with {ending}")
            self.siege.ensure("uplink")
        self.waits[kind] = max(self.waits.get(kind, 0), round(time.monotonic() - start))


def stay(options):
    """A connected uplink goes through kills and faults of the network, and recovers."""
    if os.geteuid() != 0:
        sys.exit("uplink_trials.py stay makes network namespaces: run it as root")
    with Trial("stay") as trial, Network(trial.crew, options.seed) as net:
        siege = Siege(trial, net, options, stays=True)
        siege.ensure(*VICTIMS, "uplink")
        watch = Watch(siege)
        for _ in range(options.count):
            watch.round()
        siege.crew.stop("uplink")
        if siege.crew.running["uplink"].returncode != 0:
            siege.problems.append("the uplink did not end well when it was told to")
        siege.crew.stop("collector")
        problems, records = siege.board.compare()
        more, web, again = compare_receivers(siege.board.store, siege.taken)
        return trial.verdict(
            siege.problems + problems + more,
            f"{records} records, each once, and {web} of web receivers ({again} came again), by "
            f"one process through {options.count} faults; seconds until all had arrived: "
            f"{told(watch.waits)}; seed {options.seed}, {trial.seconds:.0f} s")
