import Ports
import ReceiverStandIns
import TestSupport
import Testing

@testable import Hardware

extension FakeGpsd {
  var settings: GpsdSettings { GpsdSettings(host: "127.0.0.1", port: port) }
}

/// A script replaces gpsd, to test hostile and partial answers.
@Suite struct GpsdReceiverTests {
  /// Reads until `done` or until no more bytes arrive.
  func collect(
    _ receiver: GpsdReceiver, limit: Int = 65_536, until done: ([UInt8]) -> Bool
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while !done(bytes) && isReady(receiver, within: 2) {
      bytes += try receiver.read(limit: limit)
    }
    return bytes
  }

  /// Reads until it throws.
  func failure(_ receiver: GpsdReceiver) -> PortError? {
    do {
      _ = try collect(receiver) { _ in false }
      return nil
    } catch {
      return error as? PortError
    }
  }

  /// A connection after the greeting, with an active watch.
  func connected(device: String? = nil) throws -> (FakeGpsd, GpsdReceiver) {
    let server = FakeGpsd()
    var settings = server.settings
    settings.device = device
    let receiver = GpsdReceiver(settings)
    try receiver.open()
    #expect(server.accept())
    server.say(FakeGpsd.banner)
    #expect(try text(receiver, lines: 1).contains("VERSION"))
    let device = device.map { ",\"device\":\"\($0)\"" } ?? ""
    #expect(
      server.heard(until: "\n") == "?WATCH={\"enable\":true,\"json\":true\(device)};\n")
    server.say(FakeGpsd.watching)
    #expect(try text(receiver, lines: 1).contains("WATCH"))
    return (server, receiver)
  }

  func text(_ receiver: GpsdReceiver, lines: Int) throws -> String {
    let bytes = try collect(receiver) { $0.filter { $0 == 0x0a }.count >= lines }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("lines pass unchanged in order") func linesPassUnchangedInOrder() throws {
    let (server, receiver) = try connected()
    let lines = (0..<300).map { "{\"class\":\"TPV\",\"n\":\($0)}\r\n" }.joined()
    server.say(lines)
    #expect(try text(receiver, lines: 300) == lines)
    #expect(!isReady(receiver, within: 0))
  }

  /// The first of these lines puts libgps 3.22's own parser into an endless loop.
  @Test("malformed lines are passed on like any other") func malformedLinesPass() throws {
    let (server, receiver) = try connected()
    let lines = "{:\"class\":\"TPV\"\r\n{\"class\":\"TPV\",\r\n{\r\n"
    server.say(lines)
    #expect(try text(receiver, lines: 3) == lines)
  }

  @Test("a read stays within its limit, and the rest stays readable")
  func limitIsKeptAndTheRestStaysReadable() throws {
    let (server, receiver) = try connected()
    let lines = (0..<50).map { "{\"class\":\"TPV\",\"n\":\($0)}\r\n" }.joined()
    server.say(lines)
    var bytes: [UInt8] = []
    while bytes.count < lines.utf8.count && isReady(receiver, within: 2) {
      let part = try receiver.read(limit: 7)
      #expect(part.count <= 7)
      bytes += part
    }
    #expect(bytes == Array(lines.utf8))
  }

  @Test("bytes that arrive slowly give only whole lines")
  func slowDripGivesWholeLinesOnly() throws {
    let (server, receiver) = try connected()
    for byte in Array("{\"class\":\"TPV\"}".utf8) {
      server.say([byte])
      #expect(isReady(receiver))
      #expect(try receiver.read(limit: 100).isEmpty)
    }
    server.say("\n")
    #expect(try text(receiver, lines: 1) == "{\"class\":\"TPV\"}\n")
  }

  @Test("closing ends the watch and the connection") func closeEndsTheWatch() throws {
    let (server, receiver) = try connected()
    receiver.close()
    #expect(server.heard(until: "\n") == "?WATCH={\"enable\":false};\n")
    #expect(server.wasLeft())
    #expect(receiver.interest == nil)
    #expect(try receiver.read(limit: 10).isEmpty)
  }

  @Test("a partial line at the end is lost, and the receiver can be reopened")
  func endAfterHalfALineIsLost() throws {
    let (server, receiver) = try connected()
    server.say("{\"class\":\"TPV\"}\n{\"class\":\"TP")
    server.hangUp()
    #expect(try text(receiver, lines: 1) == "{\"class\":\"TPV\"}\n")
    guard case .lost(let text)? = failure(receiver) else {
      Issue.record("the end went unnoticed")
      return
    }
    #expect(text.contains("127.0.0.1:\(server.port)") && text.contains("systemctl status gpsd"))
    #expect(receiver.interest != nil, "the event loop has to let go of it first")
    try receiver.open()
    #expect(server.accept())
  }

  @Test("an endless line ends the connection, with limited memory")
  func endlessLineIsLostWithBoundedMemory() throws {
    let (server, receiver) = try connected()
    let flood = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
    var failure: PortError?
    var sent = 0
    while failure == nil && sent < 10_000_000 {
      sent += server.say(flood)
      do throws(PortError) {
        let bytes = try receiver.read(limit: 1_000_000)
        #expect(bytes.isEmpty)
      } catch {
        failure = error
      }
    }
    guard case .lost(let text)? = failure else {
      Issue.record("\(sent) bytes without a newline were taken")
      return
    }
    #expect(text.contains("20 kB"))
  }

  @Test(
    "another program at the port is refused and sent nothing",
    arguments: ["SSH-2.0-OpenSSH_9.2p1\r\n", "HTTP/1.0 400 Bad Request\r\n", "\n", "{}\n"])
  func somebodyElseIsRefused(greeting: String) throws {
    let server = FakeGpsd()
    let receiver = GpsdReceiver(server.settings)
    try receiver.open()
    #expect(server.accept())
    server.say(greeting)
    guard case .refused(let text)? = failure(receiver) else {
      Issue.record("took \(greeting) for gpsd")
      return
    }
    #expect(text.contains("is not gpsd") && text.contains("receiver.port"))
    #expect(!text.contains("\r"))
    receiver.close()
    #expect(server.heard(until: "\n").isEmpty, "nothing is sent to strangers")
  }

  @Test("a device unknown to gpsd is missing, with gpsd's message")
  func unknownDeviceIsMissingInGpsdsWords() throws {
    let server = FakeGpsd()
    var settings = server.settings
    settings.device = "/dev/gnss0"
    let receiver = GpsdReceiver(settings)
    try receiver.open()
    #expect(server.accept())
    server.say(FakeGpsd.banner)
    server.say("{\"class\":\"ERROR\",\"message\":\"No such device as /dev/gnss0\"}\r\n")
    guard case .missing(let text)? = failure(receiver) else {
      Issue.record("gpsd's refusal went unnoticed")
      return
    }
    #expect(text.contains("No such device as /dev/gnss0") && text.contains("gpsdctl add"))
  }

  @Test("commands wait for the watch and are sent in pieces that gpsd accepts")
  func commandsWaitForTheWatchAndGoInPieces() throws {
    let server = FakeGpsd()
    var settings = server.settings
    settings.device = "/dev/gnss0"
    let receiver = GpsdReceiver(settings)
    try receiver.open()
    let bytes = (0..<300).map { UInt8($0 & 255) }
    try receiver.write(bytes)
    #expect(server.accept())
    server.say(FakeGpsd.banner + FakeGpsd.watching)
    _ = try text(receiver, lines: 2)
    let heard = server.heard(until: "2b\",\"path\":\"/dev/gnss0\"};\n").split(separator: "\n")
    try #require(heard.count == 3)
    let hex = heard.dropFirst().map {
      $0.dropFirst("?DEVICE={\"hexdata\":\"".count).prefix { $0 != "\"" }
    }
    #expect(hex.allSatisfy { $0.count < 512 })
    let pairs = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    #expect(hex.joined() == pairs.joined())
  }

  @Test("a missing gpsd is reported with how to start it")
  func nobodyThereIsMissing() throws {
    let settings = GpsdSettings(host: "127.0.0.1", port: FakeGpsd.freePort())
    let receiver = GpsdReceiver(settings)
    try receiver.open()
    guard case .missing(let text)? = failure(receiver) else {
      Issue.record("connected to nobody")
      return
    }
    #expect(text.contains("127.0.0.1:\(settings.port)") && text.contains("systemctl start gpsd"))
  }

  @Test("a host that never answers blocks nothing", .timeLimit(.minutes(1)))
  func hostThatNeverAnswersHoldsUpNobody() throws {
    let server = FakeGpsd(hanging: true)
    let receiver = GpsdReceiver(server.settings)
    for _ in 0..<3 {
      try receiver.open()
      #expect(!isReady(receiver, within: 0.2), "the attempt ended")
      #expect(try receiver.read(limit: 100).isEmpty)
      receiver.close()
    }
  }

  @Test(
    "an impossible host is refused with its setting",
    arguments: ["", "shared memory", "DBUS export", "a\nb", String(repeating: "h", count: 300)])
  func badHostIsRefused(host: String) {
    let receiver = GpsdReceiver(GpsdSettings(host: host))
    guard case .refused(let text)? = thrown(PortError.self, by: receiver.open) else {
      Issue.record("took \(host)")
      return
    }
    #expect(text.contains("receiver.host"))
  }

  @Test(
    "an impossible device is refused with its setting",
    arguments: [
      "", "gnss0", "/dev/a\"b", "/dev/a\\b", "/dev/a\n", "/" + String(repeating: "d", count: 127),
    ])
  func badDeviceIsRefused(device: String) {
    let receiver = GpsdReceiver(GpsdSettings(device: device))
    guard case .refused(let text)? = thrown(PortError.self, by: receiver.open) else {
      Issue.record("took \(device)")
      return
    }
    #expect(text.contains("receiver.gpsd_device"))
  }

  @Test("long device names reach gpsd unchanged") func longDeviceNamesReachGpsdWhole() throws {
    _ = try connected(
      device: "/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_7_-_GPS_GNSS_Receiver-if00")
  }
}
