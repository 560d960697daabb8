"""A month's records through every long-running process, and what each of them uses."""

import http.server
import os
import re
import subprocess
import threading
import time

import alerts
from areas.clock import DayWalk
from areas.disk import HASTE
from areas.mosquitto import Mosquitto
from daemon import Daemon
from field import area
from program import CLEAN, proc_mb, run
from receiver import Receiver
from stores import number

FIXES_A_DAY, A_SECOND, SAMPLES = 4_320, 178, 40
# Growth over the second half, from the line of least squares. A sample may coincide with a
# connection that lasts milliseconds: of every five samples, the fewest descriptors count. A leak
# raises those, too.
MOST_DESCRIPTORS, MOST_GROWTH_MB, PER_LOWEST = 0.5, 0.5, 5
# SQLite's cache of a collection, 2 MB, fills with the file. Then it is full: 130,000 records later
# the collector had grown by 0.02 MB.
MOST_CACHED_MB = {"collector": 0.5}
MOST_OWN_MB = {"daemon": 4.7, "uplink": 4.7, "collector": 6, "watch": 2.7}
# Wake-ups for a fix in the last quarter, against those in the second one. What comes together is
# dealt with together, so that the machine's load counts: up to 0.3 more are none.
MOST_WAKES = 1.5
FIGURES = ("descriptors", "own_mb", "wakes")
BUILD = os.path.join(os.path.dirname(__file__), "..", "..", "..", ".build")


class Receivers(http.server.BaseHTTPRequestHandler):
    """OwnTracks', OsmAnd's and Overland's receivers, each with its own answer."""

    protocol_version = "HTTP/1.1"
    words = {"/owntracks": b"[]", "/osmand": b"", "/overland": b'{"result":"ok"}'}
    taken = dict.fromkeys(words, 0)

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.do_GET()

    def do_GET(self):
        path = self.path.partition("?")[0]
        answer = self.words[path]
        self.taken[path] += 1
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """A connection that ends with the process is no error."""


