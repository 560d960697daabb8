import Foundation
import TestSupport

/// The program itself, as users run it.
enum Program {
  struct Outcome {
    let output: String
    let messages: String
    let exitCode: Int32
  }

  /// Its own version.
  static func version() throws -> String {
    try run("--version").output.trimmingCharacters(in: .newlines)
  }

  /// Runs the program under test and waits for its end.
  static func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  /// - Parameter environment: added to the tests' own.
  static func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Outcome {
    try run(BuiltProgram.path("godwit"), arguments, environment)
  }

  /// Runs it with this umask(2).
  static func run(_ arguments: [String], umask: String) throws -> Outcome {
    let program = BuiltProgram.path("godwit")
    let line = "umask \(umask) && exec \"$0\" \"$@\""
    return try run("/bin/sh", ["-c", line, program] + arguments)
  }

  /// Runs the program with shell text after its name, in which `$0` is `argument`.
  static func shell(
    _ line: String, _ argument: String, umask: String = "022"
  ) throws -> Outcome {
    try run(
      "/bin/sh", ["-c", "umask \(umask); '\(BuiltProgram.path("godwit"))' \(line)", argument])
  }

  private static func run(
    _ program: String, _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // Uses files, because two full pipes would make both sides wait for each other.
    let scratch = try ScratchFolder()
    process.standardOutput = try scratch.handle("output")
    process.standardError = try scratch.handle("messages")
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return Outcome(
      output: try scratch.text("output"), messages: try scratch.text("messages"),
      exitCode: process.terminationStatus)
  }
}

extension ScratchFolder {
  /// A new file to write to.
  fileprivate func handle(_ name: String) throws -> FileHandle {
    let file = URL(fileURLWithPath: file(name))
    try Data().write(to: file)
    return try FileHandle(forWritingTo: file)
  }
}
