import Foundation
import Core
import ReceiverStandIns
import Runtime

/// `godwit run` inside the kernel, with its files at the places of a real board.
final class GuestDaemon {
  static let store = "/run/store.gpkg"
  static let socket = "/run/godwit.sock"
  static let log = Bench.results + "/daemon.log"
  private static let settings = "/run/godwit.toml"

  private let command: String
  private var process: ChildProcess
  var id: pid_t { process.id }

  /// The board file of the bench.
  static let board = """
    [receiver]
    kind = "serial"
    device = "/dev/gnss-receiver"
    baud = 9600

    [power_switch]
    kind = "gpio"
    supply = "GNSS_EN"
    on_start = "off"
    on_exit = "off"
    sleep_command = "none"

    [power_monitor]
    kind = "hwmon"
    chip = "ina226"
    bus = 0
    address = 0x40
    shunt_mOhm = 100

    """

  /// - Parameter settings: assignments such as "policy.name=continuous" that override the board's.
  init(_ settings: [String] = [], board: String = GuestDaemon.board) throws {
    let file = "/run/board.toml"
    try board.write(toFile: file, atomically: false, encoding: .utf8)
    try "".write(toFile: Self.settings, atomically: false, encoding: .utf8)
    let assignments = (["control.group=root"] + settings).map { "--set '\($0)'" }
    command =
      "exec \(Bench.godwit) run --config \(Self.settings) --board \(file)"
      + " --socket \(Self.socket) --store \(Self.store) \(assignments.joined(separator: " "))"
      + " >>\(Self.log) 2>&1"
    // Into a file: a pipe would fill up in a day and block the daemon.
    process = try ChildProcess("/bin/sh", ["-c", command]).required("the daemon does not start")
  }

  /// Starts it again with the same settings after its end.
  func start() throws {
    process = try ChildProcess("/bin/sh", ["-c", command]).required("the daemon does not start")
  }

  func status() throws -> JSONValue {
    try ControlClient.query(
      .object([(name: "command", value: .string("status"))]), path: Self.socket)
  }

  /// Nil while it does not answer.
  func answer(_ path: String) -> JSONValue? {
    guard let status = try? status() else { return nil }
    return path.split(separator: ".").reduce(status as JSONValue?) { $0?[String($1)] }
  }

  var isAlive: Bool { process.exitCode(within: 0) == nil }

  func kill() throws {
    process.signal(SIGKILL)
    _ = try process.exitCode(within: 5).required("the daemon survives SIGKILL")
  }

  /// Ends it in an orderly way.
  func stop() throws {
    process.signal(SIGTERM)
    let code = try process.exitCode(within: 30).required("the daemon does not stop")
    try require(code == 0, "the daemon ends with exit code \(code)")
  }

  /// Number of wake-ups of its wait (voluntary context switches) during the body.
  func wakes(while body: () throws -> Void) throws -> Double {
    let before = try figure("voluntary_ctxt_switches")
    try body()
    return try figure("voluntary_ctxt_switches") - before
  }

  /// Kilobytes of heap and stack. Pages of the program's file are loaded and dropped by the kernel,
  /// up to 64 kB at a time, so they do not count.
  func ownMemory() throws -> Double { try figure("RssAnon") }

  /// A number of /proc/PID/status.
  private func figure(_ name: String) throws -> Double {
    let status = try Kernel.read("/proc/\(id)/status")
    let line = try status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
      .required("/proc/\(id)/status has no \(name)")
    return Double(line.dropFirst(name.count + 1).filter(\.isNumber)) ?? .nan
  }

  /// Copies the store into the results.
  static func keepStore() throws {
    for end in ["", "-wal"] {
      try? FileManager.default.removeItem(atPath: Bench.results + "/store.gpkg" + end)
      if access(store + end, F_OK) == 0 {
        try FileManager.default.copyItem(
          atPath: store + end, toPath: Bench.results + "/store.gpkg" + end)
      }
    }
  }
}
