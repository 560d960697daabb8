import Foundation
import Ports
import Core
import TestSupport
import Testing

@testable import Hardware

/// The unit's side, with real programs.
@Suite struct CommandRunTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func script(_ name: String, _ text: String, mode: String = "755") throws -> String {
    try folder.writeScript(text, to: name, mode: mode)
    return folder.file(name)
  }

  private func run(
    _ words: [String], facts: [(String, String)] = [], limit: Seconds = 20,
    terminationTime: Seconds = 20
  ) throws -> NoticeOutcome.Result {
    var settings = AlertCommandSettings()
    settings.words = words
    settings.timeout = limit
    let command = try #require(CommandRun(settings, terminationTime: terminationTime))
    let order = NoticeCommandInput(id: 12, facts: facts.map { NoticeCommandInput.Fact($0.0, $0.1) })
    return command.run(in: CommandEnvironment(try CommandRequest(order)))
  }

  /// The same for a script that must write its process ID into a file before its time is over, on a
  /// possibly busy machine.
  private func runToLimit(_ program: String, terminationTime: Seconds = 20) throws -> String {
    var why = ""
    for limit in [Seconds(0.3), 3, 30] where !folder.files.contains("id") {
      why = try reason(
        run([program, folder.file("id")], limit: limit, terminationTime: terminationTime))
    }
    return why
  }

  private func reason(_ result: NoticeOutcome.Result) -> String {
    if case .failed(let why) = result { why } else { "\(result)" }
  }

  /// Whether the process with the ID in that file is gone, which may take init a moment.
  private func isGone(_ name: String) throws -> Bool {
    let id = try #require(pid_t(folder.text(name).trimmingCharacters(in: .whitespacesAndNewlines)))
    for _ in 0..<500 {
      let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
      guard let status, !status.contains(") Z ") else { return true }
      usleep(10_000)
    }
    return false
  }

  @Test("the exit status is reported") func ended() throws {
    #expect(try run(["/bin/true"]) == .done(exitStatus: 0))
    #expect(try run(["/bin/sh", "-c", "exit 3"]) == .done(exitStatus: 3))
    #expect(try reason(run(["/bin/sh", "-c", "kill -9 $$"])).contains("ended by signal 9"))
  }

  @Test("the command finds the facts in its environment, and no shell evaluates them")
  func facts() throws {
    let program = try script(
      "print", "#!/bin/sh\nprintf '%s|' \"$GODWIT_NOTICE\" \"$GODWIT_PLACE\" \"$1\" >\"$2\"\n")
    let place = "$(touch \(folder.file("touched")));`id`'\""
    let result = try run([program, "$GODWIT_PLACE", folder.file("out")], facts: [("PLACE", place)])
    #expect(result == .done(exitStatus: 0))
    #expect(try folder.text("out") == "12|\(place)|$GODWIT_PLACE|")
    #expect(!folder.files.contains("touched"))
  }

  @Test("the command has empty input and its own process group") func surroundings() throws {
    let program = try script(
      "look", "#!/bin/sh\n[ -z \"$(cat)\" ] && [ \"$(ps -o pgid= $$ | tr -d ' ')\" = $$ ]\n")
    #expect(try run([program]) == .done(exitStatus: 0))
  }

  @Test("the command is terminated at its time limit") func tooLong() throws {
    let why = try reason(run(["/bin/sleep", "600"], limit: 0.1))
    #expect(why.contains("/bin/sleep was ended after") && why.contains("alerts.command_timeout_s"))
  }

  @Test("a command that ignores the termination is killed") func ignores() throws {
    let program = try script(
      "stubborn", "#!/bin/sh\ntrap '' TERM\necho $$ >\"$1\"\nwhile :; do sleep 600; done\n")
    let why = try runToLimit(program, terminationTime: 0.2)
    #expect(why.contains("was killed, because it did not end by itself"))
    #expect(try isGone("id"))
  }

  @Test("background processes delay nothing, and end with the command") func leavesBehind() throws {
    let program = try script(
      "parent", "#!/bin/sh\nsleep 600 &\necho $! >\"$1\"\nexit 4\n")
    let result = try run([program, folder.file("id")])
    #expect(result == .done(exitStatus: 4))
    #expect(try isGone("id"))
  }

  @Test("child processes end at the time limit, too") func children() throws {
    let program = try script(
      "family", "#!/bin/sh\n(trap '' TERM; while :; do sleep 600; done) &\necho $! >\"$1\"\nwait\n")
    #expect(try runToLimit(program).contains("was ended after"))
    #expect(try isGone("id"))
  }

  @Test("a command that cannot be started gives the reason and the remedy")
  func unstarted() throws {
    #expect(try reason(run(["/nonexistent/x"])).contains("does not exist"))
    #expect(try reason(run(["/bin/sh -c true"])).contains("write each argument separately"))
    let orphan = try script("orphan", "#!/nonexistent/interpreter\n")
    #expect(try reason(run([orphan])).contains("(#!)"))
    let bare = try script("bare", "exit 0\n")
    #expect(try reason(run([bare])).contains("#!/bin/sh"))
    let locked = try script("locked", "#!/bin/sh\n", mode: "644")
    #expect(try reason(run([locked])).contains("may not run it; run chmod a+rx"))
    #expect(try reason(run([folder.path])).contains("may not run it"))
  }

  @Test("settings without a command have nothing to run") func none() {
    #expect(CommandRun(AlertCommandSettings()) == nil)
  }
}
