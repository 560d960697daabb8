import Foundation
import Core
import TestSupport
import Testing

@testable import godwit

/// The output of a failed command for a program that requested JSON.
@Suite struct FailureReportTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func error(_ outcome: Program.Outcome) throws -> JSONValue {
    let answer = try JSONValue(parsing: Array(outcome.output.utf8))
    return try #require(answer["error"], "\(outcome.output)")
  }

  @Test(
    "with --json a failure is an object too, with the same message and code",
    arguments: [
      ["status", "--socket", "/nowhere/socket"], ["gnss", "on", "--socket", "/nowhere/socket"],
      ["gnss", "status", "--socket", "/nowhere/socket"], ["gnss", "probe"],
      ["power", "watch"], ["power", "record"], ["track", "--store", "/nowhere/store"],
      ["visits", "--store", "/nowhere/store"], ["destinations", "--store", "/nowhere/store"],
      ["store", "check", "--store", "/nowhere/store"],
      ["replay", "/nowhere/trace", "--store", "/nowhere/store"],
      ["simulate", "/nowhere/trace", "--store", "/nowhere/store"],
      ["config", "show", "--set", "policy.nme=x"], ["config", "check", "--set", "policy.nme=x"],
      ["visits", "--from", "yesterday"], ["status", "--bogus"],
    ])
  func everyCommand(arguments: [String]) throws {
    let none = ["gnss", "power"].contains(arguments[0]) && !arguments.contains("--socket")
    let all = arguments + (none ? ["--set", "receiver.kind=none"] : [])
    let plain = try Program.run(all)
    let outcome = try Program.run(all + ["--json"])
    #expect(outcome.exitCode == plain.exitCode && outcome.exitCode != 0)
    #expect(outcome.messages == plain.messages && plain.output == "")
    let error = try error(outcome)
    #expect(error["exit_code"]?.integer == Int(outcome.exitCode))
    let message = try #require(error["message"]?.string)
    #expect(!message.isEmpty && outcome.messages.contains(message), "\(message)")
  }

  @Test("several problems of the settings are listed separately")
  func severalProblems() throws {
    let outcome = try Program.run(
      "config", "check", "--json", "--set", "policy.nme=x", "--set", "gnss.of_mA=1")
    let error = try error(outcome)
    #expect(error["problems"]?.array?.count == 2)
  }

  @Test("a result that reports its own failure is followed by nothing")
  func afterAResult() throws {
    let outcome = try Program.run("doctor", "--json", "--set", "policy.nme=x")
    #expect(outcome.exitCode == 2)
    let answer = try JSONValue(parsing: Array(outcome.output.utf8))
    #expect(answer["failed"]?.integer == 1 && answer["error"] == nil)
  }

  @Test("an argument that only looks like the option is none")
  func otherWords() throws {
    let outcome = try Program.run("decode", "--", "--json")
    #expect(outcome.exitCode == 1 && outcome.output == "")
  }
}
