"""A real MQTT broker: its refusals at its own limits, and floods that it passes on."""

import contextlib
import os
import shutil
import socket
import struct
import subprocess
import threading
import time

from areas.uplink import Bench
from brokers import identity, packets, published
from field import area
from findings import Skipped
from program import run
from stores import number

REQUESTS = b"godwit/anna/board/request"
# A connection without a flood takes 3 s.
MOST_SECONDS, MOST_WORKED_S = 40, 10


class Mosquitto:
    """Debian's, on a free port, with one more line of its settings."""

    def __init__(self, siege, name, line=""):
        if not shutil.which("mosquitto"):
            raise Skipped("mosquitto is not installed; apt-get install mosquitto")
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
        path = siege.path(f"{name}.conf")
        with open(path, "w") as file:
            file.write(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n{line}\n"
                       + ("user root\n" if os.getuid() == 0 else ""))
        self.address = f"mqtt://127.0.0.1:{self.port}"
        self.process = subprocess.Popen(["mosquitto", "-c", path], stderr=subprocess.DEVNULL)
        self.connected().close()

    def connected(self):
        """The socket of a client of MQTT 5, once the broker is there."""
        end = time.monotonic() + 10
        while True:
            try:
                client = socket.create_connection(("127.0.0.1", self.port), 10)
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
        client.sendall(packet(0x10, text(b"MQTT") + b"\x05\x02\0\0\0" + text(b"")))
        return client

    def stop(self):
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Subscriber:
    """Subscribes to OwnTracks' messages, so that the broker does not report missing subscribers."""

    def __init__(self, broker):
        self.client, self.taken, ready = broker.connected(), set(), threading.Event()
        self.client.sendall(packet(0x82, b"\0\1\0" + text(b"owntracks/#") + b"\1"))
        self.client.settimeout(None)
        threading.Thread(target=self.read, args=(ready,), daemon=True).start()
        ready.wait(10)

    def read(self, ready):
        with contextlib.suppress(OSError):
            for kind, body in packets(self.client):
                if kind >> 4 == 9:
                    ready.set()
                elif kind >> 4 == 3:
                    topic, number, contents = published(body)
                    self.taken.add(identity(topic, contents))
                    self.client.sendall(b"\x40\x02" + number)


def text(content):
    return struct.pack(">H", len(content)) + content


def packet(kind, body):
    length, head = len(body), bytearray([kind])
    while True:
        head.append(length & 127 | (128 if length > 127 else 0))
        length >>= 7
        if not length:
            return bytes(head) + body


@area("uplink-limits", minutes=2)
def uplink_limits(siege):
    """A real broker whose limits are too narrow: refused messages wait, and are sent later"""
    bench = Bench(siege)
    median = number(bench.outbox, "SELECT length(payload) FROM outbox ORDER BY 1 LIMIT 1 OFFSET "
                                  "(SELECT count(*) / 2 FROM outbox)")
    # A packet has the topic besides.
    limits = {"QoS 0 at most": "max_qos 0", "short packets": f"max_packet_size {median + 22}",
              "shorter packets": "max_packet_size 40",
              "short messages": f"message_size_limit {median}",
              "shorter messages": "message_size_limit 20"}
    for name, line in limits.items():
        path = siege.path(f"{name}.db")
        shutil.copy(bench.outbox, path)
        before = number(path, "SELECT count(*) FROM outbox WHERE state = 0")
        with Mosquitto(siege, name, line) as broker:
            subscriber = Subscriber(broker)
            result = bench.send(path, broker.address)
        gone = number(path, "SELECT count(*) FROM outbox WHERE state = 2")
        refused = number(path, "SELECT count(*) FROM outbox WHERE state = 3")
        if result.hung or not result.code or not result.errors:
            bench.wrong.append(f"{name}: {result}")
        if gone > len(subscriber.taken):
            bench.wrong.append(f"{name}: {gone} gone, {len(subscriber.taken)} received")
        again = run([siege.godwit, "uplink", "queue", "--refused", "--set", f"uplink.path={path}",
                     "--store", bench.store])
        siege.found.says(f"{name}: of {before} {len(subscriber.taken)} were received, {refused} "
                         "set aside")
        if again.code:
            bench.wrong.append(f"{name}: queued again: {again}")
        bench.lost(name, path, subscriber.taken)
    siege.found.tried(f"{len(limits)} limits of mosquitto's")
    siege.found.none("without a word, or lost", bench.wrong)


@area("uplink-flood", minutes=3)
def uplink_flood(siege):
    """Floods of requests through a real broker: the run ends, and all waiting messages are sent"""
    bench = Bench(siege)
    cases = [(size, qos) for size in (100, 4_000, 200_000) for qos in (0, 1)]
    slowest, hardest, told = (0, ""), (0, ""), 0
    for size, qos in cases:
        name = f"{size} bytes with QoS {qos}"
        path = siege.path(f"{name}.db")
        shutil.copy(bench.outbox, path)
        with Mosquitto(siege, name, "max_queued_messages 0") as broker:
            subscriber = Subscriber(broker)
            flood = Flood(broker, size, qos)
            result = bench.send(
                path, broker.address, "uplink.requests=read", "uplink.user=anna",
                "device.name=board", "uplink.mqtt.owntracks=true")
            flood.stop()
        if result.hung or result.code:
            bench.wrong.append(f"{name}: {result}")
        siege.found.check(flood.sent > 100, f"{name}: {flood.sent} requests were sent")
        told += b"flooded" in result.errors
        slowest = max(slowest, (result.seconds, name))
        hardest = max(hardest, (result.worked_s, name))
        bench.lost(name, path, subscriber.taken)
    siege.found.tried(f"{len(cases)} floods")
    siege.found.none("without an end, or lost", bench.wrong)
    siege.found.check(told > len(cases) / 2, f"{told} floods were told of")
    siege.found.at_most(f"slowest, {slowest[1]}", slowest[0], MOST_SECONDS, "s")
    siege.found.at_most(f"most work, {hardest[1]}", hardest[0], MOST_WORKED_S, "s")
    bench.memory.report(siege.found, 12)


class Flood:
    """Sends requests as fast as the broker accepts them."""

    def __init__(self, broker, size, qos):
        self.client, self.sent, self.ends = broker.connected(), 0, False
        body = (text(REQUESTS) + (b"\0\1\0" if qos else b"\0") + b'{"do":"position","id":"'
                + b"a" * size)
        self.block = packet(0x30 | qos << 1, body + b'"}') * max(1, 20_000 // size)
        self.count = max(1, 20_000 // size)
        threading.Thread(target=self.read, daemon=True).start()
        self.writer = threading.Thread(target=self.write, daemon=True)
        self.writer.start()

    def write(self):
        with contextlib.suppress(OSError):
            while not self.ends:
                self.client.sendall(self.block)
                self.sent += self.count

    def read(self):
        with contextlib.suppress(OSError):
            while self.client.recv(1 << 16):
                pass

    def stop(self):
        self.ends = True
        self.writer.join(5)
        self.client.close()
