import Foundation
import GodwitSettings
import TestSupport
import Testing

@testable import Config

/// A damaged boot file never ends the program, the daemon accepts the result, and no secret is
/// printed.
@Suite struct DamageTests {
  private static let good = Array(ProvisioningTests.good.utf8)
  private static let secrets = ["correct", "horse", "geheim"]
  private static let bench = BootBench()

  private static func requireSound(_ bytes: [UInt8], isSingle: Bool = true) throws {
    let made = bench.provisioning(.read(bytes))
    let damaged = Comment(rawValue: String(decoding: bytes, as: UTF8.self))
    do {
      _ = try bench.daemon(made)
    } catch {
      Issue.record(error, damaged)
    }
    let report = made.report
    for secret in secrets {
      #expect(!report.contains(secret), damaged)
    }
    let count = bytes.count { $0 == 0x0a || $0 == 0x0d } + 1
    for complaint in made.diagnostics {
      #expect((1...count).contains(complaint.line ?? 1), damaged)
    }
    if let keys = try? made.text("etc/ssh/authorized_keys.d/godwit") {
      #expect(keys.hasPrefix("ssh-ed25519 ") && keys.hasSuffix("\n"), damaged)
      #expect(keys.count { $0 == "\n" } == 1, damaged)
    }
    guard isSingle else { return }
    // A network that has a password is never joined without it.
    for file in made.files where file.path.hasSuffix(".nmconnection") {
      guard case .file(let bytes, _) = file.content else { continue }
      let text = String(decoding: bytes, as: UTF8.self)
      if text.contains("\nssid=72;111;109;101;\n") { #expect(text.contains("\npsk="), damaged) }
    }
  }

  @Test("every prefix of a good file is read")
  func beginnings() throws {
    for count in 0...Self.good.count { try Self.requireSound(Array(Self.good.prefix(count))) }
  }

  @Test("a good file with any byte changed is read")
  func flips() throws {
    var random = SplitMix(seed: 20_261_124)
    for index in Self.good.indices {
      var bytes = Self.good
      bytes[index] ^= UInt8.random(in: 1...255, using: &random)
      try Self.requireSound(bytes)
    }
  }

  @Test("a good file with any one line removed or doubled is read")
  func lines() throws {
    let lines = ProvisioningTests.good.split(separator: "\n", omittingEmptySubsequences: false)
    for index in lines.indices {
      var fewer = lines
      fewer.remove(at: index)
      try Self.requireSound(Array(fewer.joined(separator: "\r\n").utf8), isSingle: false)
      var more = lines
      more.insert(lines[index], at: index)
      try Self.requireSound(Array(more.joined(separator: "\n").utf8))
    }
  }

  @Test("the lines of a good file in any order are read")
  func orders() throws {
    var random = SplitMix(seed: 7)
    var lines = ProvisioningTests.good.split(separator: "\n", omittingEmptySubsequences: false)
    for _ in 0..<200 {
      lines.shuffle(using: &random)
      try Self.requireSound(Array(lines.joined(separator: "\n").utf8), isSingle: false)
    }
  }

  @Test("a good file with pieces of TOML anywhere is read")
  func pieces() throws {
    let pieces = [
      "[", "]", "[[", "{", "}", "=", "\"", "\"\"\"", "'''", "\\", "\n", "\r", "#", "”", "\u{a0}",
      "[image]\n", "\n[[image.wifi_networks]]\n", "\nboards = [\n", "\nreceiver.kind = \"gnss\"\n",
      "\npower_switch.kind = \"gnss\"\n", "\n[policy]\n",
    ]
    var random = SplitMix(seed: 99)
    for _ in 0..<400 {
      var bytes = Self.good
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: 0...bytes.count, using: &random)
        let piece = pieces[Int.random(in: 0..<pieces.count, using: &random)]
        bytes.insert(contentsOf: Array(piece.utf8), at: index)
      }
      try Self.requireSound(bytes, isSingle: false)
    }
  }

  @Test("noise is read")
  func noise() throws {
    var random = SplitMix(seed: 3)
    for _ in 0..<50 {
      let count = Int.random(in: 0...2000, using: &random)
      try Self.requireSound(random.bytes(count))
      let text = random.bytes(count).map { $0 % 0x60 + 0x20 }
      try Self.requireSound(text.map { $0 == 0x7f ? 0x0a : $0 })
    }
  }
}
