import Foundation
import Core
import ReceiverStandIns
import Runtime
import TestSupport
import Testing

/// `godwit run` as a separate process, with all its files in one scratch folder.
final class LiveDaemon {
  let folder: ScratchFolder
  let notices: NoticeSocket
  let store: String
  private(set) var process: ChildProcess
  private let command: [String]
  private let environment: [String]

  /// Starts the daemon and returns when it has notified that it is ready.
  ///
  /// - Parameters:
  ///   - settings: assignments such as "policy.name=continuous", override the settings file.
  ///   - text: the settings file.
  /// - room: how many unread bytes the pipe at its standard error holds; nil: the kernel's default.
  /// - starter: a program and its first arguments, which replaces itself by the daemon.
  init(
    in folder: ScratchFolder, settings: [String] = [], text: String = "",
    store: String? = nil, environment: [String] = [], room: Int32? = nil, starter: [String] = []
  ) throws {
    self.folder = folder
    self.store = store ?? folder.file("store.gpkg")
    let file = folder.file("godwit.toml")
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    try "".write(toFile: folder.file("board.toml"), atomically: true, encoding: .utf8)
    notices = NoticeSocket(path: folder.file("notices"))
    let all = ["control.group=\(Self.ownGroup)"] + settings
    command =
      starter + [
        BuiltProgram.path("godwit"), "run", "--config", file, "--board", folder.file("board.toml"),
        "--socket", folder.file("control"), "--store", self.store,
      ] + all.flatMap { ["--set", $0] }
    self.environment = ["PATH=/usr/bin:/bin", "NOTIFY_SOCKET=\(notices.path)"] + environment
    process = try #require(
      ChildProcess(
        command[0], Array(command.dropFirst()), environment: self.environment, room: room))
    try #require(notices.says("READY=1"), "not ready: \(process.text)")
  }

  /// Starts it again with the same arguments after its end.
  func restart() throws {
    process = try #require(
      ChildProcess(command[0], Array(command.dropFirst()), environment: environment))
    try #require(notices.says("READY=1"), "not ready: \(process.text)")
  }

  /// Starts another daemon without waiting for it.
  static func another(_ folder: ScratchFolder, _ arguments: [String]) throws -> ChildProcess {
    let files = [
      "--config", folder.file("godwit.toml"), "--board", folder.file("board.toml"),
      "--store", folder.file("other.gpkg"),
    ]
    return try #require(ChildProcess(BuiltProgram.path("godwit"), ["run"] + files + arguments))
  }

  static let ownGroup = String(cString: getgrgid(getgid()).pointee.gr_name)

  var socket: String { folder.file("control") }

  func ask(_ command: String, _ more: (String, String)...) throws -> JSONValue {
    let members = [("command", command)] + more
    return try ControlClient.query(
      .object(members.map { (name: $0.0, value: JSONValue.string($0.1)) }), path: socket)
  }

  func status() throws -> JSONValue { try ask("status") }

  func endsOrderly() throws {
    process.signal(SIGTERM)
    #expect(process.exitCode() == 0)
  }

  /// Ends in time with records that the store did not accept, and reports them.
  func endsWithALoss() {
    process.signal(SIGTERM)
    #expect(process.exitCode() == 1)
    #expect(process.says("records could not be stored and are lost: "))
  }

  /// Allows `count` more open files and connections.
  func limitDescriptors(toFurther count: Int) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.id)/fd")
    let taken = Set(names.compactMap { Int($0) })
    // A new descriptor gets the lowest free number.
    let free = (0..<1024).lazy.filter { !taken.contains($0) }
    try limitDescriptors(to: try #require(free.dropFirst(count).first))
  }

  /// - Parameter number: upper limit (exclusive) for all new descriptors.
  func limitDescriptors(to number: Int) throws {
    let result = try run("prlimit", "--pid", "\(process.id)", "--nofile=\(number):4096")
    try #require(result.status == 0, "\(result.output)")
  }

  /// A field of `/proc/PID/status` in kB, such as VmRSS.
  func memory(_ field: String) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(field + ":") })
    let words = line.split { $0 == " " || $0 == "\t" }
    return try #require(words.dropFirst().first.flatMap { Int($0) })
  }

  /// One value from the store, read by the sqlite3 program.
  func query(_ sql: String) throws -> String {
    let result = try run("sqlite3", "-readonly", store, sql)
    try #require(result.status == 0, "\(result.output)")
    return result.output.trimmingCharacters(in: .newlines)
  }
}

extension JSONValue {
  /// Follows "receiver.counters.bytes".
  func at(_ path: String) -> JSONValue? {
    path.split(separator: ".").reduce(self as JSONValue?) { $0?[String($1)] }
  }
}
