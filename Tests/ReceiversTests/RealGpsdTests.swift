import Ports
import ReceiverStandIns
import Testing

@testable import Receivers

/// Against the gpsd that Debian ships, which reads a pseudo-terminal that the test feeds.
@Suite(
  .serialized,
  .enabled(
    if: GpsdProcess.isInstalled,
    "SKIPPED: gpsd is not installed, so nothing meets it; apt-get install gpsd"
  ))
struct RealGpsdTests {
  let port = FakeGpsd.freePort()

  /// Feeds one epoch after the other until the receiver has yielded `word`.
  func listen(_ receiver: GpsdReceiver, _ line: Pseudoterminal, for word: String) throws -> String {
    var text = ""
    for second in 0..<100 where !text.contains(word) {
      let seconds = String(100 + second % 60).dropFirst()
      line.offer(NMEAText.fix(time: "1200\(seconds)", date: "091202"))
      // What gpsd sends to identify the receiver.
      _ = line.received()
      while readable(receiver.descriptor, within: 0.1) && !text.contains(word) {
        text += String(decoding: try receiver.read(limit: 4096), as: UTF8.self)
      }
    }
    return text
  }

  @Test func positionsArriveAndARestartIsSurvived() throws {
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
    var failure: ReceiverError?
    while failure == nil && readable(receiver.descriptor) {
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

  @Test func deviceThatGpsdDoesNotServeIsMissing() throws {
    let line = Pseudoterminal()
    let gpsd = try #require(GpsdProcess(port: port, device: line.path))
    let receiver = GpsdReceiver(
      GpsdSettings(host: "localhost", port: port, device: "/dev/ttyNONE"))
    try receiver.open()
    var failure: ReceiverError?
    while failure == nil && readable(receiver.descriptor, within: 15) {
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
