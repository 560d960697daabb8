"""The uplink: outboxes, brokers and settings that are hostile."""

import os
import shutil
import signal
import sqlite3
from concurrent.futures import ThreadPoolExecutor

from areas.disk import SmallDisk
from areas.settings import WORDS
from brokers import Broker, kinds
from daemon import Daemon
from field import area
from isolation import obey_permissions
from mutation import flip, pick
from program import Memory, measured, run
from stores import change, number

NOBODY = 'uplink.mqtt.brokers=["mqtt://127.0.0.1:1"]'
# A minute for a broker that refuses the board, and some for the rest.
PATIENCE_S = 100


class Bench:
    """A store that others only copy, and what an honest broker receives of it."""

    def __init__(self, siege):
        self.siege, self.wrong, self.memory = siege, [], Memory()
        self.assertions = 0
        self.store = siege.path("store.gpkg")
        run([siege.godwit, "simulate", "--days", str(siege.size(14, 3)), "--store", self.store],
            limit_s=60)
        # The daemon logs changes only if the settings name a recipient.
        with Daemon(siege, siege.path("daemon"), ["receiver.kind=none", NOBODY],
                    store=self.store) as daemon:
            daemon.stop()
        for table in ("track_points", "visits"):
            change(self.store, f"UPDATE {table} SET id = id")
        self.all = self.delivered("reference", siege.path("reference.db"))
        self.outbox = siege.path("full.db")
        with Broker(lambda client: client.recv(1)) as broker:
            self.send(self.outbox, broker.address)
        siege.found.check(len(self.all) > 100, f"an honest broker got {len(self.all)} messages")

    def send(self, outbox, address, *settings, setup=None, limit_s=PATIENCE_S):
        arguments = ["--store", self.store]
        for value in (f'uplink.mqtt.brokers=["{address}"]', f"uplink.path={outbox}",
                      f"control.socket={outbox}-control", *settings):
            arguments += ["--set", value]
        result = measured([self.siege.godwit, "uplink", "run", *arguments], limit_s,
                          preexec_fn=setup)
        self.memory.merge(result.memory)
        return result

    def delivered(self, name, outbox):
        """What an honest broker receives from this outbox."""
        with Broker() as broker:
            result = self.send(outbox, broker.address)
        if result.code:
            self.wrong.append(f"{name}, and an honest broker: {result}")
        return broker.taken

    def judge(self, name, result, codes=(1,)):
        """An end with an error message, in time."""
        # libmosquitto's answer to some packets: docs/manual/uplink.md.
        is_assertion = result.code == -signal.SIGABRT and b"mosq.c" in result.errors
        if is_assertion and codes == (1,):
            self.assertions += 1
        elif result.hung or result.code not in codes or result.code and not result.errors:
            self.wrong.append(f"{name}: {result}")

    def lost(self, name, outbox, already=frozenset()):
        missing = self.all - already - self.delivered(name, outbox)
        if missing:
            self.wrong.append(f"{name}: {len(missing)} of {len(self.all)} messages are lost, such "
                              f"as {min(missing, key=str)}")


@area("uplink-outbox", minutes=2)
def uplink_outbox(siege):
    """Outbox of the uplink: damaged, another program's, read-only, locked, on a full disk"""
    bench = Bench(siege)
    cases = outboxes(siege, bench.outbox)
    for name, path in cases.items():
        hostile_outbox(bench, name, path)
    rows(bench)
    locked(bench)
    full_disk(bench)
    siege.found.tried(f"{len(cases)} files, hostile rows, a lock, a full disk")
    siege.found.none("unexplained, changed or lost", bench.wrong)
    bench.memory.report(siege.found, 6)


def outboxes(siege, full):
    """Paths that are no outbox, or a damaged one, by name."""
    with open(full, "rb") as file:
        good = file.read()
    half = len(good) // 2
    wrong = {"truncated": good[:half], "head alone": good[:100], "one page": good[:1024],
             "empty": b"", "garbage": siege.random.randbytes(50_000), "text": b"precious\n" * 1000,
             "zeros": bytes(20_000), "page of garbage":
             good[:half] + siege.random.randbytes(4096) + good[half + 4096:]}
    paths = {name: siege.path(f"{name}.db") for name in wrong}
    for name, path in paths.items():
        with open(path, "wb") as file:
            file.write(wrong[name])
    for name, sql in (("another program's", "CREATE TABLE notes (text)"),
                      ("without its tables", "PRAGMA application_id = 1; CREATE TABLE outbox (a)")):
        paths[name] = siege.path(f"{name}.db")
        with sqlite3.connect(paths[name]) as other:
            other.executescript(sql)
    shutil.copy(siege.path("store.gpkg"), siege.path("a store.db"))
    os.mkdir(siege.path("folder.db"))
    os.mkfifo(siege.path("fifo.db"))
    os.symlink(siege.path("loop.db"), siege.path("loop.db"))
    return {**paths, **{name: siege.path(f"{name}.db")
                        for name in ("a store", "folder", "fifo", "loop")},
            "no folder": siege.path("none/uplink.db"), "/dev/full": "/dev/full"}


