import Foundation
import TestSupport
import Testing

@testable import godwit

private let compilerIsThere = (try? run("cc", "--version"))?.status == 0

@Suite struct ProgramArgumentsTests {
  @Test("the kernel's list is split at its NULs")
  func words() {
    #expect(ProgramArguments.words(Array("godwit\0a b\0\0c\0".utf8)) == ["a b", "", "c"])
    #expect(ProgramArguments.words(Array("godwit\0".utf8)) == [])
    #expect(ProgramArguments.words([]) == [])
  }

  @Test("a name that is not UTF-8 is refused, not taken for another")
  func foreignName() throws {
    let outcome = try Program.shell(#"visits --store "$(printf 'a\377')""#, "")
    #expect(outcome.exitCode == 2)
    #expect(outcome.messages.contains("is not UTF-8"), "\(outcome.messages)")
  }

  /// Some libraries set variables before Swift's runtime looks for the arguments; libfaketime does.
  @Test(
    "a preloaded library that sets a variable hides no argument",
    .enabled(
      if: compilerIsThere, "SKIPPED: no C compiler (cc), so no library was preloaded"))
  func preloaded() throws {
    let folder = try ScratchFolder()
    try folder.write(
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <stdlib.h>
      void *malloc(size_t size) {
        static void *(*next)(size_t);
        if (!next) {
          next = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
          setenv("GODWIT_PRELOADED", "1", 1);
        }
        return next(size);
      }
      """, to: "early.c")
    let library = folder.file("early.so")
    let made = try run("cc", "-shared", "-fPIC", "-o", library, folder.file("early.c"), "-ldl")
    try #require(made.status == 0, "\(made.output)")
    let outcome = try Program.run(
      ["config", "show", "--set", "policy.name=periodic"],
      environment: ["LD_PRELOAD": library])
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains("periodic"), "\(outcome.output) \(outcome.messages)")
  }
}

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

  @Test("verbs of earlier versions still work")
  func formerVerbs() {
    #expect(
      ProgramArguments.current(["letters", "box", "home", "--for", "me"]) == [
        "letterboxes", "add", "home", "--for", "me",
      ])
    #expect(ProgramArguments.current(["groups", "end"]) == ["groups", "remove"])
    #expect(ProgramArguments.current(["places", "end"]) == ["places", "end"])
    #expect(ProgramArguments.current([]) == [])
    for (_, words) in ProgramArguments.former {
      do {
        _ = try Godwit.parseAsRoot(words + ["--help"])
      } catch {
        #expect(Godwit.exitCode(for: error) == .success, "\(words)")
      }
    }
  }
}
