import Foundation
import GNSS

/// The motion sensor's line in an edge storm, from a ringing spring or a loose contact. Under time
/// travel the storm has exactly 10 kHz, and wake-ups and interrupts are counted. In real time it is
/// as fast as the kernel simulates it, and CPU time is measured.
struct StormScenario: Scenario {
  let name: String
  let travelsInTime: Bool
  let limit = 600
  /// Between two edges at 10 kHz, microseconds: the kernel adds 50 of its own (PR_SET_TIMERSLACK,
  /// prctl(2)).
  private static let pause: UInt32 = 50

  func live(on bench: Bench) throws -> [Figure] {
    try bench.assemble(receiver: ["--cold-start", "5"])
    let daemon = try GuestDaemon(
      ["policy.name=periodic", "policy.periodic.interval_s=3600", "motion.line=ACCEL_INT1"])
    try bench.wait("the pause after the fix", for: 120) {
      (try? Kernel.read(GuestDaemon.log))?.contains("fix obtained") == true
    }
    // Every other report causes a fix attempt; here only the line counts.
    let quiet = try travelsInTime ? daemon.wakes { sleep(60) } : 0
    let first = try daemon.ownMemory()
    let storm = try Storm(on: bench.chip, Bench.motion)
    let before = try storm.interrupts()
    let used = try daemon.cpuTime()
    let seconds = travelsInTime ? 60.0 : 20.0
    let began = Kernel.uptime
    let wakes = try daemon.wakes {
      while Kernel.uptime - began < seconds {
        try storm.edge()
        if travelsInTime { usleep(Self.pause) }
      }
    }
    let lasted = Kernel.uptime - began
    let interrupts = try storm.interrupts() - before
    let cpu = try daemon.cpuTime() - used
    let grown = try daemon.ownMemory() - first
    try require(daemon.isAlive && daemon.answer("gnss") != nil, "it no longer answers")
    try daemon.stop()
    try bench.keepEvidence()
    let minutes = lasted / 60
    let edges = Double(storm.edges) / lasted
    return [
      travelsInTime
        ? Figure("edges in a second", edges, atMost: 10_500, atLeast: 8_000)
        : Figure("edges in a second", edges, atLeast: 1_000),
      Figure("the daemon's wakes in a minute before", quiet, atMost: 20),
      Figure("its wakes in a minute of it", wakes / minutes, atMost: 60, isHeadline: true),
      Figure("interrupts in a minute of it", interrupts / minutes),
      Figure("the daemon's CPU time in it", cpu / lasted * 100, "%", atMost: 1),
      Figure("its own memory's growth in it", grown, "kB", atMost: 128),
    ]
  }
}

/// Edges on a simulated line, with its file kept open.
final class Storm {
  private let file: Int32
  private var isUp = false
  private(set) var edges = 0
  /// The kernel's number of the line's interrupt.
  private var number: Int?

  init(on chip: SimulatedChip, _ line: Int) throws {
    let path = try chip.folder(of: line) + "/pull"
    file = open(path, O_WRONLY | O_CLOEXEC)
    try require(file >= 0, "\(path) cannot be opened")
  }

  deinit { close(file) }

  func edge() throws {
    isUp.toggle()
    let level = isUp ? "pull-up" : "pull-down"
    try require(pwrite(file, level, level.utf8.count, 0) > 0, "the line cannot be pulled")
    edges += 1
  }

  /// Interrupts of the line so far, for all its users. While it has none, /proc/interrupts does not
  /// show it, but /proc/stat keeps counting.
  func interrupts() throws -> Double {
    let rows = try Kernel.read("/proc/interrupts").split(separator: "\n")
    if let row = rows.first(where: { $0.contains("sim") && $0.contains("godwit") }) {
      number = Int(row.prefix { $0 != ":" }.filter(\.isNumber))
    }
    let number = try number.required("no interrupt of godwit's in /proc/interrupts")
    let counts = try Kernel.read("/proc/stat").split(separator: "\n")
      .first { $0.hasPrefix("intr ") }.required("no interrupts in /proc/stat").split(separator: " ")
    try require(counts.count > number + 2, "/proc/stat knows no interrupt \(number)")
    return Double(counts[number + 2]) ?? .nan
  }
}

extension GuestDaemon {
  /// CPU seconds used (proc_pid_stat(5): `utime` and `stime`, in hundredths).
  func cpuTime() throws -> Double {
    let stat = try Kernel.read("/proc/\(id)/stat")
    let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
    try require(fields.count > 12, "/proc/\(id)/stat says \(stat)")
    return ((Double(fields[11]) ?? .nan) + (Double(fields[12]) ?? .nan)) / 100
  }
}
