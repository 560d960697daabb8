import ReceiverStandIns
import Testing

/// Python's web server in a separate process, on a free port of this machine. Each path answers in
/// its own way, well-behaved or not.
final class WebServer {
  let port: Int
  private let process: ChildProcess

  /// - Parameters:
  ///   - certificate: a file with certificate and key; nil: http.
  ///   - clients: the authorities of clients' certificates; nil: none is asked for.
  init(certificate: String? = nil, clients: String? = nil) throws {
    let words = ["-c", Self.program, certificate ?? "", clients ?? ""]
    process = try #require(ChildProcess("/usr/bin/python3", words))
    // Both lines arrive in one write: they are shorter than PIPE_BUF (pipe(7)).
    try #require(process.says("port\n"), "no server: \(process.text)")
    let line = process.text.split(separator: "\n").first
    port = try #require(line.flatMap { Int($0) })
  }

  private static let program = #"""
    import base64, http.server, json, ssl, sys, threading

    connections = 0

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def setup(self):
            global connections
            connections += 1
            super().setup()

        def log_message(self, *words):
            pass

        def answer(self, status, body=b"", kind=None, **headers):
            self.send_response(status)
            if status != 204:
                self.send_header("Content-Length", str(len(body)))
            if kind:
                self.send_header("Content-Type", kind)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            self.do_POST()

        def do_POST(self):
            self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = self.path.split("?")[0].strip("/")
            getattr(self, "at_" + path)()
            self.wfile.flush()

        def at_json(self):
            self.answer(200, b"[]", "Application/JSON; charset=utf-8")

        def at_page(self):
            self.answer(200, b"<!DOCTYPE html><html>Sign in</html>", "text/html")

        def at_created(self):
            self.answer(201, b'{"result":"ok"}', "application/json")

        def at_nothing(self):
            self.answer(204)

        def at_moved(self):
            self.answer(301, b"gone", Location="http://portal.example:8080/login?key=SECRET")

        def at_status(self):
            self.answer(int(self.path.split("?")[1]), b"no")

        def at_busy(self):
            self.answer(503, b"later", Retry_After="120")

        def at_basic(self):
            expected = "Basic " + base64.b64encode("anna:p\u00e4ss:w\"ort".encode()).decode()
            said = self.headers.get("Authorization")
            self.answer(200 if said == expected else 401, b"[]")

        def at_echo(self):
            said = {"method": self.command, "path": self.path, "body": self.body.decode(),
                    "headers": {n.lower(): v for n, v in self.headers.items()}}
            self.answer(200, json.dumps(said).encode(), "application/json")

        def at_connections(self):
            self.answer(200, str(connections).encode(), "text/plain")

        def at_certificate(self):
            name = dict(e[0] for e in self.connection.getpeercert()["subject"])["commonName"]
            self.answer(200, name.encode(), "text/plain")

        def raw(self, pieces):
            self.close_connection = True
            for piece in pieces:
                self.wfile.write(piece)
                self.wfile.flush()

        def forever(self, piece):
            while True:
                yield piece

        def at_huge(self):
            self.raw([b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n"])
            self.raw(b"x" * 100000 for _ in range(10000))

        def at_chunked(self):
            self.raw([b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"])
            self.raw(self.forever(b"1000\r\n" + b"x" * 4096 + b"\r\n"))

        def at_headers(self):
            self.raw([b"HTTP/1.1 200 OK\r\n"])
            self.raw(self.forever(b"X-More: and more of it\r\n"))

        def at_line(self):
            self.raw([b"HTTP/1.1 200 OK\r\nX-Long: "])
            self.raw(self.forever(b"y" * 1000))

        def at_interim(self):
            self.raw(self.forever(b"HTTP/1.1 102 Processing\r\n\r\n"))

        def at_garbage(self):
            self.raw([b"\x00\xff\x16\x03 this is another protocol\n" * 3])

        def at_closed(self):
            self.raw([b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"])

        def at_mute(self):
            self.raw([])

        def at_silent(self):
            threading.Event().wait()

        def at_drip(self):
            self.raw([b"HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n"])
            while True:
                self.raw([b"x"])
                threading.Event().wait(0.05)

    class Server(http.server.ThreadingHTTPServer):
        request_queue_size = 64
        block_on_close = False

        def handle_error(self, request, address):
            pass

    server = Server(("127.0.0.1", 0), Handler)
    certificate, clients = sys.argv[1:]
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        if clients:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(clients)
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False)
    print("port\n%d" % server.server_address[1], flush=True)
    server.serve_forever()
    """#
}
