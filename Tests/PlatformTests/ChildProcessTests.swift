import Foundation
import Platform
import Testing

@Suite struct ChildProcessTests {
  private func output(
    of program: String, _ words: [String], environment: [String]? = nil
  ) throws -> (String, ChildProcess.End?) {
    let pipe = try #require(PipeEnds())
    let child = try ChildProcess(
      program, words, environment: environment, descriptors: [STDOUT_FILENO: pipe.writing])
    let end = child.waitForEnd()
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(pipe.releaseReadEnd(), &bytes, bytes.count)
    return (String(decoding: bytes.prefix(max(0, count)), as: UTF8.self), end)
  }

  @Test("a program gets its arguments as they are, and its output arrives")
  func arguments() throws {
    let (text, end) = try output(of: "printf", ["%s|", "a b", "'c'", "$d"])
    #expect(text == "a b|'c'|$d|" && end == .exit(0))
  }

  @Test("a program gets the variables that it is given and no others, else those of this one")
  func environment() throws {
    let given = ["A=1", "B=x=y z"]
    #expect(try output(of: "/usr/bin/env", [], environment: given).0 == "A=1\nB=x=y z\n")
    #expect(try output(of: "/usr/bin/env", [], environment: []).0 == "")
    #expect(try output(of: "/usr/bin/env", []).0.contains("PATH="))
  }

  @Test("the exit code of a program is reported, and the signal that killed it") func ends() throws
  {
    #expect(try output(of: "/bin/sh", ["-c", "exit 3"]).1 == .exit(3))
    #expect(try output(of: "/bin/sh", ["-c", "kill -9 $$"]).1 == .killed(9))
  }

  @Test("a missing program is reported at once") func missing() {
    #expect(throws: SystemError(code: ENOENT)) {
      try ChildProcess("no-such-program-of-godwit", [], descriptors: [:])
    }
  }

  @Test("a running program has not ended until it is stopped") func running() throws {
    let child = try ChildProcess("sleep", ["60"], descriptors: [:])
    #expect(child.end() == nil)
    child.send(SIGTERM)
    #expect(child.waitForEnd() == .killed(SIGTERM))
    #expect(child.end() == nil)
  }
}
