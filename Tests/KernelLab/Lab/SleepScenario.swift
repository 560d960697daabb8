import Foundation

/// The receiver is put to sleep by command between searches, because a cut would erase its data. It
/// must fall silent, wake again, and keep its supply. A receiver that ignores the command must be
/// detected and cut.
struct SleepScenario: Scenario {
  let name: String
  /// The simulated receiver accepts only MediaTek's command.
  let family: String
  let accepts: Bool
  static let sessions = 12
  static let interval = 600.0

  func live(on bench: Bench) throws -> [Figure] {
    try bench.assemble(receiver: ["--cold-start", "30"])
    let daemon = try GuestDaemon([
      "policy.name=periodic", "policy.periodic.interval_s=\(Int(Self.interval))",
      "receiver.family=\(family)", "power_switch.sleep_command=auto",
      "power_switch.backup_supply=false",
    ])
    sleep(UInt32(Self.interval * Double(Self.sessions)) - 60)
    try require(daemon.isAlive, "the daemon has ended")
    let stage = daemon.answer("power_switch.stage")
    let reason = daemon.answer("idle.reason")
    try require(
      stage == .string(accepts ? "asleep" : "off"),
      "between searches the receiver is \(String(describing: stage)): \(String(describing: reason))"
    )
    try daemon.stop()
    let ended = Kernel.uptime
    try bench.keepEvidence()
    try GuestDaemon.keepStore()
    return [.fact("ended", ended), .fact("boot date", Kernel.bootDate)]
  }

  func judge(_ results: Results) throws -> [Figure] {
    let ended = try results.value("ended")
    let receiver = try results.receiver()
    let cuts = try results.lines().high(Bench.supply).count
    let books = try StoredBooks(
      results.file("store.gpkg"), bootDate: try results.value("boot date"))
    let slept = try receiver.stretches(from: 0, until: ended).filter { $0.state == "sleeping" }
    let withFix = books.sessions.count { $0.outcome == .fixObtained }
    let figures =
      [Figure("sessions with a fix", Double(withFix), atLeast: Double(Self.sessions - 2))]
      + DayScenario.silence(receiver)
    guard accepts else {
      let refusals = try results.text("daemon.log").components(separatedBy: "sleep-refused").count
      return figures + [
        Figure("times it slept", Double(slept.count), atMost: 0),
        Figure("refusals noticed", Double(refusals - 1), atLeast: 1),
        Figure(
          "times its supply was cut instead", Double(cuts), atLeast: Double(Self.sessions - 2)),
      ]
    }
    let told = books.segments.filter { $0.state == .sleeping }.map(\.duration).reduce(0, +)
    let truth = slept.map(\.duration).reduce(0, +)
    return figures + [
      Figure("times it slept", Double(slept.count), atLeast: Double(Self.sessions - 2)),
      Figure("times its supply was cut", Double(cuts), atMost: 1),
      Figure("asleep in all", truth, "s", atLeast: Self.interval * Double(Self.sessions) * 0.8),
      Figure("asleep by the segments, error", (told - truth) / truth * 100, "%", within: 1),
    ]
  }
}
