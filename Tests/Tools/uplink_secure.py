"""The trial of a broker that requires authentication: mosquitto with TLS and access rules.

By a password, by certificates of the board's and the home's own, and by keys in common. At first the
access rules forget the board: nothing may count as received until they are mended.
"""
import os
import signal
import subprocess

from uplink_brokers import Mosquitto
from uplink_world import Board, Trial, await_that, brokers, free_port, write
from uplink_writer import Writer

USERS = ["bike", "home"]
CROSSINGS = 50
# The board's client identifier and the user are not the same; the rules are about users.
HOME_RULES = "user home\ntopic read godwit/+/+/records\ntopic write godwit/+/+/received\n"
BOARD_RULES = ("user bike\ntopic write godwit/ann/bike/records\n"
               "topic read godwit/ann/bike/received\n")


def openssl(folder, *words):
    subprocess.run(["openssl", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def make_certificates(folder):
    """An authority, and its certificates: a server at 127.0.0.1 and each of the users."""
    os.mkdir(folder)
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl(folder, "req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2",
            "-subj", "/CN=Trial")
    write(f"{folder}/server.ext", "subjectAltName = IP:127.0.0.1\n")
    write(f"{folder}/user.ext", "extendedKeyUsage = clientAuth\n")
    for name in ["server", *USERS]:
        extension = "server" if name == "server" else "user"
        openssl(folder, "req", *key, "-keyout", f"{name}.key", "-out", f"{name}.csr",
                "-subj", f"/CN={name}")
        openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
                "-CAcreateserial", "-out", f"{name}.pem", "-days", "2",
                "-extfile", f"{extension}.ext")


class Door:
    """How a broker authenticates clients: its own lines, and the settings of a user."""

    def __init__(self, kind, folder):
        self.kind, self.folder = kind, folder
        for number, user in enumerate(USERS):
            write(f"{folder}/{user}.password", f"secret of {user}\n")
            write(f"{folder}/{user}.psk", f"{number + 1:032x}\n")

    def broker_lines(self):
        tls = (f"certfile {self.folder}/server.pem\nkeyfile {self.folder}/server.key\n"
               f"cafile {self.folder}/ca.pem\n")
        if self.kind == "password":
            for user in USERS:
                create = ["-c"] if user == USERS[0] else []
                subprocess.run(
                    ["mosquitto_passwd", *create, "-b", f"{self.folder}/passwords", user,
                     f"secret of {user}"], check=True, stdout=subprocess.DEVNULL)
            return tls + f"password_file {self.folder}/passwords\n"
        if self.kind == "certificate":
            return tls + "require_certificate true\nuse_identity_as_username true\n"
        write(f"{self.folder}/keys", "".join(
            f"{user}:{number + 1:032x}\n" for number, user in enumerate(USERS)))
        return f"psk_hint home\npsk_file {self.folder}/keys\nuse_identity_as_username true\n"

    def settings(self, user):
        path = f"{self.folder}/{user}"
        if self.kind == "key":
            return f'psk_identity = "{user}"\npsk_file = "{path}.psk"\n'
        text = f'ca_file = "{self.folder}/ca.pem"\n'
        if self.kind == "password":
            return text + f'user = "{user}"\npassword_file = "{path}.password"\n'
        return text + f'certificate_file = "{path}.pem"\nkey_file = "{path}.key"\n'


def visit(kind, trial, options):
    """A store to the collector with one kind of authentication. Problems, and how many records."""
    folder, secrets = f"{trial.folder}/{kind}", f"{trial.folder}/{kind}/secrets"
    os.mkdir(folder)
    make_certificates(secrets)
    door, port, rules = Door(kind, secrets), free_port(), f"{folder}/rules"
    write(rules, HOME_RULES)
    broker = Mosquitto(
        trial.crew, port=port,
        access=f"allow_anonymous false\nacl_file {rules}\n{door.broker_lines()}")
    broker.start()
    broker.await_ready()
    to_broker = brokers(f"mqtts://127.0.0.1:{port}", collector=True)
    board = Board(
        options.godwit, folder, to_broker + door.settings("bike"), options.seed,
        home=to_broker + door.settings("home"))
    trial.crew.start("collector", board.collect)
    Writer(board.store, options.seed).write(options.count, CROSSINGS)
    await_that(lambda: "connected" in tail(f"{trial.folder}/collector.log"), "the collector")
    problems = shut_out(kind, trial, board)
    write(rules, HOME_RULES + BOARD_RULES)
    trial.crew.running["broker"].send_signal(signal.SIGHUP)
    problems += board.drain(
        lambda: trial.crew.start("uplink", board.uplink).wait(), patience=60)
    for name in ["collector", "broker"]:
        trial.crew.stop(name)
    os.remove(f"{trial.folder}/collector.log")
    more, records = board.compare()
    return problems + [f"{kind}: {text}" for text in more], records


def tail(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def shut_out(kind, trial, board):
    """While the rules lack the board, everything waits, and it reports that."""
    ending = trial.crew.start("uplink", board.uplink).wait()
    problems = []
    if ending == 0:
        problems.append(f"{kind}: the uplink did not say that it was not allowed to publish")
    if "access rules" not in tail(f"{trial.folder}/uplink.log"):
        problems.append(f"{kind}: the uplink did not say why")
    os.remove(f"{trial.folder}/uplink.log")
    if handed := board.handed_over():
        problems.append(f"{kind}: {handed} messages count as handed over that were not")
    return problems


def secure(options):
    """Uses mosquitto with TLS by password, certificate and key, and with its access rules."""
    with Trial("secure") as trial:
        problems, told = [], []
        for kind in ["password", "certificate", "key"]:
            more, records = visit(kind, trial, options)
            problems += more
            told.append(f"{records} records by {kind}")
        return trial.verdict(
            problems, f"{', '.join(told)}, each once, and none before the access rules let the "
            f"board publish; seed {options.seed}, {trial.seconds:.0f} s")
