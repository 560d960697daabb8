import Ports
import ReceiverStandIns
import Testing

@testable import Hardware

/// Against Debian's gpsd, which reads a pseudo-terminal fed by the test.
@Suite(
  .serialized,
  .enabled(
    if: GpsdProcess.isInstalled,
    "SKIPPED: gpsd is not installed, so nothing meets it; apt-get install gpsd"
  ))
struct RealGpsdTests {
  let port = FakeGpsd.freePort()

  /// Feeds epochs one after the other until the receiver has returned `word`.
  func listen(_ receiver: GpsdReceiver, _ line: Pseudoterminal, for word: String) throws -> String {
    var text = ""
    for second in 0..<100 where !text.contains(word) {
      let seconds = String(100 + second % 60).dropFirst()
      line.offer(NMEAText.fix(time: "1200\(seconds)", date: "091202"))
      // Bytes that gpsd sends to identify the receiver.
      _ = line.received()
      while isReady(receiver, within: 0.1) && !text.contains(word) {
        text += String(decoding: try receiver.read(limit: 4096), as: UTF8.self)
      }
    }
    return text
  }

  @Test("positions arrive, commands pass and a restart of gpsd is survived")
  func positionsArriveAndARestartIsSurvived() throws {
    let line = Pseudoterminal()
    var gpsd = try #require(GpsdProcess(port: port, device: line.path))
    let receiver = GpsdReceiver(
      GpsdSettings(host: "localhost", port: port, device: line.path))
    try receiver.open()
    let first = try listen(receiver, line, for: "\"lat\":47.28521")
    #expect(first.contains("\"class\":\"TPV\""))
    #expect(first.hasPrefix("{\"class\":\"VERSION\""))

    try withExtendedLifetime(gpsd) {
      try receiver.write([0xb5, 0x62, 0x00, 0xff])
      var sent: [UInt8] = []
      while !sent.contains(0xff) && readable(line.master) { sent += line.received() }
      #expect(sent.suffix(4) == [0xb5, 0x62, 0x00, 0xff])
    }

    gpsd = try #require(GpsdProcess(port: FakeGpsd.freePort(), device: "/dev/null"))
    var failure: PortError?
    while failure == nil && isReady(receiver) {
      do {
        _ = try receiver.read(limit: 4096)
      } catch {
        failure = error
      }
    }
    guard case .lost? = failure else {
      Issue.record("the end of gpsd went unnoticed: \(failure as Any)")
      return
    }

    gpsd = try #require(GpsdProcess(port: port, device: line.path))
    try receiver.open()
    let second = try listen(receiver, line, for: "\"lat\":47.28521")
    #expect(second.contains("\"class\":\"TPV\""))
    receiver.close()
    #expect(gpsd.says("?WATCH={\"enable\":false};"))
    #expect(gpsd.says("detaching"), "gpsd still has a watcher and would keep the device")
  }

  /// Reads until it throws.
  func failure(_ receiver: GpsdReceiver) -> PortError? {
    while isReady(receiver, within: 15) {
      do {
        _ = try receiver.read(limit: 4096)
      } catch {
        return error
      }
    }
    return nil
  }

  /// Settings as the daemon uses them for a receiver whose power it switches.
  func settings(_ gpsd: GpsdProcess, device: String? = nil) -> GpsdSettings {
    GpsdSettings(
      host: "localhost", port: port, device: device, control: gpsd.control, givesBack: true)
  }

  @Test(
    "gpsd releases the device before the power is cut, and serves it again",
    arguments: [["-n"], []])
  func deviceIsBackBeforeThePowerGoesAndServedAfterwards(options: [String]) throws {
    let line = Pseudoterminal()
    let gpsd = try #require(GpsdProcess(port: port, device: line.path, options: options))
    // The device name is learnt.
    let receiver = GpsdReceiver(settings(gpsd))
    for cycle in 0..<3 {
      try receiver.open()
      let text = try listen(receiver, line, for: "\"lat\":47.28521")
      #expect(text.contains("\"class\":\"TPV\""), "no fix in power cycle \(cycle)")
      #expect(gpsd.openings(of: line.path) == 1)
      receiver.close()
      #expect(gpsd.openings(of: line.path) == 0, "gpsd holds the line of a dead receiver")
      #expect(receiver.warning == nil)
    }
  }

