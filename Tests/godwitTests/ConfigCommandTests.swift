import Foundation
import TestSupport
import Testing

@Suite struct ConfigCommandTests {
  @Test func defaultFilePassesItsOwnCheck() throws {
    let scratch = try ScratchFolder()
    let printed = try Program.run("config", "default")
    #expect(printed.exitCode == 0)
    try printed.output.write(toFile: scratch.file("all.toml"), atomically: true, encoding: .utf8)
    let check = try Program.run("config", "check", "--config", scratch.file("all.toml"))
    #expect(check.exitCode == 0)
    #expect(check.output.hasPrefix("The settings are fine: "))
    #expect(check.messages == "")
  }

  @Test func showNamesTheOriginOfEveryValue() throws {
    let scratch = try ScratchFolder()
    let file = scratch.file("mine.toml")
    try "[policy]\nname = \"periodic\"\n".write(toFile: file, atomically: true, encoding: .utf8)
    let json = try Program.run(
      "config", "show", "--json", "--config", file, "--set", "gnss.off_mA=0.5")
    let all = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: [String: Any]])
    #expect(all["policy.name"]?["value"] as? String == "periodic")
    #expect(all["policy.name"]?["origin"] as? String == "\(file):2")
    #expect(all["gnss.off_mA"]?["value"] as? Double == 0.5)
    #expect(all["gnss.off_mA"]?["origin"] as? String == "option --set gnss.off_mA=0.5")
    #expect(all["receiver.port"]?["origin"] as? String == "built-in default")
    let text = try Program.run("config", "show", "--config", file)
    #expect(text.output.contains("policy.name = \"periodic\""))
  }

  @Test(arguments: [
    (["--set", "policy.nme=hybrid"], "did you mean policy.name?"),
    (["--set", "power_switch.supply=:17"], "power_switch.supply has no usable offset"),
    (["--config", "/nonexistent/godwit.toml"], "/nonexistent/godwit.toml: No such file"),
    (["--config", "/dev/zero"], "expected at most 1048576 bytes"),
    (["--config", "/"], "/: Is a directory"),
    (["--bogus"], "Unknown option"),
  ])
  func wrongSettingsEndWithCodeTwo(options: [String], message: String) throws {
    let outcome = try Program.run(["config", "check"] + options)
    #expect(outcome.exitCode == 2)
    #expect(outcome.output == "")
    #expect(outcome.messages.contains(message))
  }
}
