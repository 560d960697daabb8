import Foundation
import TestSupport
import Testing

@Suite struct CompletionTests {
  @Test("completion scripts know the commands", arguments: ["bash", "zsh", "fish"])
  func scriptsKnowTheCommands(shell: String) throws {
    let script = try Program.run("--generate-completion-script", shell)
    #expect(script.exitCode == 0)
    for word in ["config", "check", "default"] { #expect(script.output.contains(word)) }
  }

  /// bash reads the script without complaint.
  @Test("bash reads its completion script without complaint") func bashAcceptsItsScript() throws {
    let scratch = try ScratchFolder()
    let script = try Program.run("--generate-completion-script", "bash")
    try script.output.write(toFile: scratch.file("godwit"), atomically: true, encoding: .utf8)
    let bash = Process()
    bash.executableURL = URL(fileURLWithPath: "/bin/bash")
    bash.arguments = ["-n", scratch.file("godwit")]
    try bash.run()
    bash.waitUntilExit()
    #expect(bash.terminationStatus == 0)
  }
}
