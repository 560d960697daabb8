import Config
import GodwitSettings
import TestSupport
import Testing

@Suite struct DefaultSettingsTests {
  /// With the file printed by `godwit config default`, on a machine without a receiver, the daemon
  /// waits, reports what is missing, answers requests and ends in an orderly way.
  @Test("the default settings idle without hardware") func idlesWithoutHardware() throws {
    let folder = try ScratchFolder()
    let missing = folder.file("no-receiver")
    let daemon = try LiveDaemon(
      in: folder, settings: ["receiver.device=\(missing)"],
      text: SettingsText.render(Settings()))
    let status = try daemon.status()
    #expect(status["state"]?.string == "degraded")
    #expect(status["receiver"]?["failure"]?.string?.contains(missing) == true)
    #expect(status["store"]?["failure"] == .null)
    try daemon.endsOrderly()
  }
}
