#!/usr/bin/env python3
"""Records on their way from a store to a collection, through brokers and receivers of others.

Each trial ends with a comparison: every record has to be there once. The last line is the verdict.
All but recorder and homeassistant need Debian's mosquitto or nats-server alone; network and stay are
for root, and need iproute2 and nftables.
"""
import argparse
import subprocess
import sqlite3
import sys
import time

from uplink_brokers import Mosquitto
from uplink_cluster import cluster
from uplink_delays import delays
from uplink_faults import network
from uplink_homeassistant import home_assistant
from uplink_recorder import recorder
from uplink_secure import secure
from uplink_stay import stay
from uplink_world import Board, Trial, brokers, told


def run_silently(command):
    return subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode


def kills(options):
    """Kills writer, uplink, collector and broker at random."""
    with Trial("kills") as trial:
        crew, broker = trial.crew, Mosquitto(trial.crew)
        settings = brokers(broker.address, collector=True)
        board = Board(options.godwit, trial.folder, settings, options.seed)
        starts = {
            "writer": lambda: crew.start("writer", board.writer),
            "uplink": lambda: crew.start("uplink", board.uplink),
            "collector": lambda: crew.start("collector", board.collect), "broker": broker.start}
        while sum(crew.kills.values()) < options.count:
            for name, start in starts.items():
                if not crew.alive(name):
                    start()
            time.sleep(board.random.uniform(0, 0.25))
            crew.kill(board.random.choice(list(starts)))
        crew.stop("writer")
        problems = finish(crew, board, broker, patience=180)
        more, records = board.compare()
        return trial.verdict(
            problems + more, f"{records} records, each once, after {sum(crew.kills.values())} "
            f"kills ({told(crew.kills)}), {trial.seconds:.0f} s")


def finish(crew, board, broker, patience):
    """Everything runs once more, until nothing waits."""
    if not crew.alive("broker"):
        broker.start()
    broker.await_ready()
    if not crew.alive("collector"):
        crew.start("collector", board.collect)
    if crew.alive("uplink"):
        crew.running["uplink"].wait()
    problems = board.drain(lambda: run_silently(board.uplink), patience)
    for name in ["collector", "broker"]:
        crew.stop(name)
    return problems


def drain(options):
    """How long a full outbox takes."""
    with Trial("drain") as trial:
        broker = Mosquitto(trial.crew)
        settings = brokers(broker.address, collector=True)
        board = Board(options.godwit, trial.folder, settings, options.seed)
        with sqlite3.connect(board.store) as store:
            store.executemany(
                "INSERT INTO events (time, kind, reason, level) VALUES (?, 'drain', ?, 'info')",
                [("2026-05-01T00:00:00.000Z", str(number)) for number in range(options.count)])
        broker.start()
        broker.await_ready()
        trial.crew.start("collector", board.collect)
        start = time.monotonic()
        run_silently(board.uplink)
        seconds = time.monotonic() - start
        problems = finish(trial.crew, board, broker, patience=60)
        more, records = board.compare()
        return trial.verdict(
            problems + more, f"{records} records queued and handed over in {seconds:.1f} s, "
            f"{records / seconds:.0f} a second, each once")


TRIALS = {"kills": (kills, 100), "drain": (drain, 100_000), "network": (network, 100),
          "cluster": (cluster, 10), "recorder": (recorder, 3000),
          "homeassistant": (home_assistant, 500), "secure": (secure, 500),
          "stay": (stay, 10), "delays": (delays, 7)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    trials = parser.add_subparsers(dest="trial", required=True)
    for name, (trial, count) in TRIALS.items():
        one = trials.add_parser(name, help=trial.__doc__, description=trial.__doc__)
        one.add_argument("godwit", help="the program")
        one.add_argument("--days" if trial is delays else "--count", type=int, default=count,
                         help="of what the trial is about (%(default)s)")
        one.add_argument("--seed", type=int, default=1)
        if trial is recorder:
            one.add_argument("--source", help="a folder with the source of OwnTracks' Recorder")
        if trial is home_assistant:
            one.add_argument("--python", default=sys.executable,
                             help="one that has the packages homeassistant, paho-mqtt and PyNaCl")
        one.set_defaults(run=trial)
    options = parser.parse_args()
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())
