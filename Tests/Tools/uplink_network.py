"""Network namespaces for the trials of the uplink: a board, a broker and a home around a hub.

The lines of the board and of the home are bad ones (uplink_link.py). The hub can send the board's
connections to a portal, which answers in place of any server.
"""
import json
import os
import subprocess
import sys

from uplink_world import HERE

# Drops packets of earlier connections: they are silent from now on.
PORTAL = """
table ip portal {{
  chain before {{
    type nat hook prerouting priority dstnat;
    iifname "board" tcp dport {{ {ports} }} redirect to :{portal}
  }}
  chain through {{
    type filter hook forward priority filter;
    iifname "board" drop
  }}
}}
"""


def ip(*words, namespace=None, **options):
    within = ["-n", namespace] if namespace else []
    return subprocess.run(["ip", *within, *words], check=True, **options)


class Network:
    """For `with`: removes all namespaces at the end."""

    PLACES = {"board": 1, "home": 2, "broker": 3}

    def __init__(self, crew, seed):
        self.crew, self.seed = crew, seed
        self.tag = f"godwit{os.getpid()}"

    def name(self, place):
        return f"{self.tag}-{place}"

    def address(self, place):
        return f"10.77.{self.PLACES[place]}.2"

    def inside(self, place):
        """The words before a command that run it there."""
        return ["ip", "netns", "exec", self.name(place)]

    def __enter__(self):
        try:
            for place in ["hub", *self.PLACES]:
                ip("netns", "add", self.name(place))
                ip("link", "set", "lo", "up", namespace=self.name(place))
            subprocess.run(self.inside("hub") + ["sysctl", "-qw", "net.ipv4.ip_forward=1"],
                           check=True)
            self.connect_broker()
            for place in ["board", "home"]:
                self.connect(place)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.crew.close()
        for place in ["hub", *self.PLACES]:
            subprocess.run(["ip", "netns", "del", self.name(place)], check=False,
                           stderr=subprocess.DEVNULL)

    def connect_broker(self):
        ip("link", "add", "broker", "netns", self.name("hub"), "type", "veth",
           "peer", "name", "line", "netns", self.name("broker"))
        self.configure("broker")

    def connect(self, place):
        line = self.crew.start(
            f"line-{place}", [sys.executable, f"{HERE}/uplink_link.py", str(self.seed),
                              self.name(place), "line", self.name("hub"), place],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        if line.stdout.readline() != "ready\n":
            raise RuntimeError(f"no line to {place}")
        self.configure(place)

    def configure(self, place):
        number = self.PLACES[place]
        ip("addr", "add", f"10.77.{number}.1/24", "dev", place, namespace=self.name("hub"))
        ip("link", "set", place, "up", namespace=self.name("hub"))
        ip("addr", "add", f"10.77.{number}.2/24", "dev", "line", namespace=self.name(place))
        self.raise_link(place)

    def raise_link(self, place):
        ip("link", "set", "line", "up", namespace=self.name(place))
        ip("route", "replace", "default", "via", f"10.77.{self.PLACES[place]}.1",
           namespace=self.name(place))

    def lower_link(self, place):
        ip("link", "set", "line", "down", namespace=self.name(place))

    def set_line(self, place, **state):
        line = self.crew.running[f"line-{place}"]
        line.stdin.write(json.dumps(state) + "\n")
        if line.stdout.readline() != "done\n":
            raise RuntimeError(f"the line to {place} does not obey")

    def open_portal(self, ports, portal):
        """Until it is closed, a server of the hub answers in place of any other."""
        text = PORTAL.format(ports=", ".join(map(str, ports)), portal=portal)
        subprocess.run(self.inside("hub") + ["nft", "-f", "-"], input=text, text=True, check=True)

    def close_portal(self):
        subprocess.run(self.inside("hub") + ["nft", "delete", "table", "ip", "portal"], check=True)
