import Foundation

/// A city resident's day with the daemon on the bench. Three sources for the receiver's supply
/// times (the kernel's trace of the line, the receiver itself, the sessions in the store) and two
/// for its consumption (the simulated registers, the segments in the store) have to agree.
struct DayScenario: Scenario {
  let name: String
  let policy: String
  /// Whether the board has a motion sensor that detects its movements.
  var feelsMotion = false
  /// Number of journeys after which its sensor counts as reliable.
  var provingJourneys = 1
  let limit = 400
  static let day = 86_400.0

  func live(on bench: Bench) throws -> [Figure] {
    // The currents differ from the settings, so stored values must have been measured.
    try bench.assemble(
      receiver: [
        "--truth", "day", "--look", "60", "--acquiring-mA", "41.3", "--tracking-mA", "36.8",
      ] + (feelsMotion ? ["--motion", "/run/motion-line"] : []))
    let began = Kernel.uptime
    let daemon = try GuestDaemon(
      [
        "policy.name=\(policy)", "power_switch.uart=GNSS_UART", "power_switch.backup=GNSS_BACKUP",
      ] + (feelsMotion ? ["motion.line=ACCEL_INT1"] : []))
    try bench.wait("the daemon's answer", for: 10) { daemon.answer("state") != nil }
    try WakeRecord.keep(of: daemon, for: Self.day)
    try require(daemon.isAlive, "the daemon has ended within its day")
    try daemon.stop()
    let ended = Kernel.uptime
    try bench.wait("the line to fall", for: 2) { try !bench.chip.value(of: Bench.supply) }
    try bench.keepEvidence()
    try GuestDaemon.keepStore()
    return [
      .fact("began", began), Figure("lived", ended - began, "s", atLeast: Self.day),
      .fact("boot date", Kernel.bootDate),
    ]
  }

  func judge(_ results: Results) throws -> [Figure] {
    let began = try results.value("began")
    let ended = began + (try results.value("lived"))
    let receiver = try results.receiver()
    let lines = try results.lines()
    let line = lines.high(Bench.supply)
    let books = try StoredBooks(
      results.file("store.gpkg"), bootDate: try results.value("boot date"))
    return try Self.onTime(line, receiver.supplied(until: ended), books)
      + Self.silence(receiver) + order(lines, line)
      + energy(books, receiver, line, from: began, to: ended)
      + (feelsMotion ? try rest(receiver, line, results, until: ended) : [])
  }

  /// The benefit of the motion sensor: how the board's rest was spent.
  private func rest(
    _ receiver: ReceiverRecord, _ line: [ClosedRange<Double>], _ results: Results,
    until ended: Double
  ) throws -> [Figure] {
    let day = MotionDay(receiver, until: ended)
    let wakes = try WakeRecord(results.text(WakeRecord.file))
    return day.figures(line, proving: provingJourneys)
      + wakes.figures(in: day.stays, edges: receiver.entries("motion").map(\.time), line: line)
  }

  /// How far the sources for the supply times differ.
  static func onTime(
    _ line: [ClosedRange<Double>], _ supplied: [ClosedRange<Double>], _ books: StoredBooks
  ) throws -> [Figure] {
    let sessions = try books.sessions.map { session -> ClosedRange<Double> in
      let on = try session.on.required("session \(session.id) has no beginning")
      let off = try session.off.required("session \(session.id) has no end")
      return on...max(on, off)
    }
    try require(
      line.count == sessions.count && line.count == supplied.count,
      "the line was high \(line.count) times, the receiver was supplied \(supplied.count) times, "
        + "the store has \(sessions.count) sessions")
    func worst(_ a: [ClosedRange<Double>], _ b: [ClosedRange<Double>]) -> Double {
      zip(a, b).map {
        max(abs($0.lowerBound - $1.lowerBound), abs($0.upperBound - $1.upperBound))
      }.max() ?? 0
    }
    let onTime = line.map(\.length).reduce(0, +)
    let segments = books.segments.filter(\.isPowered).map(\.duration).reduce(0, +)
    return [
      Figure("times the line was high", Double(line.count), atLeast: 10),
      Figure("on-time by the kernel's trace", onTime, "s", atLeast: 300),
      Figure(
        "on-time error of the sessions", sessions.map(\.length).reduce(0, +) - onTime, "s",
        within: 1, isHeadline: true),
      Figure("on-time error of the segments", segments - onTime, "s", within: 1),
      Figure("worst edge of a session against the line", worst(line, sessions), "s", atMost: 0.5),
      Figure("worst edge seen by the receiver", worst(line, supplied), "s", atMost: 0.1),
    ]
  }

  /// A module without supply must not be sent anything, and none of its output may be lost.
  static func silence(_ receiver: ReceiverRecord) -> [Figure] {
    [
      Figure(
        "bytes driven into the unpowered receiver", Double(receiver.bytesIntoUnpowered), atMost: 0)
    ]
  }

  /// The level shifter conducts only while the module has its supply, and the backup supply stays
  /// on.
  private func order(_ lines: LineTrace, _ supplied: [ClosedRange<Double>]) -> [Figure] {
    let shifted = lines.high(Bench.uart)
    let backup = lines.settings(of: Bench.backup).filter { !$0.value }.map(\.time)
    return [
      Figure("times the level shifter conducted", Double(shifted.count), atLeast: 10),
      Figure(
        "times it did into the unpowered receiver",
        Double(lines.count(high: Bench.uart, whileLow: Bench.supply)), atMost: 0),
      Figure(
        "times the backup supply fell", Double(backup.count { $0 > supplied[0].lowerBound }),
        atMost: 0),
    ]
  }

  /// Compares the segments' energy with the registers' in the same time.
  ///
  /// The store's dates come from the receiver, whose epochs are old when they arrive (0.15 s here).
  /// With sessions of two seconds that would count as an energy error. The difference between dates
  /// and line has its own bound; here each session's segments are shifted to the time when the line
  /// was high.
  private func energy(
    _ books: StoredBooks, _ receiver: ReceiverRecord, _ line: [ClosedRange<Double>],
    from began: Double, to ended: Double
  ) throws -> [Figure] {
    let sessions = books.sessions.compactMap(\.on)
    var error = 0.0
    var powered = 0.0
    for segment in books.segments where segment.isPowered {
      let session = try sessions.lastIndex { $0 <= segment.start + 0.1 }
        .required("a segment without a session")
      let late = line[session].lowerBound - sessions[session]
      let played = try receiver.stretches(from: segment.start + late, until: segment.end + late)
        .map(\.joules).reduce(0, +)
      error += abs(segment.joules - played)
      powered += played
    }
    let all = try receiver.stretches(from: began, until: ended).map(\.joules).reduce(0, +)
    let stored = books.segments.map(\.joules).reduce(0, +)
    let measured = books.segments.filter { $0.isPowered && $0.isMeasured }.map(\.duration)
    let on = books.segments.filter(\.isPowered).map(\.duration).reduce(0, +)
    return [
      Figure("energy played in", all, "J"),
      Figure("energy of the whole day, error", (stored - all) / all * 100, "%", within: 5),
      Figure(
        "energy attribution error", error / powered * 100, "%", atMost: 2, isHeadline: true),
      Figure("of the on-time measured", measured.reduce(0, +) / on * 100, "%", atLeast: 95),
      Figure("visits found", Double(books.visits), atLeast: 1),
    ]
  }
}
