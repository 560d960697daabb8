import ReceiverStandIns
import TestSupport
import Testing

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
