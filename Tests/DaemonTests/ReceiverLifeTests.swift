import ReceiverStandIns
import TestSupport
import Testing

/// A receiver on a serial line in real time that appears, disappears and misbehaves.
@Suite(.serialized) struct ReceiverLifeTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  func daemon(_ device: String, baud: Int = 9600, _ settings: String...) throws -> LiveDaemon {
    try LiveDaemon(
      in: folder,
      settings: ["receiver.device=\(device)", "receiver.baud=\(baud)", "policy.name=continuous"]
        + settings)
  }

  @Test("it tracks and counts") func itTracksAndCounts() throws {
    let line = Pseudoterminal()
    let daemon = try daemon(line.link)
    #expect(daemon.hears(line) { $0.isTracking && $0.accepted >= 3 })
    let status = try daemon.status()
    #expect(status["state"]?.string == "running")
    #expect(status["policy"]?.string == "continuous")
    #expect(status.at("receiver.bytes")?.integer ?? 0 > 300)
    #expect(status["time"]?.string?.hasPrefix("2026-03-01T10:") == true)
    try daemon.endsOrderly()
  }

  @Test("an unplugged receiver is reported, and used again once it is back")
  func unplugAndReplugAreSurvived() throws {
    let link = Pseudoterminal.freshLink()
    var line: Pseudoterminal? = Pseudoterminal(link: link)
    let daemon = try daemon(link)
    #expect(daemon.hears(try #require(line)) { $0.accepted >= 1 })
    line = nil
    #expect(daemon.process.says("receiver-failed"))
    #expect(try daemon.status().receiverFailure != nil)
    #expect(try daemon.status()["state"]?.string == "degraded")
    let again = Pseudoterminal(link: link)
    let before = try daemon.status().accepted
    #expect(daemon.hears(again, Epochs(from: 36_100)) { $0.accepted > before })
    #expect(try daemon.status().receiverFailure == nil)
    try daemon.endsOrderly()
  }

  @Test("the daemon waits for a device that is missing at first")
  func aDeviceThatIsMissingAtFirstIsWaitedFor() throws {
    let link = Pseudoterminal.freshLink()
    let daemon = try daemon(link)
    #expect(daemon.process.says("receiver-failed"))
    #expect(try daemon.status().receiverFailure?.contains(link) == true)
    let line = Pseudoterminal(link: link)
    #expect(daemon.hears(line) { $0.isTracking })
    try daemon.endsOrderly()
  }

  @Test("the speed of the line is found") func theSpeedIsFound() throws {
    let line = Pseudoterminal()
    let daemon = try daemon(line.link, baud: 0)
    #expect(daemon.hears(line) { $0.isTracking })
    #expect(try daemon.status().at("receiver.name")?.string?.contains("not yet") == false)
    try daemon.endsOrderly()
  }

  @Test("endless garbage does not increase its memory")
  func garbageForEverDoesNotMakeItGrow() throws {
    let line = Pseudoterminal()
    let daemon = try daemon(line.link, baud: 460_800)
    var random = SplitMix(seed: 7)
    let noise = (0..<32).map { _ in
      random.bytes(32_768)
    }
    func hears(kilobytes: Int) -> Bool {
      let goal = ((try? daemon.status().at("receiver.bytes")?.integer) ?? 0) + kilobytes << 10
      // As fast as the line accepts it: far faster than any receiver.
      let bursts = (0..<kilobytes).lazy.map { noise[$0 % noise.count] }
      return Speaker(line, baud: 8_000_000).speak(bursts, period: 0.02) {
        (try? daemon.status().at("receiver.bytes")?.integer) ?? 0 >= goal
      }
    }
    #expect(hears(kilobytes: 128))
    let before = try daemon.memory("VmRSS")
    #expect(hears(kilobytes: 384))
    #expect(try daemon.memory("VmRSS") - before < 1024, "kB")
    let counters = try #require(try daemon.status().at("receiver.counters"))
    guard case .object(let members) = counters else { throw Unexpected() }
    #expect(members.contains { $0.value.integer ?? 0 > 100 }, "\(counters.text)")
    try daemon.endsOrderly()
  }

  struct Unexpected: Error {}

  @Test("a second daemon gets neither the socket nor the receiver of the first")
  func aSecondDaemonDoesNotDisturbTheFirst() throws {
    let line = Pseudoterminal()
    let first = try daemon(line.link)
    #expect(first.hears(line) { $0.isTracking })

    let sameSocket = try LiveDaemon.another(folder, ["--socket", first.socket])
    #expect(sameSocket.exitCode() == 1)
    #expect(sameSocket.text.contains("another godwit answers"))

    let other = try ScratchFolder()
    let sameReceiver = try LiveDaemon(
      in: other, settings: ["receiver.device=\(line.link)", "policy.name=continuous"])
    #expect(sameReceiver.process.says("receiver-failed"))
    #expect(try sameReceiver.status().receiverFailure?.contains("in use") == true)

    let before = try first.status().accepted
    #expect(first.hears(line, Epochs(from: 36_100)) { $0.accepted > before + 1 })
    try sameReceiver.endsOrderly()
    try first.endsOrderly()
  }
}

/// Debian's gpsd between the receiver and the daemon.
@Suite(
  .serialized,
  .enabled(
    if: GpsdProcess.isInstalled,
    "SKIPPED: gpsd is not installed, so the daemon does not meet gpsd; apt-get install gpsd"))
struct GpsdLifeTests {
  @Test("fixes arrive, and gpsd may restart") func fixesComeAndARestartOfGpsdIsSurvived() throws {
    let folder = try ScratchFolder()
    let line = Pseudoterminal()
    let port = FakeGpsd.freePort()
    var gpsd = GpsdProcess(port: port, device: line.path)
    try #require(gpsd != nil)
    let daemon = try LiveDaemon(
      in: folder,
      settings: [
        "receiver.kind=gpsd", "receiver.host=127.0.0.1", "receiver.port=\(port)",
        "policy.name=continuous",
      ])
    #expect(daemon.hears(line, Epochs(), period: 0.5) { $0.isTracking }, "\(daemon.process.text)")
    #expect(try daemon.status()["state"]?.string == "running")
    withExtendedLifetime(gpsd) {}
    gpsd = nil
    #expect(daemon.process.says("receiver-failed"))
    #expect(try daemon.status()["state"]?.string == "degraded")
    gpsd = GpsdProcess(port: port, device: line.path)
    try #require(gpsd != nil)
    let before = try daemon.status().accepted
    #expect(
      daemon.hears(line, Epochs(from: 36_200), period: 0.5) { $0.accepted > before },
      "\(daemon.process.text)")
    #expect(try daemon.status().receiverFailure == nil)
    try daemon.endsOrderly()
    withExtendedLifetime(gpsd) {}
  }
}