def contents(path):
    return open(path, "rb").read() if os.path.isfile(path) else None


def hostile_outbox(bench, name, path):
    """The outbox is refused and left unchanged, or works; without it everything is sent."""
    before = contents(path)
    with Broker() as broker:
        result = bench.send(path, broker.address, limit_s=20)
    bench.judge(name, result, (0, 1))
    if result.code and contents(path) != before:
        bench.wrong.append(f"{name}: refused, and changed")
    if result.code and path.encode() not in result.errors:
        bench.wrong.append(f"{name}: does not say which file: {result}")
    if not result.code and not bench.all <= broker.taken:
        bench.wrong.append(f"{name}: serves, and has {len(bench.all - broker.taken)} too few")
    new = bench.siege.path(name.replace("/", "-") + "-new.db")
    bench.lost(f"{name}, moved away", new)


def rows(bench):
    """Messages that cannot be sent, and values of other types, before valid ones."""
    path = bench.siege.path("rows.db")
    shutil.copy(bench.outbox, path)
    odd = [-1, 1 << 62, 1e300, "", "\0", "#", "a/+/b", "x" * 70_000, b"\xff" * 100]
    names = "id, recipient, state, rank, layer, record, topic, is_retained, payload, queued_s"
    usual = ["owntracks", 0, 0, "track_points", 1, "a", 0, b"{}", 0]
    wrong = [usual[:at] + [value] + usual[at + 1:] for at in range(len(usual))
             for value in odd + [b"x" * 20_000_000] * (at == 7)]
    with sqlite3.connect(path) as outbox:
        outbox.execute("UPDATE outbox SET id = id + 1000000")
        outbox.executemany(f"INSERT INTO outbox ({names}) VALUES ({'?,' * len(usual)}?)",
                           [[number, *row] for number, row in enumerate(wrong, 1)])
        outbox.execute("UPDATE meta SET value = x'ff' WHERE key = 'newest_us'")
    with Broker() as broker:
        result = bench.send(path, broker.address)
    bench.judge("hostile rows", result, (0, 1))
    if not bench.all <= broker.taken:
        bench.lost("hostile rows", path, broker.taken)


