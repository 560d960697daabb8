import Config
import GodwitSettings
import TestSupport
import Testing

@Suite struct DefaultSettingsTests {
  /// With the file that `godwit config default` prints, the daemon waits on a machine without a
  /// receiver: it says what is missing, answers, and ends in an orderly way.
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