  /// gpsd forgets a device taken from it, so a daemon that starts must know the name.
  @Test("a device taken by an earlier run is handed back by its name")
  func deviceThatAnEarlierRunTookIsGivenByItsName() throws {
    let line = Pseudoterminal()
    let gpsd = try #require(GpsdProcess(port: port, device: line.path))
    let before = GpsdReceiver(settings(gpsd, device: line.path))
    try before.open()
    _ = try listen(before, line, for: "\"class\":\"WATCH\"")
    before.close()
    let nameless = GpsdReceiver(settings(gpsd))
    try nameless.open()
    _ = try listen(nameless, line, for: "\"class\":\"WATCH\"")
    #expect(nameless.warning?.contains("receiver.gpsd_device") == true)
    nameless.close()
    let after = GpsdReceiver(settings(gpsd, device: line.path))
    try after.open()
    #expect(try listen(after, line, for: "\"lat\":47.28521").contains("TPV"))
  }

  @Test("bytes reach the receiver unchanged") func bytesReachTheReceiverUnchanged() throws {
    let line = Pseudoterminal()
    let gpsd = try #require(GpsdProcess(port: port, device: line.path))
    let receiver = GpsdReceiver(settings(gpsd))
    try receiver.open()
    _ = try listen(receiver, line, for: "\"lat\":47.28521")
    while readable(line.master, within: 0.3) { _ = line.received() }
    let bytes = (0..<600).map { UInt8($0 & 255) }
    try receiver.write(bytes)
    var received: [UInt8] = []
    while received.count < bytes.count && readable(line.master, within: 2) {
      received += line.received()
    }
    #expect(received == bytes)
    withExtendedLifetime(gpsd) { receiver.close() }
  }

  @Test("bytes that gpsd may not pass on are refused")
  func bytesThatGpsdMayNotPassOnAreRefused() throws {
    let line = Pseudoterminal()
    let gpsd = try #require(GpsdProcess(port: port, device: line.path, options: ["-n", "-b"]))
    let receiver = GpsdReceiver(settings(gpsd))
    try receiver.open()
    _ = try listen(receiver, line, for: "\"lat\":47.28521")
    var refusal: PortError?
    do {
      try receiver.write([1, 2, 3])
    } catch {
      refusal = error
    }
    guard case .refused(let text)? = refusal else {
      Issue.record("a gpsd with -b passed bytes on: \(refusal as Any)")
      return
    }
    #expect(text.contains("3 bytes") && text.contains("-b"))
    withExtendedLifetime(gpsd) { receiver.close() }
  }

  @Test("a killed gpsd is lost, and its successor used", .timeLimit(.minutes(1)))
  func killedGpsdIsLostAndItsSuccessorUsed() throws {
    let line = Pseudoterminal()
    var gpsd = try #require(GpsdProcess(port: port, device: line.path))
    let receiver = GpsdReceiver(settings(gpsd))
    try receiver.open()
    _ = try listen(receiver, line, for: "\"lat\":47.28521")
    gpsd.kill()
    guard case .lost? = failure(receiver) else {
      Issue.record("the end of gpsd went unnoticed")
      return
    }
    receiver.close()
    #expect(receiver.warning == nil, "a gpsd that is no more holds no device")
    gpsd = try #require(GpsdProcess(port: port, device: line.path))
    try receiver.open()
    #expect(try listen(receiver, line, for: "\"lat\":47.28521").contains("TPV"))
    receiver.close()
    #expect(gpsd.openings(of: line.path) == 0)
  }

  @Test("a device taken from gpsd by another program is handed over again")
  func deviceThatSomebodyTakesFromGpsdIsGivenAgain() throws {
    let line = Pseudoterminal()
    let gpsd = try #require(GpsdProcess(port: port, device: line.path))
    let receiver = GpsdReceiver(settings(gpsd))
    try receiver.open()
    _ = try listen(receiver, line, for: "\"lat\":47.28521")
    #expect(
      GpsdControlRequest.ask(GpsdCommand.remove(line.path), socket: gpsd.control) == .done)
    guard case .lost(let text)? = failure(receiver) else {
      Issue.record("the loss of the device went unnoticed")
      return
    }
    #expect(text.contains(line.path))
    receiver.close()
    try receiver.open()
    #expect(try listen(receiver, line, for: "\"lat\":47.28521").contains("TPV"))
  }

  @Test("a device not served by gpsd is missing")
  func deviceThatGpsdDoesNotServeIsMissing() throws {
    let line = Pseudoterminal()
    let gpsd = try #require(GpsdProcess(port: port, device: line.path))
    let receiver = GpsdReceiver(
      GpsdSettings(host: "localhost", port: port, device: "/dev/ttyNONE"))
    try receiver.open()
    var failure: PortError?
    while failure == nil && isReady(receiver, within: 15) {
      do {
        _ = try receiver.read(limit: 4096)
      } catch {
        failure = error
      }
    }
    withExtendedLifetime(gpsd) {
      guard case .missing(let text)? = failure else {
        Issue.record("gpsd's refusal went unnoticed: \(failure as Any)")
        return
      }
      #expect(text.contains("/dev/ttyNONE"))
    }
  }
}
