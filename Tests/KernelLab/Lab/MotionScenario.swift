import Foundation
import Hardware
import Ports
import GNSS
import ReceiverStandIns

/// The motion sensor's line on a real kernel: one knock, movement, and a chattering switch.
struct MotionScenario: Scenario {
  let name = "motion"
  let limit = 400

  func live(on bench: Bench) throws -> [Figure] {
    try bench.assemble(receiver: ["--cold-start", "5"])
    let line = try MotionBench(bench)
    let knock = try line.reports(for: 60) { if $0 == 100 { try line.shake(times: 20) } }
    let moving = try line.reports(for: 60) { if $0 % 200 == 0 { try line.shake(times: 1) } }
    let chatter = try line.reports(for: 60) { _ in try line.shake(times: 10) }
    let rest = try line.reports(for: 600) { _ in }
    line.release()
    return [
      Figure("reports of one bouncing knock", Double(knock), atMost: 1, atLeast: 1),
      Figure("reports of a minute's movement", Double(moving), atMost: 6, atLeast: 5),
      Figure("reports of a minute's chatter at 1 kHz", Double(chatter), atMost: 6, atLeast: 5),
      Figure("reports of ten minutes' rest", Double(rest), atMost: 1),
    ] + (try daemon(bench, line))
  }

  /// The daemon's cost of the chatter: its wake-ups and its memory.
  private func daemon(_ bench: Bench, _ line: MotionBench) throws -> [Figure] {
    let daemon = try GuestDaemon(
      ["policy.name=periodic", "policy.periodic.interval_s=3600", "motion.line=ACCEL_INT1"])
    try bench.wait("the pause after the fix", for: 120) {
      try Kernel.read(GuestDaemon.log).contains("fix obtained")
    }
    try line.expectHolder("godwit")
    let quiet = try daemon.wakes { sleep(60) }
    let first = try daemon.ownMemory()
    let shaken = try daemon.wakes {
      for _ in 0..<6000 {
        try line.shake(times: 10)
        usleep(5000)
      }
    }
    for _ in 0..<3000 { try line.shake(times: 10) }
    try require(daemon.isAlive && daemon.answer("gnss") != nil, "it no longer answers")
    let grown = try daemon.ownMemory() - first
    try daemon.stop()
    try bench.keepEvidence()
    return [
      Figure("the daemon's wakes in a quiet minute", quiet, atMost: 20),
      Figure("its wakes in a minute's chatter", shaken, atMost: 60, isHeadline: true),
      Figure("its own memory's growth in chatter", grown, "kB", atMost: 128),
    ]
  }
}

/// The line is in use, and its chip disappears and comes back many times.
struct MotionLossScenario: Scenario {
  let name = "motion-loss"
  let limit = 400

  func live(on bench: Bench) throws -> [Figure] {
    try bench.chip.appear()
    try bench.startReceiver(["--cold-start", "5"])
    let device = try bench.chip.device()
    let holder = try ChildProcess("/usr/bin/gpiomon", [device, "\(Bench.motion)"])
      .required("gpiomon does not start")
    try bench.wait("gpiomon to hold the line", for: 5) {
      try tool("gpioinfo").contains("\"gpiomon\"")
    }
    let daemon = try GuestDaemon(
      ["policy.name=continuous", "power_switch.kind=none", "motion.line=ACCEL_INT1"])
    try bench.wait("the busy line in the log", for: 30) {
      try daemon.said(["motion.line = \"ACCEL_INT1\"", "in use by gpiomon"]) == 1
    }
    holder.signal(SIGTERM)
    _ = holder.exitCode()
    let line = try MotionBench(bench)
    let freed = try line.held(by: "godwit", within: 600)
    try bench.chip.vanish()
    try bench.wait("the lost chip in the log", for: 30) {
      try daemon.said(["motion.line = \"ACCEL_INT1\"", "has disappeared"]) == 1
    }
    sleep(600)
    try bench.chip.appear()
    let back = try line.held(by: "godwit", within: 600)
    let before = try daemon.descriptors()
    for _ in 0..<20 {
      try bench.chip.vanish()
      sleep(1)
      try bench.chip.appear()
      _ = try line.held(by: "godwit", within: 600)
    }
    let after = try daemon.descriptors()
    let told = try daemon.said(["scan-failed"])
    try daemon.stop()
    try bench.keepEvidence()
    return [
      Figure("had the freed line after", freed, "s", atMost: 300),
      Figure("had the chip that came back after", back, "s", atMost: 300),
      Figure("descriptors lost in twenty losses", Double(after - before), within: 0),
      Figure("lines in the log about them", Double(told), atMost: 60),
    ]
  }
}

/// The hardware's side of the motion line, and an adapter on it like the daemon's.
private final class MotionBench {
  private let chip: SimulatedChip
  private var line: MotionSensor?
  private var isUp = false

  init(_ bench: Bench) throws { chip = bench.chip }

  func release() { line = nil }

  /// Both edges, half a millisecond each.
  func shake(times: Int) throws {
    for _ in 0..<times {
      isUp.toggle()
      try chip.pull(Bench.motion, up: isUp)
      usleep(500)
    }
  }

  /// - Parameter act: called every 10 ms with the number of the tick.
  /// - Returns: how often movement was reported.
  func reports(for seconds: Int, act: (Int) throws -> Void) throws -> Int {
    var settings = MotionSettings()
    settings.line = try GpioLine(parsing: "ACCEL_INT1")
    let line = try self.line ?? MotionSensor(settings).required("no line in the settings")
    self.line = line
    var reports = 0
    let began = Kernel.uptime
    var tick = 0
    while Kernel.uptime - began < Double(seconds) {
      try act(tick)
      tick += 1
      // A ready descriptor of no interest would make the clock stand still.
      let watched = line.interest.flatMap { $0.reads ? $0.descriptor : nil }
      var ready = pollfd(fd: watched ?? -1, events: Int16(POLLIN), revents: 0)
      let isReady = poll(&ready, 1, 10) > 0
      let isDue = line.due.map { Double($0.nanoseconds) * 1e-9 <= Kernel.uptime } ?? false
      guard isReady || isDue else { continue }
      while try line.poll() != nil { reports += 1 }
    }
    return reports
  }

  func expectHolder(_ name: String) throws {
    _ = try held(by: name, within: 5)
  }

  /// Waits until that program holds the line; returns the time it took.
  func held(by name: String, within seconds: Double) throws -> Double {
    let began = Kernel.uptime
    while true {
      let line = try tool("gpioinfo").split(separator: "\n").first { $0.contains("ACCEL_INT1") }
      if line?.contains("\"\(name)\"") == true { return Kernel.uptime - began }
      try require(
        Kernel.uptime - began < seconds, "\(name) does not hold the line: \(line ?? "no line")")
      sleep(2)
    }
  }
}

extension GuestDaemon {
  fileprivate func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").count
  }

  /// Number of lines of its log that contain all these words.
  fileprivate func said(_ words: [String]) throws -> Int {
    try Kernel.read(Self.log).split(separator: "\n").count { line in
      words.allSatisfy { line.contains($0) }
    }
  }
}
