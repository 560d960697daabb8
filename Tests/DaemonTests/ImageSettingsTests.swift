import ReceiverStandIns
import TestSupport
import Testing

@Suite struct ImageSettingsTests {
  /// The daemon starts with the result of `godwit image apply` for a boot file with errors, on a
  /// board without remote access.
  @Test("the daemon starts with the valid part of a boot file full of errors")
  func startsWithWhatWasUnderstood() throws {
    let folder = try ScratchFolder()
    let boot = """
      boards = ["no-such-board"]
      policy.name = "periodic"
      receiver.device = "\(folder.file("no-receiver"))"
      [device
      name = "x"
      [policy.periodic]
      interval_s = 7
      interval_s = "8"
      [store]
      path = 5
      """
    try folder.write(boot, to: "boot.toml")
    let applied = try #require(
      ChildProcess(
        BuiltProgram.path("godwit"),
        [
          "image", "apply", "--settings", folder.file("boot.toml"), "--root", folder.file("root"),
          "--report", folder.file("report.txt"),
        ]))
    #expect(applied.exitCode() == 0)
    let text = try folder.text("root/etc/godwit/godwit.toml")
    let daemon = try LiveDaemon(in: folder, text: text)
    let status = try daemon.status()
    #expect(
      status["policy"]?["name"]?.string == "periodic" || status["policy"]?.string == "periodic")
    try daemon.endsOrderly()
  }
}
