#!/usr/bin/env python3
"""Receivers of web requests to the letter of their protocols, and a network that wants a sign-in.

Usage: uplink_receivers.py receivers|portal|mute ADDRESS PORT FILE. What a receiver has taken is in FILE
before it answers: a line of JSON with the receiver, what the record is known by, and its bytes. The
portal answers everything that comes with "200 OK" and a page, as such networks do; the mute one takes
every connection, and says nothing.
"""
import base64
import http.server
import json
import os
import socketserver
import sys
import urllib.parse

PAGE = b"<!DOCTYPE html><html><body>Welcome! Accept our terms to go online.</body></html>\n"
PORTAL = (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n"
          b"Connection: close\r\n\r\n" % len(PAGE)) + PAGE


class Notes:
    """A file whose contents survive any end of the process, but not of the system."""

    def __init__(self, path):
        self.file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)

    def add(self, receiver, key, data):
        line = json.dumps([receiver, key, base64.b64encode(data).decode()]) + "\n"
        os.write(self.file, line.encode())


def features(body):
    """The features of a batch, each with its bytes: what a retry has to repeat."""
    json.loads(body)
    text = body.decode()
    place, decoder = text.index("[") + 1, json.JSONDecoder()
    while text[place] != "]":
        feature, end = decoder.raw_decode(text, place)
        yield feature, text[place:end].encode()
        place = end + (text[end] == ",")


class Receivers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    timeout = 120

    def log_message(self, format, *args):
        pass

    def answer(self, status, body=b"", kind="application/json"):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        if len(body) < length:
            return  # The connection broke: no record, no answer.
        take = {"/pub": self.own_tracks, "/osmand": self.osmand, "/overland": self.overland}
        try:
            take[urllib.parse.urlsplit(self.path).path](body)
        except (KeyError, ValueError, AssertionError) as error:
            self.answer(400, repr(error).encode(), "text/plain")

    def own_tracks(self, body):
        message = json.loads(body)
        kind = message["_type"]
        assert self.headers["Content-Type"] == "application/json"
        topic = f"owntracks/{self.headers['X-Limit-U']}/{self.headers['X-Limit-D']}"
        assert message["topic"] == topic + ("/event" if kind == "transition" else "")
        assert len(message["tid"]) in (1, 2)
        float(message["lat"]), float(message["lon"])
        assert kind != "transition" or (message["desc"] and message["acc"] > 0)
        self.server.notes.add("owntracks_http", f"{kind} {message['tst']}", body)
        self.answer(200, b"[]")

    def osmand(self, body):
        assert self.headers["Content-Type"] == "application/x-www-form-urlencoded"
        query = urllib.parse.parse_qs(body.decode("ascii"), strict_parsing=True)
        assert query["id"] == ["bike"] and int(query["timestamp"][0]) < 1 << 31
        float(query["lat"][0]), float(query["lon"][0])
        self.server.notes.add("osmand", f"location {query['timestamp'][0]}", body)
        self.answer(200)

    def overland(self, body):
        taken = list(features(body))
        assert 1 <= len(taken) <= 1000
        for feature, data in taken:
            assert feature["type"] == "Feature" and feature["geometry"]["type"] == "Point"
            properties = feature["properties"]
            assert properties["device_id"] == "bike"
            self.server.notes.add("overland", f"location {properties['timestamp']}", data)
        self.answer(201, b'{"result":"ok"}')


class Portal(socketserver.BaseRequestHandler):
    """Answers any request in any protocol."""

    def handle(self):
        self.request.settimeout(30)
        try:
            if self.request.recv(65536):
                self.server.notes.add("portal", "request", b"")
                self.request.sendall(PORTAL)
        except OSError:
            pass


class Mute(socketserver.BaseRequestHandler):
    def handle(self):
        try:
            while self.request.recv(65536):
                pass
        except OSError:
            pass


class WebServer(http.server.ThreadingHTTPServer):
    request_queue_size = 64


class PortalServer(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


def main():
    what, address, port, file = sys.argv[1:]
    kind, handler = {"receivers": (WebServer, Receivers), "portal": (PortalServer, Portal),
                     "mute": (PortalServer, Mute)}[what]
    with kind((address, int(port)), handler) as server:
        server.notes = Notes(file)
        print("ready", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
