"""The other end of the uplink: a real broker with TLS and passwords, a collector, a receiver of web
requests, and secrets that the service gets only from systemd."""

import http.server
import json
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import threading
import time

import bench
from service import Unit, wait

FOLDER = pathlib.Path("/run/lab-uplink")
SECRETS = FOLDER / "secrets"
HOME = FOLDER / "home.gpkg"
PORT = 8883
PASSWORD = "as long as it is wide"
CREDENTIALS = "/run/credentials/godwit-uplink.service"
BROKER = f"""
listener {PORT} localhost
certfile {FOLDER}/broker.pem
keyfile {SECRETS}/broker.key
password_file {SECRETS}/passwords
allow_anonymous false
user root
connection_messages true
log_dest file {FOLDER}/broker.log
log_type all
max_queued_messages 0
"""
# The options that every client needs.
LINE = f"""
brokers = ["mqtts://localhost:{PORT}"]
ca_file = "{FOLDER}/ca.pem"
user = "lab"
password_file = """


class Far:
    # For mosquitto's clients.
    line = ["-h", "localhost", "-p", str(PORT), "--cafile", f"{FOLDER}/ca.pem", "-u", "lab", "-P",
            PASSWORD]

    def __init__(self):
        SECRETS.mkdir(parents=True)
        FOLDER.chmod(0o755)
        # For root only: the service gets these secrets from systemd.
        SECRETS.chmod(0o700)
        self.processes = {}
        self.web = Web()
        certify()
        (SECRETS / "password").write_text(PASSWORD + "\n")
        (SECRETS / "phrase").write_text("the phrase of a lab\n")
        bench.run("mosquitto_passwd", "-b", "-c", str(SECRETS / "passwords"), "lab", PASSWORD)
        (FOLDER / "mosquitto.conf").write_text(BROKER)
        (FOLDER / "home.toml").write_text(f'[uplink.mqtt]{LINE}"{SECRETS}/password"\n')

    def start(self, name, *command):
        with (FOLDER / f"{name}.output").open("a") as output:
            self.processes[name] = subprocess.Popen(command, stdout=output, stderr=output)

    def stop(self, name):
        self.processes[name].terminate()
        self.processes.pop(name).wait()

    def open(self):
        """Starts the broker, soon."""
        self.start("broker", "mosquitto", "-c", str(FOLDER / "mosquitto.conf"))
        return wait(30, listens)

    def gather(self):
        self.start("collector", "godwit", "collect", "--config", str(FOLDER / "home.toml"),
                   "--store", str(HOME))

        # OwnTracks' messages wait until there is a subscriber.
        self.start("subscriber", "mosquitto_sub", *self.line, "-t", "owntracks/#")

    def broker_log(self):
        return (FOLDER / "broker.log").read_text()

    def ask(self, request, seconds):
        """The board's answer to a remote request; nothing if there is none."""
        done = subprocess.run(
            ["mosquitto_rr", *self.line, "-V", "5", "-q", "1", "-t", "godwit/ann/lab/request",
             "-e", "lab/answers", "-W", str(seconds), "-m", json.dumps(request)],
            capture_output=True, text=True)
        try:
            return json.loads(done.stdout)
        except ValueError:
            return {"nothing": done.stdout + done.stderr}


class Web(http.server.ThreadingHTTPServer):
    """A receiver of OwnTracks' HTTP mode."""

    def __init__(self):
        super().__init__(("localhost", 8083), Receiver)
        self.messages = []
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.messages.append(json.loads(body))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"[]")

    def log_message(self, *_):
        pass


def certify():
    """An authority, and the broker's certificate issued by it."""
    (FOLDER / "req.conf").write_text("[req]\ndistinguished_name = name\n[name]\n")
    make = ["openssl", "req", "-x509", "-config", str(FOLDER / "req.conf"), "-newkey", "ec",
            "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30"]
    authority = [str(FOLDER / "ca.pem"), str(SECRETS / "ca.key")]
    bench.run(*make, "-subj", "/CN=lab authority", "-addext", "basicConstraints=critical,CA:TRUE",
              "-out", authority[0], "-keyout", authority[1])
    bench.run(*make, "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
              "-CA", authority[0], "-CAkey", authority[1], "-out", str(FOLDER / "broker.pem"),
              "-keyout", str(SECRETS / "broker.key"))


def listens():
    with socket.socket() as link:
        return link.connect_ex(("127.0.0.1", PORT)) == 0


def rows(path, table="track_points"):
    """The number of rows in a GeoPackage, beside its writer."""
    if not pathlib.Path(path).exists():
        return 0
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10) as store:
            return store.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    except sqlite3.Error:
        return 0