def receivers():
    server = Server(("127.0.0.1", 0), Receivers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def settings(siege, broker, web):
    """Everything that can be on without hardware."""
    return [
        f"uplink.owntracks_http.url=http://127.0.0.1:{web}/owntracks",
        f"uplink.osmand.url=http://127.0.0.1:{web}/osmand",
        f"uplink.overland.url=http://127.0.0.1:{web}/overland",
        f"uplink.path={siege.path('uplink.db')}", f"uplink.socket={siege.path('call')}",
        f'uplink.mqtt.brokers=["{broker}"]', "uplink.delay_s=0",
        "uplink.mqtt.owntracks=true", "uplink.mqtt.home_assistant=true",
        "uplink.mqtt.collector=true", "uplink.mqtt.people=true", "uplink.user=anna",
        "uplink.requests=orders", "people.address=anna", "device.name=board"]


def sample(pid):
    """Descriptors, private memory in MB, and wake-ups so far."""
    with open(f"/proc/{pid}/status") as file:
        wakes = re.search(r"^voluntary_ctxt_switches:\s*(\d+)", file.read(), re.M)[1]
    return len(os.listdir(f"/proc/{pid}/fd")), proc_mb(pid, "RssAnon")[0], int(wakes)


def growth(values):
    """From the first value to the last one, by the line of least squares."""
    middle, mean = (len(values) - 1) / 2, sum(values) / len(values)
    slope = (sum((at - middle) * (value - mean) for at, value in enumerate(values))
             / sum((at - middle) ** 2 for at in range(len(values))))
    return slope * (len(values) - 1)


def lowest(values):
    """The lowest of every five; the last group ends with the last value."""
    ends = range(len(values), 0, -PER_LOWEST)
    return [min(values[max(0, end - PER_LOWEST):end]) for end in reversed(ends)]


def per_fix(rows, name, first, last):
    (before, early), (after, late) = rows[first], rows[last]
    return (late[name][2] - early[name][2]) / (after - before)


class Soak:
    """The processes, and their samples: fixes so far, and figures by process."""

    def __init__(self, siege):
        self.siege, self.rows, self.others = siege, [], {}

    def start(self, name, arguments):
        with open(self.siege.path(f"{name}.log"), "ab") as log:
            self.others[name] = subprocess.Popen(
                arguments, env=CLEAN, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=log, start_new_session=True)

    def tail(self, name):
        with open(self.siege.path(f"{name}.log"), "rb") as file:
            return file.read()[-300:].decode(errors="replace").strip()

    def sample(self, fixes, daemon):
        pids = {"daemon": daemon.pid} | {name: one.pid for name, one in self.others.items()}
        self.rows.append((fixes, {name: sample(pid) for name, pid in pids.items()}))

    def ended(self):
        return [f"{name} with {one.returncode}: {self.tail(name)}"
                for name, one in self.others.items() if one.poll() is not None]

    def judge(self, name, found):
        half = [figures[name] for _, figures in self.rows[len(self.rows) // 2:]]
        descriptors, own = [[row[column] for row in half] for column in (0, 1)]
        found.at_most(f"{name}: {descriptors[-1]} descriptors, growth",
                      growth(lowest(descriptors)), MOST_DESCRIPTORS)
        found.at_most(f"{name}: own {own[-1]:.2f} MB, growth", growth(own),
                      MOST_GROWTH_MB + MOST_CACHED_MB.get(name, 0), "MB")
        found.check(max(own) <= MOST_OWN_MB[name],
                    f"{name}: own {max(own):.2f} MB, at most {MOST_OWN_MB[name]} held before")
        quarter = len(self.rows) // 4
        early = per_fix(self.rows, name, quarter, 2 * quarter)
        late = per_fix(self.rows, name, 3 * quarter, len(self.rows) - 1)
        found.says(f"{name}: wakes for a fix {early:.3f}, then {late:.3f}")
        found.check(late <= MOST_WAKES * early + 0.3,
                    f"{name}: wakes for a fix {late:.3f} at the end, {early:.3f} before")

    def keep(self):
        """The curves, for whoever wants to see them."""
        names = list(self.rows[0][1])
        heads = ["fixes"] + [f"{name}_{figure}" for name in names for figure in FIGURES]
        with open(os.path.join(BUILD, "soak.csv"), "w") as file:
            print(",".join(heads), file=file)
            for fixes, figures in self.rows:
                cells = [f"{value:.6g}" for name in names for value in figures[name]]
                print(fixes, *cells, sep=",", file=file)
        print(f"{'fixes':>8} " + " ".join(f"{name + ': fd, MB, wakes':>26}" for name in names))
        for fixes, figures in self.rows[::max(1, len(self.rows) // 10)] + self.rows[-1:]:
            print(f"{fixes:8} " + " ".join(
                f"{one[0]:10} {one[1]:7.2f} {one[2]:7}" for one in map(figures.get, names)))


def people(siege, daemon):
    """A letter to somebody whom the board knows: it goes over the broker."""
    options = ["--store", daemon.store, "--config", daemon.config, "--set", "people.address=anna"]
    for arguments in (["contacts", "add", "Ben", "ben"],
                      ["letters", "add", "--to", "Ben", "--at", "53.1,6.1", "Look up"]):
        result = run([siege.godwit, *arguments, *options])
        siege.found.check(result.code == 0, f"{' '.join(arguments)}: {result}")


def alert(siege, daemon):
    """A place that the walk enters and leaves, and a command for each time."""
    alerts.do(siege, "places", "add", "Home", "--at", "53,6", "--radius", "100", "--store",
              daemon.store)
    for event in ("enter", "leave"):
        alerts.do(siege, "alerts", "add", "Home", "--when", event, "--store", daemon.store)


@area("soak", minutes=14)
def soak(siege):
    """Everything on for a simulated month: descriptors, memory and wake-ups flat"""
    found, days, broker = siege.found, siege.size(30, 2), Mosquitto(siege, "mosquitto")
    fixes, walk, soaked = days * FIXES_A_DAY, DayWalk(), Soak(siege)
    web = receivers()
    everything = settings(siege, broker.address, web.server_port)
    sets = [part for value in everything for part in ("--set", value)]
    daemon = Daemon(siege, siege.path("daemon"),
                    HASTE[:1] + HASTE[3:] + ["dwell.min_dwell_s=300"] + everything,
                    siege.path("rx"))
    alerts.settings(daemon, alerts.Command(daemon.folder), daemon.folder)
    door = alerts.AlertSocket(siege, daemon.config, daemon.folder)
    collection = siege.path("collection.gpkg")
    with Receiver(siege.path("rx")) as receiver, daemon:
        people(siege, daemon)
        alert(siege, daemon)
        common = ["--config", daemon.config, "--set", f"control.socket={daemon.socket}", *sets]
        soaked.start("uplink", [siege.godwit, "uplink", "run", "--service", "--store",
                                daemon.store, *common])
        soaked.start("collector", [siege.godwit, "collect", "--store", collection, *common])
        soaked.start("watch", [siege.godwit, "watch", "--socket", daemon.socket, "--json"])
        start = time.monotonic()
        for sent in range(fixes):
            receiver.send(walk.epoch())
            receiver.hear()
            time.sleep(max(0, start + sent / A_SECOND - time.monotonic()))
            if sent % (fixes // SAMPLES) == 0 and not soaked.ended():
                soaked.sample(sent, daemon)
        seconds = time.monotonic() - start
        accepted = daemon.status()["fixes"]["accepted"]
        found.none("processes that ended early", soaked.ended())
        collected = number(collection, "SELECT count(*) FROM track_points")
        stored = number(daemon.store, "SELECT count(*) FROM track_points")
        visits = number(daemon.store, "SELECT count(*) FROM visits")
        for one in soaked.others.values():
            one.terminate()
            one.wait(10)
    broker.stop()
    door.stop()
    web.shutdown()
    found.tried(f"{days} simulated days ({fixes:,} fixes at {A_SECOND} a second) in {seconds:.0f} s "
                "to daemon, uplink, collector and watch; timers ran in real time")
    found.says(f"{stored:,} points and {visits} visits stored, {collected:,} points collected")
    found.says(f"{door.count} alerts told; by web " + ", ".join(
        f"{count:,} to {path[1:]}" for path, count in Receivers.taken.items()))
    found.check(door.count > fixes / 250, f"{door.count} alerts were told")
    for path, count in Receivers.taken.items():
        # Overland's come in batches.
        found.check(count > (0 if path == "/overland" else 0.9 * stored),
                    f"{count} of {stored} points were sent to {path[1:]}")
    found.check(accepted > 0.9 * fixes, f"{accepted} of {fixes} fixes accepted")
    found.check(collected > 0.9 * stored, f"{collected} of {stored} points were collected")
    soaked.keep()
    for name in soaked.rows[0][1]:
        soaked.judge(name, found)
