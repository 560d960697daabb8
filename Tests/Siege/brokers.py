"""MQTT 5 brokers on this machine: an honest one, and hostile ones."""

import json
import socket
import struct
import threading

CONNACK, PINGRESP = b"\x20\x03\x00\x00\x00", b"\xd0\x00"


def packets(client):
    """Type with flags, and contents, of each packet from a client until it disconnects."""
    with client.makefile("rb") as stream:
        while head := stream.read(1):
            length = shift = 0
            while True:
                byte = stream.read(1)[0]
                length |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            yield head[0], stream.read(length)


def published(body):
    """Topic, number and contents of a PUBLISH with QoS 1 and few properties."""
    end = 2 + struct.unpack(">H", body[:2])[0]
    return body[2:end], body[end:end + 2], body[end + 3 + body[end + 2]:]


class Broker:
    """Serves each client in a thread; acknowledged messages are in `taken`."""

    def __init__(self, speak=None):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"mqtt://127.0.0.1:{self.listener.getsockname()[1]}"
        self.speak = speak or self.take
        self.taken, self.connections = set(), 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.meet, args=(client,), daemon=True).start()

    def meet(self, client):
        with client:
            try:
                self.speak(client)
            except (OSError, IndexError, struct.error):
                pass

    def take(self, client):
        """Works as a broker should."""
        for kind, body in packets(client):
            if kind >> 4 == 1:
                client.sendall(CONNACK)
            elif kind >> 4 == 3:
                topic, number, contents = published(body)
                self.taken.add(identity(topic, contents))
                client.sendall(b"\x40\x02" + number)
            elif kind >> 4 == 8:
                client.sendall(b"\x90\x04" + body[:2] + b"\x00\x01")
            elif kind >> 4 == 12:
                client.sendall(PINGRESP)

    def close(self):
        # Wakes the accepting thread, which close(2) does not.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def identity(topic, contents):
    """The part of an OwnTracks message that is the same at each attempt."""
    try:
        message = json.loads(contents)
        assert isinstance(message, dict)
    except (ValueError, AssertionError):
        return topic, contents[:20]
    return topic.decode(), message.get("_type"), message.get("tst"), message.get("event")


# MARK: Hostile brokers

def greets_and(then):
    """Accepts the board; `then` is the next action."""
    def speak(client):
        for kind, _ in packets(client):
            if kind >> 4 == 1:
                client.sendall(CONNACK)
                then(client)
    return speak


def pours(block, count=1 << 40):
    """Writes without an end, whether it is read or not."""
    def speak(client):
        for _ in range(count):
            client.sendall(block)
    return speak


def is_silent(client):
    while client.recv(1 << 16):
        pass


def resets(client):
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def drips(client):
    """A CONNACK of 256 MB, a byte a second."""
    waits = threading.Event()
    for byte in b"\x20\xff\xff\xff\x7f" + bytes(1000):
        client.sendall(bytes([byte]))
        waits.wait(1)


# An unsolicited message: on a topic of OwnTracks' commands, with QoS 0.
MESSAGE = b"owntracks/gw/cmd" + b"\x00" + b'{"_type":"cmd","action":"reportLocation"}'
STORM = bytes([0x30, len(MESSAGE) + 2, 0, 16]) + MESSAGE
LARGEST = b"\x30\xff\xff\xff\x7f"


def kinds(chance):
    """The behaviour of each of them, by name."""
    def random_packets(client):
        while True:
            client.sendall(bytes([chance.randrange(256), 20]) + chance.randbytes(20))

    return {
        "hangs up": lambda client: client.recv(1), "resets": resets, "never answers": is_silent,
        "garbage": pours(chance.randbytes(1 << 16)), "zeros without end": pours(bytes(1 << 16)),
        "HTTP": pours(b"HTTP/1.1 400 Bad Request\r\n\r\n", 1), "drips": drips,
        "greets without end": pours(CONNACK * 1000),
        "acknowledges nothing": greets_and(lambda client: None),
        "garbage after the greeting": greets_and(pours(chance.randbytes(1 << 16))),
        "random packets": greets_and(random_packets),
        "acknowledges others": greets_and(pours(b"\x40\x02\xfe\xff" * 1000)),
        "storms": greets_and(pours(STORM * 500)),
        "a message of 256 MB": greets_and(pours(LARGEST + bytes(1 << 16))),
        "refuses": lambda client: client.recv(1) and client.sendall(b"\x20\x03\x00\x87\x00"),
    }
