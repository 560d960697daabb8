import ArgumentParser
import Config
import Foundation
import Analysis
import TestSupport
import Testing

@testable import godwit

/// The protocols of `board/protocols`: their shell commands can be run.
@Suite struct ShippedProtocolTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../board/protocols").standardizedFileURL

  static let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []

  /// The commands of all conditions, as passed to sh.
  private func commands(_ name: String) throws -> [String] {
    let text = try String(
      contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    let test = try Configuration<TestProtocol>(
      settings: SettingsFile(name: name, bytes: Array(text.utf8))
    ).settings
    return test.conditions.map(\.command).filter { !$0.isEmpty }
  }

  /// The words after `godwit`, for each of its calls in a command.
  private func calls(_ command: String) -> [[String]] {
    let line = command.replacing("\\\n", with: " ").replacing(/\$\([^)]*\)/, with: "made-up")
    return line.split(whereSeparator: { ";&|\n".contains($0) }).compactMap { part in
      let words = part.split(separator: " ").map(String.init)
      return words.firstIndex(of: "godwit").map { Array(words[($0 + 1)...]) }
    }
  }

  @Test("the measured protocols are shipped") func all() {
    let expected = ["coarse", "policies", "receiver", "requests", "sampler", "sleep", "starts"]
    #expect(Self.names.sorted() == expected.map { "\($0).toml" })
  }

  @Test("a shell can parse every command, and godwit every call of it", arguments: names)
  func understood(name: String) throws {
    for command in try commands(name) {
      #expect(try run("sh", "-n", "-c", command).status == 0, "\(command)")
      for call in calls(command) {
        #expect(throws: Never.self, "\(call)") { _ = try Godwit.parseAsRoot(call) }
      }
    }
  }

  @Test("every setting of a daemon in a protocol exists, and accepts its value", arguments: names)
  func settings(name: String) throws {
    let scratch = try ScratchFolder()
    for file in ["godwit.toml", "board.toml"] {
      try "".write(toFile: scratch.file(file), atomically: false, encoding: .utf8)
    }
    let files = [
      "--config", scratch.file("godwit.toml"), "--board", scratch.file("board.toml"),
    ]
    for call in try commands(name).flatMap(calls) where call.first == "run" {
      let words: [String] = ["config", "check"] + files
      let outcome = try Program.run(words + Array(call.dropFirst()))
      #expect(outcome.exitCode == 0, "\(call): \(outcome.messages)")
    }
  }

  @Test("calls are found after any prefix") func found() {
    #expect(
      calls("godwit gnss on && while godwit gnss restart hot; do sleep 1; done")
        == [["gnss", "on"], ["gnss", "restart", "hot"]])
    #expect(calls("godwit run --set a=$(mktemp x y) \\\n  --set b=1 &\nwait").count == 1)
  }
}
