import Glibc
import Ports
import Core
import Records
import Testing

@testable import Hardware

/// The look-up with curl, against a server on the same machine.
@Suite(.serialized) struct OnlineLookUpTests {
  private static let scan = AccessPointScan([
    AccessPointSignal(bssid: "00:11:22:33:44:01", strength: -50),
    AccessPointSignal(bssid: "00:11:22:33:44:02", strength: -60),
  ])

  /// Waits for the source's descriptor without a time limit of its own.
  private static func answer(_ source: OnlineLookUp) throws -> Evidence? {
    if let interest = source.interest {
      var poll = pollfd(fd: interest.descriptor, events: Int16(POLLIN), revents: 0)
      #expect(Glibc.poll(&poll, 1, 30_000) == 1)
    }
    return try source.poll()
  }

  private final class Clock {
    var now = BootInstant.zero + 1000
  }

  private static func source(_ url: String, _ clock: Clock) throws -> OnlineLookUp {
    var settings = LookUpSettings()
    settings.url = url
    settings.interval = 300
    return try #require(OnlineLookUp(settings, now: { clock.now }))
  }

  @Test("it sends one request at a time in plain text, and receives the position")
  func located() throws {
    let server = try LocationServer(
      status: "200 OK", body: #"{"location":{"lat":52.09,"lng":5.12},"accuracy":50}"#)
    let clock = Clock()
    let source = try Self.source(server.url, clock)
    #expect(source.interest == nil && source.due == nil)
    source.request(Self.scan, cell: nil)
    source.request(Self.scan, cell: nil)
    let request = try server.serve()
    #expect(request.contains(#""macAddress":"00:11:22:33:44:01""#))
    #expect(request.contains("Content-Type: application/json"))
    guard case .location(let observation)? = try Self.answer(source) else {
      return #expect(Bool(false), "nothing was answered")
    }
    #expect(observation.source == "lookup" && observation.position?.latitude == 52.09)
    #expect(source.interest == nil)
    source.request(Self.scan, cell: nil)
    #expect(source.interest == nil, "not before the interval is over")
    clock.now = clock.now + 300
    source.request(Self.scan, cell: nil)
    #expect(source.interest != nil)
  }

  @Test("a server without a position is queried ever less often, and nothing is reported")
  func unknown() throws {
    let clock = Clock()
    let server = try LocationServer(status: "404 Not Found", body: "{}")
    let source = try Self.source(server.url, clock)
    source.request(Self.scan, cell: nil)
    _ = try server.serve()
    #expect(try Self.answer(source) == nil)
    clock.now = clock.now + 300
    source.request(Self.scan, cell: nil)
    #expect(source.interest == nil)
    clock.now = clock.now + 300
    source.request(Self.scan, cell: nil)
    #expect(source.interest != nil)
  }

  @Test("a server's refusal is reported once, without the key in its URL") func refused() throws {
    let clock = Clock()
    let server = try LocationServer(status: "403 Forbidden", body: "{}")
    let source = try Self.source(server.url + "?key=SECRET", clock)
    source.request(Self.scan, cell: nil)
    _ = try server.serve()
    #expect {
      try Self.answer(source)
    } throws: {
      guard let message = ($0 as? PortError)?.message else { return false }
      return message.contains("needs a key") && !message.contains("SECRET")
    }
    clock.now = clock.now + .hours(1)
    source.request(Self.scan, cell: nil)
    _ = try server.serve()
    #expect(try Self.answer(source) == nil)
  }

  @Test("an unreachable server and an invalid URL are reported")
  func notThere() throws {
    for url in ["http://127.0.0.1:1/", "file:///etc/passwd", "-o/tmp/x", "https://", "\u{1}"] {
      let source = try Self.source(url, Clock())
      source.request(Self.scan, cell: nil)
      #expect(throws: PortError.self) { try Self.answer(source) }
    }
  }

  @Test("a server that never answers is given up, and the process ended") func hangs() throws {
    let clock = Clock()
    let server = try LocationServer(status: "", body: "")
    let source = try Self.source(server.url, clock)
    source.request(Self.scan, cell: nil)
    #expect(try source.poll() == nil)
    #expect(source.due == clock.now + OnlineLookUp.timeout)
    clock.now = clock.now + OnlineLookUp.timeout
    #expect(throws: PortError.self) { try source.poll() }
    #expect(source.interest == nil && source.due == nil)
  }

  @Test("an answer of megabytes is cut off") func flood() throws {
    let server = try LocationServer(
      status: "200 OK", body: String(repeating: "x", count: 3_000_000))
    let source = try Self.source(server.url, Clock())
    source.request(Self.scan, cell: nil)
    _ = try? server.serve()
    #expect(throws: PortError.self) { try Self.answer(source) }
  }
}

/// Answers every request with the same response.
private final class LocationServer {
  let url: String
  private let listener: Int32
  private let response: [UInt8]

  init(status: String, body: String) throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && listen(socket, 8) == 0
          && getsockname(socket, $0, &size) == 0
      }
    }
    listener = socket
    try #require(isBound)
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/v1/geolocate"
    response = Array(
      "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        .utf8)
  }

  /// Serves one request and returns its text.
  func serve() throws -> String {
    let client = accept(listener, nil, nil)
    try #require(client >= 0)
    defer { close(client) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !bytes.ends(withAny: ["}}"]) {
      let count = read(client, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    var sent = 0
    while sent < response.count {
      let count = response.withUnsafeBytes {
        send(
          client, $0.baseAddress.map { $0 + sent }, response.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { break }
      sent += count
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  deinit { close(listener) }
}

extension [UInt8] {
  fileprivate func ends(withAny endings: [String]) -> Bool {
    endings.contains { suffix($0.utf8.count).elementsEqual($0.utf8) }
  }
}
