"""The control socket with hostile clients."""

import json
import multiprocessing
import os
import socket
import stat
import time

from daemon import Daemon, Refused, Watch
from field import area
from mutation import pick

STATUS = b'{"command":"status"}\n'


def connect(path):
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    client.settimeout(5)
    return client


def storm(path, seconds, pipe):
    """Connects and disconnects, as often as it can."""
    count, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        client = socket.socket(socket.AF_UNIX)
        try:
            client.connect(path)
            count += 1
        except OSError:
            pass
        client.close()
    pipe.send(count)


def connections(daemon, seconds):
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    workers = [context.Process(target=storm, args=(daemon.socket, seconds, theirs))
               for _ in range(2)]
    for worker in workers:
        worker.start()
    count = sum(ours.recv() for _ in workers)
    for worker in workers:
        worker.join()
    return count


def keep_open(daemon, number):
    """Opens this many connections, keeps them all, and counts those that the daemon has kept."""
    clients = []
    for _ in range(number):
        clients.append(connect(daemon.socket))
    daemon.status()
    time.sleep(0.5)
    descriptors, kept = daemon.descriptors(), 0
    for client in clients:
        client.settimeout(0.0)
        try:
            kept += client.recv(1) != b""
        except BlockingIOError:
            kept += 1
        except OSError:
            pass
        client.close()
    return kept, descriptors


def never_reads(daemon):
    """Sends requests and reads nothing; returns the number of bytes sent."""
    client, sent = connect(daemon.socket), 0
    client.settimeout(0.5)
    try:
        for _ in range(2_000):
            client.sendall(STATUS)
            sent += len(STATUS)
    except OSError:
        pass
    client.close()
    return sent


def random_requests(daemon, chance, count):
    """Requests of all kinds; returns those after which the daemon did not answer."""
    parts = [b"{", b"}", b'"command"', b":", b'"status"', b'"gnss"', b'"state"', b'"on"', b"null",
             b"[" * 500, b"\x00", b"\xff", b"1e999", b'"\\ud800"', b"," * 50, b" ", b"\r"]
    wrong = []
    for number in range(count):
        text = b"".join(pick(chance, parts) for _ in range(int(chance.random() * 20)))
        try:
            answer = daemon.raw(text.replace(b"\n", b"") + b"\n")
            json.loads(answer)
        except (Refused, ValueError) as error:
            wrong.append(f"request {number} {text[:60]!r}: {error}")
    return wrong


def long_lines(daemon):
    for block in (b"x" * 1_000_000, b"[" * 1_000_000, bytes(range(256)) * 4_000):
        client = connect(daemon.socket)
        try:
            client.sendall(block + b"\n")
            client.recv(4096)
        except OSError:
            pass
        client.close()


def half_closed(daemon):
    """Half a request and a half-closed connection, and a whole one."""
    for text in (b'{"command":"sta', STATUS):
        client = connect(daemon.socket)
        client.sendall(text)
        client.shutdown(socket.SHUT_WR)
        client.recv(65_536)
        client.close()


def many_commands(daemon, seconds):
    """Commands one after the other on one connection; returns how many were answered."""
    client, count, end = connect(daemon.socket), 0, time.monotonic() + seconds
    with client, client.makefile("rb") as answers:
        while time.monotonic() < end:
            client.sendall(STATUS)
            if not answers.readline():
                break
            count += 1
    return count


@area("control", minutes=0.8)
def control(siege):
    """Control socket: connection storms, a client that never reads, long and random requests"""
    found = siege.found
    daemon = Daemon(siege, siege.path("daemon"), ["receiver.kind=none"]).start()
    mode = stat.S_IMODE(os.stat(daemon.socket).st_mode)
    time.sleep(1)
    memory, descriptors = daemon.own_mb(), daemon.descriptors()
    with daemon:
        seconds = siege.size(6, 2)
        found.tried(f"{connections(daemon, seconds):,} connections in {seconds} s")
        kept, open_then = keep_open(daemon, 900)
        found.tried("900 open")
        found.at_most("kept", kept, 16, "clients")
        found.at_most("descriptors more", open_then - descriptors, 17)
        found.at_most("a client that never reads asks", never_reads(daemon) / 1000, 50, "kB")
        requests = siege.size(3_000, 300)
        found.none("unanswered requests", random_requests(daemon, siege.random, requests))
        found.tried(f"{requests:,} random requests, 1 MB lines, half-closed")
        long_lines(daemon)
        half_closed(daemon)
        with Watch(daemon) as watch:
            seconds = siege.size(5, 2)
            count = many_commands(daemon, seconds)
        found.tried(f"{count:,} commands in {seconds} s")
        found.at_most("status", watch.usual_ms, 5, "ms")
        found.at_most("memory more", daemon.own_mb() - memory, 2.5, "MB")
        found.check(daemon.descriptors() <= descriptors, "descriptors were left open")
        found.check(mode == 0o660, f"the socket's mode is {mode:o}")
        second = Daemon(siege, siege.path("second"), ["receiver.kind=none"],
                        socket_path=daemon.socket).launch()
        found.check(second.process.wait(10) != 0 and second.text(),
                    "a second daemon on the same socket was not refused")
        daemon.status()
        daemon.kill()
        found.check(os.path.exists(daemon.socket), "no stale socket to replace")
        daemon.start()
        code, _ = daemon.stop()
        found.check(code == 0 and not os.path.exists(daemon.socket),
                    f"after a stale socket: ended with {code}")
    found.says("stale socket replaced, second daemon refused")