def locked(bench):
    """Another program writes for longer than the uplink waits."""
    path = bench.siege.path("locked.db")
    shutil.copy(bench.outbox, path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with Broker() as broker:
        bench.judge("locked", bench.send(path, broker.address, limit_s=30))
    other.execute("COMMIT")
    other.close()
    bench.lost("no longer locked", path)
    path = bench.siege.path("read-only.db")
    shutil.copy(bench.outbox, path)
    os.chmod(path, 0o444)
    with Broker() as broker:
        bench.judge("read-only", bench.send(path, broker.address, setup=obey_permissions))
    os.chmod(path, 0o644)
    bench.lost("no longer read-only", path)


def full_disk(bench):
    """No space for an outbox, or none while it is used."""
    for room in (0, 20, 60):
        disk = SmallDisk(bench.siege, f"small-{room}", "2m")
        path = os.path.join(disk.folder, "uplink.db")
        disk.fill()
        os.truncate(disk.filler, max(0, os.path.getsize(disk.filler) - room * 1024))
        with Broker() as broker:
            result = bench.send(path, broker.address)
        bench.judge(f"{room} kB of room", result)
        disk.free()
        bench.lost(f"{room} kB of room, and more later", path, broker.taken)


@area("uplink-broker", minutes=3)
def uplink_broker(siege):
    """Hostile brokers: garbage, silence, endless bytes, storms, acknowledgements of others"""
    bench, chance = Bench(siege), siege.random

    def one(name, speak):
        path = siege.path(f"{name}.db")
        shutil.copy(bench.outbox, path)
        with Broker(speak) as broker:
            result = bench.send(path, broker.address)
        bench.judge(name, result)
        if not broker.connections:
            bench.wrong.append(f"{name}: nobody came: {result}")
        bench.lost(name, path)
        return result.seconds, name, result.memory.own_mb

    cases = kinds(chance)
    with ThreadPoolExecutor(len(cases)) as pool:
        ends = list(pool.map(one, cases, cases.values()))
    siege.found.tried(f"{len(cases)} kinds")
    siege.found.none("without an end, a word or all the messages", bench.wrong)
    siege.found.says(f"{bench.assertions} ended by an assertion of libmosquitto's")
    siege.found.says(f"most memory {max(ends, key=lambda end: end[2])[1]}, slowest {max(ends)[1]}")
    siege.found.at_most("which takes", max(ends)[0], PATIENCE_S, "s")
    bench.memory.report(siege.found, 6)


@area("uplink-settings", minutes=1)
def uplink_settings(siege):
    """Settings of the uplink: addresses, and invalid files of secrets"""
    bench, cases = Bench(siege), hostile_settings(siege)
    path = siege.path("settings.db")
    for setting in cases:
        shutil.copy(bench.outbox, path)
        with Broker() as broker:
            result = bench.send(path, broker.address, *setting, limit_s=30)
        bench.judge(setting[0], result, (0, 1, 2))
        waiting = number(path, "SELECT count(*) FROM outbox WHERE state = 0")
        if result.code and waiting + len(broker.taken) < len(bench.all):
            bench.wrong.append(f"{setting[0]}: {waiting} wait, {len(broker.taken)} were taken")
    siege.found.tried(f"{len(cases)} values")
    siege.found.none("without an end or a word, or lost messages", bench.wrong)
    bench.memory.report(siege.found, 6)


ADDRESSES = ["", "mqtt://", "mqtt://:0", "mqtt://[::1", "mqtt://127.0.0.1:99999", "http://a", "a b",
             "mqtts://127.0.0.1:1", "mqtt://" + "a" * 300, "mqtt://nowhere.invalid", "file:///etc",
             "mqtt://user:secret@127.0.0.1:1", "mqtt://127.0.0.1:1/path", "mqtt://\\u0000"]
URLS = ["file:///etc/passwd", "http://[::1", "gopher://127.0.0.1", "http://127.0.0.1:1/\\r\\nX: a",
        "http://" + "a" * 3000, "http://user:secret@127.0.0.1:1", "dict://127.0.0.1:1", "//"]
# The settings required for a file of secrets to be read.
SECRETS = {"uplink.mqtt.password_file": 'uplink.mqtt.user="a"', "uplink.owntracks_key_file": None,
           "uplink.mqtt.psk_file": 'uplink.mqtt.psk_identity="a"', "uplink.mqtt.ca_file": None}


def hostile_settings(siege):
    """Invalid values by hand, and damaged ones for all settings."""
    long, garbage = siege.path("long"), siege.path("garbage")
    for path, data in ((long, b"a" * 50_000_000), (garbage, siege.random.randbytes(4096))):
        with open(path, "wb") as file:
            file.write(data)
    os.mkfifo(siege.path("fifo"))
    files = ["/dev/zero", "/dev/full", "/dev/urandom", "/dev/null", "/", "/none", long, garbage,
             siege.path("fifo")]
    cases = [[f'uplink.mqtt.brokers=["{address}"]'] for address in ADDRESSES]
    cases += [[f'uplink.{way}.url="{url}"'] for way in ("owntracks_http", "osmand", "overland")
              for url in URLS]
    cases += [[f'{key}="{path}"', *filter(None, [beside])]
              for key, beside in SECRETS.items() for path in files]
    return cases + damaged(siege)


def damaged(siege):
    """Any setting of the uplink with a value of another type."""
    chance, cases = siege.random, []
    shown = run([siege.godwit, "config", "show"]).output
    lines = [line.split(b"  #")[0] for line in shown.splitlines() if line.startswith(b"uplink.")]
    for _ in range(siege.size(300, 40)):
        key, _, value = pick(chance, lines).partition(b" = ")
        value = pick(chance, [pick(chance, WORDS), flip(value.strip(), chance, None)])
        # No argument has a NUL inside.
        cases.append([key + b"=" + value.replace(b"\0", b"")])
    return cases
