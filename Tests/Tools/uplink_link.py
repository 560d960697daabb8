#!/usr/bin/env python3
"""A bad line between two network namespaces: carries packets, loses some, delays others.

Usage: uplink_link.py SEED NAMESPACE DEVICE NAMESPACE DEVICE. Makes a TUN device in each, says
"ready", and executes lines of JSON on its standard input: "loss" is a share of the packets, "delay_s"
a mean, "there" and "back" whether packets get from the first to the second at all, and the other
way. Everything is in this process, because the kernel's own (netem) is not in every kernel.
"""
import ctypes
import fcntl
import heapq
import json
import os
import random
import select
import struct
import sys
import time

CLONE_NEWNET = 0x40000000  # setns(2)
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x1, 0x1000  # linux/if_tun.h
MOST_BYTES = 65536
GOOD = {"loss": 0.0, "delay_s": 0.0, "there": True, "back": True}


def tun(namespace, device):
    """A descriptor of the network device; each read and write is a packet."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open("/proc/self/ns/net", "rb") as own, open(f"/run/netns/{namespace}", "rb") as other:
        for target in [other, own]:
            if libc.setns(target.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), f"setns {namespace}")
            if target is other:
                descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
                fcntl.ioctl(descriptor, TUNSETIFF, struct.pack(
                    "16sH22x", device.encode(), IFF_TUN | IFF_NO_PI))
    return descriptor


class Line:
    def __init__(self, seed, ends):
        self.random = random.Random(seed)
        self.ends = ends
        self.state = dict(GOOD)
        self.under_way = []
        self.count = 0

    def take(self, end):
        """The packets received at one end."""
        while True:
            try:
                packet = os.read(self.ends[end], MOST_BYTES)
            except OSError:  # Nothing more, or the device is down.
                return
            passes = self.state["back" if end else "there"]
            if not passes or self.random.random() < self.state["loss"]:
                continue
            delay = self.state["delay_s"] * self.random.uniform(0.5, 1.5)
            self.count += 1
            heapq.heappush(
                self.under_way, (time.monotonic() + delay, self.count, 1 - end, packet))

    def give(self):
        """Sends the packets that are due. The time until the next is, or None."""
        while self.under_way:
            left = self.under_way[0][0] - time.monotonic()
            if left > 0:
                return left
            _, _, end, packet = heapq.heappop(self.under_way)
            try:
                os.write(self.ends[end], packet)
            except OSError:  # Its queue is full, or it is down: lost, as on any line.
                pass
        return None

    def run(self):
        while True:
            ready, _, _ = select.select([*self.ends, sys.stdin], [], [], self.give())
            for end in (0, 1):
                if self.ends[end] in ready:
                    self.take(end)
            if sys.stdin in ready:
                if not (line := sys.stdin.readline()):
                    return
                self.state = GOOD | json.loads(line)
                print("done", flush=True)


def main():
    seed, *ends = sys.argv[1:]
    line = Line(int(seed), [tun(*ends[:2]), tun(*ends[2:])])
    print("ready", flush=True)
    line.run()


if __name__ == "__main__":
    main()
