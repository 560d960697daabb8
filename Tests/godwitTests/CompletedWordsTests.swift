import TestSupport
import Testing

@testable import godwit

/// The words that the shells' scripts offer and the queries that they make.
@Suite struct CompletedWordsTests {
  @Test("the scripts offer policies, lives, sources and files", arguments: ["bash", "zsh", "fish"])
  func scripts(shell: String) throws {
    let script = try Program.run("--generate-completion-script", shell)
    #expect(script.exitCode == 0)
    for word in ["periodic", "commuter", "ignition", "toml", "gpkg"] {
      #expect(script.output.contains(word), "\(word)")
    }
    for option in ["--board", "--set"] { #expect(script.output.contains("\(option)")) }
    #expect(script.output.contains("---completion"), "boards and settings are asked for")
  }

  @Test("a setting is completed by its name, then with its values if they are few")
  func assignments() {
    let names = CompletedWords.assignments(after: "rece")
    #expect(names.contains("receiver.baud=") && names.contains("policy.name="))
    let kinds = CompletedWords.assignments(after: "receiver.kind=s")
    #expect(kinds.contains("receiver.kind=serial") && kinds.contains("receiver.kind=gpsd"))
    #expect(CompletedWords.assignments(after: "policy.name=").contains("policy.name=hybrid"))
    #expect(CompletedWords.assignments(after: "gnss.off_mA=") == [], "any number")
    #expect(CompletedWords.assignments(after: "no.such=").contains("receiver.baud="))
  }

  @Test("the installed boards are completed")
  func boards() throws {
    let folder = try ScratchFolder()
    try folder.write("", to: "mine/board.toml")
    let offered = try Program.run(
      ["---completion", "config", "show", "--", "--board", "3", "0", "godwit", "config", "show"],
      environment: ["GODWIT_BOARDS": folder.path, "SAP_SHELL": "bash"])
    #expect(offered.exitCode == 0, "\(offered.messages)")
    #expect(offered.output.split(separator: "\n").contains("mine"), "\(offered.output)")
  }
}
