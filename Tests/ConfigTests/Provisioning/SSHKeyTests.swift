import Foundation
import Core
import TestSupport
import Testing

@testable import Config

@Suite struct SSHKeyTests {
  static let hasKeygen = FileManager.default.isExecutableFile(atPath: "/usr/bin/ssh-keygen")

  @Test(
    "keys made by ssh-keygen are accepted unchanged, with its fingerprint",
    .enabled(if: hasKeygen, "ssh-keygen (openssh-client) is not installed"),
    arguments: [
      ["ed25519"], ["rsa", "-b", "2048"], ["ecdsa", "-b", "256"], ["ecdsa", "-b", "521"],
    ])
  func madeKeys(kind: [String]) throws {
    let folder = try ScratchFolder()
    let file = folder.file("key")
    let words = ["-q", "-N", "", "-C", "me at home", "-f", file, "-t"] + kind
    let process = try Process.run(URL(fileURLWithPath: "/usr/bin/ssh-keygen"), arguments: words)
    process.waitUntilExit()
    let text = try folder.text("key.pub")
    let key = try SSHKey(text)
    #expect(key.line + "\n" == text)
    let shown = try run("ssh-keygen", "-l", "-f", file + ".pub").output
    #expect(shown.contains(" \(key.fingerprint) "))
    // Damage by an attacker or by a mistake in copying.
    for damaged in [String(text.dropLast(text.count / 2)), "no-pty " + text, "x" + text] {
      thrown(SettingMismatch.self) { try SSHKey(damaged) }
    }
    let secret = try folder.text("key")
    let refusal = thrown(SettingMismatch.self) { try SSHKey(secret) }
    #expect(refusal?.reason.hasPrefix("is a private key") == true)
  }

  @Test(
    "an invalid key is refused",
    arguments: [
      "", "ssh-ed25519", "ssh-ed25519 AAAA", "ssh-ed25519 !!!!", "ssh-dss AAAAB3NzaC1kc3M=",
      // The type inside the key differs.
      "ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIJkn5dGX5nRMSjNjqr6yL1tHqD0mNvqU9jv8q4xHqv7A",
      "command=\"reboot\" ssh-ed25519 "
        + "AAAAC3NzaC1lZDI1NTE5AAAAIJkn5dGX5nRMSjNjqr6yL1tHqD0mNvqU9jv8q4xHqv7A",
    ])
  func refused(text: String) { thrown(SettingMismatch.self) { try SSHKey(text) } }

  @Test("a comment cannot become a separate line")
  func aCommentStaysOnItsLine() throws {
    thrown(SettingMismatch.self) { try SSHKey("\(BootBench.key)\nssh-rsa AAAA evil") }
    let key = try SSHKey("\(BootBench.key) \u{0}\u{1b}[2J\u{202e}x")
    #expect(key.line == BootBench.key + " \u{fffd}\u{fffd}[2J\u{fffd}x")
  }
}
