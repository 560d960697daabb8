"""The trial of a cluster: three of nats-server, of which the one that is talked to is killed.

nats-server 2.9 speaks MQTT 3.1.1 alone, so the brokers' acknowledgements have no reasons here, and
what counts as received is what the collector says.
"""
import subprocess
import time

from uplink_brokers import NODES, Cluster
from uplink_world import Board, Trial, await_that, brokers, told


class Trek:
    """A board and a collector that know all nodes, and lose the one they are connected to."""

    def __init__(self, trial, options):
        self.crew = trial.crew
        self.cluster = Cluster(self.crew)
        settings = brokers(*self.cluster.addresses, collector=True)
        self.board = Board(options.godwit, trial.folder, settings, options.seed)
        self.longest = 0

    def begin(self):
        for node in NODES:
            self.cluster.start(node)
        self.cluster.await_whole()
        self.crew.start("collector", self.board.collect)
        self.crew.start("writer", self.board.writer)

    def strike(self):
        """Kills the node of the uplink or the collector, during a run or afterwards."""
        victim = self.board.random.choice(["uplink", "collector"])
        if not self.crew.alive("uplink"):
            self.crew.start("uplink", self.board.uplink)
        node = self.await_node(victim)
        # Somewhere in the run, which lasts some seconds.
        time.sleep(self.board.random.uniform(0, 1))
        self.crew.kill(node)
        self.crew.running["uplink"].wait()
        # With one node missing the other two continue.
        self.crew.start("uplink", self.board.uplink).wait()
        self.cluster.start(node)
        start = time.monotonic()
        self.cluster.await_whole()
        self.longest = max(self.longest, time.monotonic() - start)

    def await_node(self, victim):
        """The victim's node; the other one's, or any, if it has none."""
        found = []

        def look():
            nodes = [self.cluster.node_of(self.crew.running[name])
                     for name in [victim, "collector", "uplink"]]
            found[:] = [node for node in nodes if node]
            return found or not self.crew.alive("uplink")

        await_that(look, "a connection", patience=120, pause=0.01)
        return found[0] if found else self.board.random.choice(NODES)

    def finish(self, patience=240):
        self.crew.stop("writer")
        problems = self.board.drain(
            lambda: self.crew.start("uplink", self.board.uplink).wait(), patience)
        self.crew.stop("collector")
        return problems


def cluster(options):
    """Kills the node of a nats-server cluster that the uplink or the collector is connected to."""
    version = subprocess.check_output(["nats-server", "--version"], text=True).split()[-1]
    with Trial("cluster") as trial:
        trek = Trek(trial, options)
        trek.begin()
        while sum(trial.crew.kills.values()) < options.count:
            trek.strike()
        problems = trek.finish()
        more, records = trek.board.compare()
        return trial.verdict(
            problems + more,
            f"{records} records, each once, through three of nats-server {version}, after "
            f"{sum(trial.crew.kills.values())} kills ({told(trial.crew.kills)}); whole again "
            f"within {trek.longest:.1f} s; seed {options.seed}, {trial.seconds:.0f} s")
