"""The brokers in the trials of the uplink: mosquitto alone, and a cluster of nats-server."""
import json
import os
import subprocess
import urllib.request

from uplink_world import await_that, free_port, listens, write

NODES = ["node1", "node2", "node3"]


class Mosquitto:
    """A mosquitto that keeps its sessions on the disk, as Debian configures it, or nothing at
    all."""

    def __init__(self, crew, host="127.0.0.1", port=None, keeps=False, prefix=(),
                 access="allow_anonymous true\n"):
        self.crew, self.host, self.port = crew, host, port or free_port()
        self.prefix = list(prefix)
        user = subprocess.check_output(["id", "-un"], text=True).strip()
        text = (f"listener {self.port} {host}\nuser {user}\n"
                "log_type error\nlog_type subscribe\n") + access
        if keeps:
            text += ("persistence true\nautosave_interval 10\nautosave_on_changes true\n"
                     f"persistence_location {crew.folder}/\n")
        write(f"{crew.folder}/mosquitto.conf", text)

    @property
    def address(self):
        return f"mqtt://{self.host}:{self.port}"

    def start(self):
        self.crew.start("broker", self.prefix + [
            "/usr/sbin/mosquitto", "-c", f"{self.crew.folder}/mosquitto.conf"])

    def await_ready(self):
        await_that(lambda: listens(self.port, self.host), "mosquitto")

    def await_subscription(self, topic):
        """Waits until it accepts connections."""
        def is_told():
            with open(f"{self.crew.folder}/broker.log", encoding="utf-8") as log:
                return any(topic in line.split() for line in log)
        await_that(is_told, f"a subscription to {topic}")


class Cluster:
    """Three of nats-server, of which one may be missing (docs.nats.io, "MQTT", "Clustering")."""

    def __init__(self, crew):
        self.crew = crew
        self.ports = {node: {what: free_port() for what in ("client", "mqtt", "cluster", "http")}
                      for node in NODES}
        routes = ", ".join(f'"nats://127.0.0.1:{ports["cluster"]}"'
                           for ports in self.ports.values())
        for node, ports in self.ports.items():
            write(f"{crew.folder}/{node}.conf", f"""
                server_name: {node}
                listen: "127.0.0.1:{ports["client"]}"
                http: "127.0.0.1:{ports["http"]}"
                jetstream {{ store_dir: "{crew.folder}/{node}" }}
                mqtt {{ listen: "127.0.0.1:{ports["mqtt"]}" }}
                cluster {{ name: home, listen: "127.0.0.1:{ports["cluster"]}"
                           routes: [{routes}] }}
                """)

    @property
    def addresses(self):
        return [f"mqtt://127.0.0.1:{self.ports[node]['mqtt']}" for node in NODES]

    def start(self, node):
        self.crew.start(node, ["nats-server", "-c", f"{self.crew.folder}/{node}.conf"])

    def asked(self, node, path):
        """A node's status; nothing while it cannot answer."""
        url = f"http://127.0.0.1:{self.ports[node]['http']}/{path}"
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return json.load(answer)
        except (OSError, ValueError):
            return {}

    def is_whole(self):
        """Every node is connected and follows a leader, and no stream lacks a copy. Consumers are
        not checked: those of ended subscriptions may remain for ever (2.9)."""
        if any(self.asked(node, "healthz?js-server-only=true").get("status") != "ok"
               for node in NODES):
            return False
        states = [self.asked(node, "jsz?streams=true") for node in NODES]
        leaders = {state.get("meta_cluster", {}).get("leader") for state in states}
        if len(leaders) != 1 or leaders & {None, ""}:
            return False
        return all(self.is_copied(stream.get("cluster", {}), node)
                   for node, state in zip(NODES, states)
                   for account in state.get("account_details", [])
                   for stream in account.get("stream_detail", []))

    @staticmethod
    def is_copied(stream, node):
        """The stream as a node sees it; only the leader knows of the other copies."""
        if stream.get("leader") != node:
            return bool(stream.get("leader"))
        return all(copy["current"] and not copy.get("offline")
                   for copy in stream.get("replicas", []))

    def await_whole(self):
        await_that(self.is_whole, "the cluster", patience=90, pause=0.2)

    def node_of(self, process):
        """The node that a process is connected to, or none."""
        mine = open_sockets(process.pid)
        ports = {self.ports[node]["mqtt"]: node for node in NODES}
        with open("/proc/net/tcp", encoding="ascii") as table:
            for line in list(table)[1:]:
                fields = line.split()
                port = int(fields[2].rsplit(":", 1)[1], 16)
                if fields[3] == "01" and fields[9] in mine and port in ports:
                    return ports[port]
        return None


def open_sockets(process):
    """Their numbers, as /proc/net/tcp has them."""
    folder, sockets = f"/proc/{process}/fd", set()
    try:
        for name in os.listdir(folder):
            target = os.readlink(f"{folder}/{name}")
            if target.startswith("socket:["):
                sockets.add(target[8:-1])
    except FileNotFoundError:
        pass
    return sockets
