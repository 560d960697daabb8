import Foundation
import ReceiverStandIns
import TestSupport

/// The daemon is killed at random moments, and restarted as by systemd. The line must end up in the
/// state declared by the settings, also on a board whose enable pin floats high without an owner,
/// and interrupted sessions must be marked as such.
struct KillScenario: Scenario {
  let name: String
  /// How long records may wait for their transaction: with 0 nothing is lost; otherwise a session
  /// interrupted before it was written leaves nothing.
  let commitInterval: Int
  static let rounds = 16
  static let seed: UInt64 = 20_260_504

  /// One kill and its result, on the board's clock.
  struct Round: Codable {
    var killed: Double
    var wasHigh: Bool
    var restarted: Double
    var answered: Double
  }

  func live(on bench: Bench) throws -> [Figure] {
    var random = SplitMix(seed: Self.seed)
    try bench.assemble(receiver: ["--cold-start", "10"])
    // The first rounds use a line that falls without an owner, the others one that rises.
    var rounds: [Round] = []
    let settings = [
      "policy.name=periodic", "policy.periodic.interval_s=60",
      "store.commit_interval_s=\(commitInterval)",
    ]
    let daemon = try GuestDaemon(settings)
    for number in 0..<Self.rounds {
      if number == Self.rounds / 2 { try bench.chip.pull(Bench.supply, up: true) }
      // Every other kill occurs while the receiver is on, between power-on and its first fixes.
      if number.isMultiple(of: 2) {
        usleep(useconds_t.random(in: 0...60_000_000, using: &random))
        try bench.wait("the line to rise", for: 120) { try bench.chip.value(of: Bench.supply) }
        usleep(useconds_t.random(in: 0...9_000_000, using: &random))
      } else {
        usleep(useconds_t.random(in: 0...90_000_000, using: &random))
      }
      let wasHigh = try bench.chip.value(of: Bench.supply)
      try daemon.kill()
      let killed = Kernel.uptime
      usleep(useconds_t.random(in: 100_000...10_000_000, using: &random))
      if number >= Self.rounds / 2 {
        try require(try bench.chip.value(of: Bench.supply), "the pull does not lift the line")
      }
      let restarted = Kernel.uptime
      try daemon.start()
      try bench.wait("the daemon's answer", for: 10) { daemon.answer("state") != nil }
      rounds.append(
        Round(
          killed: killed, wasHigh: wasHigh, restarted: restarted, answered: Kernel.uptime))
    }
    sleep(120)
    try daemon.stop()
    try bench.keepEvidence()
    try GuestDaemon.keepStore()
    try JSONEncoder().encode(rounds).write(
      to: URL(fileURLWithPath: Bench.results + "/rounds.json"))
    return [.fact("boot date", Kernel.bootDate)]
  }

  func judge(_ results: Results) throws -> [Figure] {
    let data = try Data(contentsOf: URL(fileURLWithPath: results.file("rounds.json")))
    let rounds = try JSONDecoder().decode([Round].self, from: data)
    let lines = try results.lines()
    let books = try StoredBooks(
      results.file("store.gpkg"), bootDate: try results.value("boot date"))
    var slowest = 0.0
    for round in rounds {
      let first = try lines.settings(of: Bench.supply).first { $0.time >= round.restarted }
        .required("the line was not set after the restart at \(round.restarted)")
      try require(!first.value, "after the kill at \(round.killed) the line was set high first")
      slowest = max(slowest, first.time - round.restarted)
    }
    let cutOff = rounds.filter(\.wasHigh)
    let told = try cutOff.count { try isTold($0, books, lines.high(Bench.supply)) }
    let interrupted = books.sessions.count { $0.outcome == .interrupted }
    let lost = cutOff.count - told
    return [
      Figure("kills", Double(rounds.count), atLeast: Double(Self.rounds)),
      Figure("of them with the receiver on", Double(cutOff.count), atLeast: 3),
      Figure(
        "sessions closed as interrupted", Double(interrupted), atMost: Double(told),
        atLeast: Double(told)),
      Figure(
        "sessions lost with their transaction", Double(lost),
        atMost: commitInterval == 0 ? 0 : Double(cutOff.count)),
      Figure(
        "sessions left open", Double(books.sessions.count { $0.outcome == .open }), atMost: 0),
      Figure("line in its safe state after the restart, at worst", slowest, "s", atMost: 1),
    ]
  }

  /// Whether the interrupted session is in the store; throws if the session has wrong values.
  private func isTold(
    _ round: Round, _ books: StoredBooks, _ high: [ClosedRange<Double>]
  ) throws -> Bool {
    let range = try high.last { $0.lowerBound <= round.killed }
      .required("the line was not high at \(round.killed)")
    guard
      let session = books.sessions.first(where: { abs(($0.on ?? -9) - range.lowerBound) < 1 })
    else { return false }
    try require(
      session.outcome == .interrupted,
      "session \(session.id) was cut off at \(round.killed) and says \(session.outcome)")
    if let off = session.off {
      try require(
        off <= round.killed + 0.5,
        "session \(session.id) ends at \(off), after the kill at \(round.killed)")
    }
    return true
  }
}
