import Platform
import ReceiverStandIns
import TestSupport
import Testing

/// Receivers of OwnTracks' HTTP mode, of OsmAnd's protocol and of Overland's batches, as their
/// authors describe them, in a separate process.
final class WebReceivers {
  let port: Int
  private let process: ReceiverStandIns.ChildProcess
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("", to: "taken")
    let started = ReceiverStandIns.ChildProcess(
      "/usr/bin/python3", ["-c", Self.program, folder.file("taken")])
    process = try #require(started)
    // Both lines arrive in one write: they are shorter than PIPE_BUF (pipe(7)).
    try #require(process.says("port\n"), "no server: \(process.text)")
    let line = process.text.split(separator: "\n").first
    port = try #require(line.flatMap { Int($0) })
  }

  /// The records accepted before the answer: the path, and what identifies the record.
  var taken: [String] {
    get throws {
      let bytes = try SystemFiles.bytes(of: folder.file("taken"), atMost: 1 << 20)
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// `asking` requests the location in every answer, `broken` fails at every third record, `portal`
  /// answers 200 to everything, `later` requests a delay.
  private static let program = #"""
    import http.server, json, sys, urllib.parse

    def take(*words):
        with open(sys.argv[1], "a") as file:
            print(*words, file=file)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def log_message(self, *words):
            pass

        def answer(self, status, body=b"", kind="application/json", **headers):
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Type", kind)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body)
            self.wfile.flush()

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = urllib.parse.urlsplit(self.path)
            getattr(self, "at_" + path.path.strip("/"))(body, urllib.parse.parse_qs(path.query))

        def at_pub(self, body, query):
            message = json.loads(body)
            user, device = self.headers["X-Limit-U"], self.headers["X-Limit-D"]
            if not message["topic"].startswith(f"owntracks/{user}/{device}"):
                return self.answer(400, b"{}")
            if self.headers["Authorization"] != "Basic YW5uOnNlY3JldA==":
                return self.answer(401)
            take("pub", message["_type"], message["tst"], message.get("vel", "-"))
            self.answer(200, b"[]")

        def at_asking(self, body, query):
            take("asking", json.loads(body).get("t", "-"))
            friends = b'{"_type":"card"},' * 100
            self.answer(200, b'[' + friends + b'{"_type":"cmd","action":"reportLocation"},7]')

        def at_osmand(self, body, query):
            if self.headers["Content-Type"] == "application/x-www-form-urlencoded":
                query = urllib.parse.parse_qs(body.decode(), strict_parsing=True)
            if query.get("id") != ["bike-7"]:
                return self.answer(400)
            float(query["lat"][0]), float(query["lon"][0])
            take("osmand", query["timestamp"][0], query["speed"][0])
            self.answer(200)

        def at_overland(self, body, query):
            if query.get("api_key") != ["key"]:
                return self.answer(401)
            for feature in json.loads(body)["locations"]:
                assert feature["type"] == "Feature" and feature["geometry"]["type"] == "Point"
                longitude, latitude = feature["geometry"]["coordinates"]
                take("overland", feature["properties"]["timestamp"], latitude)
            self.answer(201, b'{"result":"ok"}')

        def at_broken(self, body, query):
            number = int(urllib.parse.parse_qs(body.decode())["timestamp"][0])
            if number % 3 == 0:
                return self.answer(500)
            take("broken", number)
            self.answer(200)

        def at_portal(self, body, query):
            self.answer(200, b"<html>Sign in</html>", "text/html")

        def at_later(self, body, query):
            self.answer(503, b"", Retry_After="3000")

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"port\n{server.server_address[1]}", flush=True)
    server.serve_forever()
    """#
}
