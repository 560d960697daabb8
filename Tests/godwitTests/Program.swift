import Foundation

/// The program itself, as users run it.
enum Program {
  struct Outcome {
    let output: String
    let messages: String
    let exitCode: Int32
  }

  /// Runs the program that was built with these tests and waits for its end.
  static func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  static func run(_ arguments: [String]) throws -> Outcome {
    try run(folder.appendingPathComponent("godwit"), arguments)
  }

  /// Runs the program with a line of shell after its name, `$0` of which is `argument`.
  static func shell(_ line: String, _ argument: String) throws -> Outcome {
    let program = folder.appendingPathComponent("godwit").path
    return try run(URL(fileURLWithPath: "/bin/sh"), ["-c", "'\(program)' \(line)", argument])
  }

  private static func run(_ program: URL, _ arguments: [String]) throws -> Outcome {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    // Files, because two pipes that fill up would make both sides wait for each other.
    let scratch = try Scratch()
    process.standardOutput = try scratch.handle("output")
    process.standardError = try scratch.handle("messages")
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return Outcome(
      output: try scratch.text("output"), messages: try scratch.text("messages"),
      exitCode: process.terminationStatus)
  }

  /// Where the build puts programs: beside the bundle of the tests.
  private static let folder: URL = {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    return bundle.map { URL(fileURLWithPath: $0).deletingLastPathComponent() } ?? tests
  }()
}

/// A folder that goes away with its last user.
final class Scratch {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("godwit-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func handle(_ name: String) throws -> FileHandle {
    try Data().write(to: folder.appendingPathComponent(name))
    return try FileHandle(forWritingTo: folder.appendingPathComponent(name))
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }
}
