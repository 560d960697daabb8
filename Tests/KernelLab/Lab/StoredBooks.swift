import Core
import Records
import Store

/// The daemon's stored records, with dates converted to times of the board's clock.
struct StoredBooks {
  struct Session {
    let id: Int64
    let on: Double?
    let off: Double?
    let outcome: GnssSession.Outcome
    let energyIsMeasured: Bool
  }

  struct Segment {
    let state: GnssState
    let start: Double
    let duration: Double
    let joules: Double
    let isMeasured: Bool

    var end: Double { start + duration }
    var isPowered: Bool { state == .acquiring || state == .tracking }
  }

  let sessions: [Session]
  let segments: [Segment]
  let visits: Int

  /// - Parameter bootDate: the date at zero of the board's clock, in seconds since 1970.
  init(_ path: String, bootDate: Double) throws {
    func moment(_ date: UTCInstant) -> Double {
      // Whole seconds first: nanoseconds since 1970 do not fit into a Double.
      let seconds = Double(date.nanoseconds / 1_000_000_000) - bootDate.rounded(.down)
      return seconds + Double(date.nanoseconds % 1_000_000_000) * 1e-9
        - (bootDate - bootDate.rounded(.down))
    }
    let reader = try StoreReader(path: path)
    var sessionRows = try reader.sessions()
    sessions = try sessionRows.all().map {
      Session(
        id: $0.id, on: $0.on.map(moment), off: $0.off.map(moment), outcome: $0.outcome,
        energyIsMeasured: $0.basis == .measured)
    }
    var segmentRows = try reader.segments()
    segments = try segmentRows.all().map {
      Segment(
        state: $0.state, start: moment($0.start), duration: $0.duration.value,
        joules: $0.energy.value, isMeasured: $0.basis == .measured)
    }
    var visitRows = try reader.visits()
    visits = try visitRows.all().count
    let problems = try reader.integrityProblems()
    try require(problems.isEmpty, "the store is damaged: \(problems)")
  }
}
