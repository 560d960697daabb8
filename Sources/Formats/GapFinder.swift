import Core
import Records

/// A time without information about the board's position: no location, and no evidence that it
/// rested.
public struct Gap: Hashable, Sendable {
  public enum Kind: String, Sendable {
    /// Within a visit, by the best estimate: it may have left and come back.
    case inVisit = "within a visit"
    /// It may have arrived at any time in it.
    case arrival
    /// It may have left at any time in it.
    case departure
    /// It left for another place, or for the same one, and arrived there.
    case betweenVisits = "between visits"
    /// It was moving, as far as is known.
    case underWay = "under way"
  }

  public var time: UnobservedPeriod
  public var kind: Kind
  /// The destination before it, if that is known.
  public var destination: Int64?
}

/// Finds the gaps in a store. It receives the visits first, then the track points in the order of
/// time.
public struct GapFinder {
  /// A time in which the board is known to have been at a place, or a time at which it was located.
  private struct KnownTime {
    let start: UTCInstant
    let end: UTCInstant
    let visit: Visit?
  }

  /// In the order of their starts.
  private var stays: [KnownTime] = []
  private var next = 0
  private var last: KnownTime?
  public private(set) var gaps: [Gap] = []

  /// - Parameters:
  ///   - visits: in the order of their arrival.
  ///   - end: until when a visit without an end is assumed to last.
  public init(_ visits: [Visit], end: UTCInstant?) {
    for visit in visits {
      let start = visit.arrival.latest
      let end = visit.departure?.earliest ?? max(visit.lastSeen ?? start, end ?? start)
      var seen = start
      for gap in visit.gaps.all {
        // The store keeps them in milliseconds after the arrival, which has an uncertainty.
        let (from, to) = (max(gap.start, seen), min(gap.end, end))
        guard from < to else { continue }
        stays.append(KnownTime(start: seen, end: from, visit: visit))
        seen = to
      }
      stays.append(KnownTime(start: seen, end: max(seen, end), visit: visit))
    }
  }

  public mutating func add(_ point: TrackPoint) {
    let time = point.location.time
    while next < stays.count, stays[next].start <= time { takeStay() }
    add(KnownTime(start: time, end: time, visit: goingOn))
  }

  /// The visit that continues after the current gap; nil: there is none.
  private var goingOn: Visit? {
    guard next > 0, next < stays.count, stays[next].visit?.id == stays[next - 1].visit?.id
    else { return nil }
    return stays[next].visit
  }

  public mutating func finish() {
    while next < stays.count { takeStay() }
  }

  private mutating func takeStay() {
    add(stays[next])
    next += 1
  }

  private mutating func add(_ known: KnownTime) {
    guard let last else { return self.last = known }
    if known.start - last.end > UnobservedPeriod.shortest {
      gaps.append(
        Gap(
          time: UnobservedPeriod(start: last.end, end: known.start), kind: Self.kind(last, known),
          destination: last.visit?.destination))
    }
    // A point within a stay, or at its end, does not end the known time.
    if known.end > last.end || (known.end == last.end && last.visit == nil) { self.last = known }
  }

  private static func kind(_ before: KnownTime, _ after: KnownTime) -> Gap.Kind {
    switch (before.visit, after.visit) {
    case (let a?, let b?): a.id == b.id ? .inVisit : .betweenVisits
    case (_?, nil): .departure
    case (nil, _?): .arrival
    case (nil, nil): .underWay
    }
  }
}

extension Gap {
  public static let columns = Columns<Gap>([
    .time("from", cell: .made("FROM", 16) { gap, style in style.minute(gap.time.start) }) {
      $0.time.start
    },
    .time("to", cell: .made("TO", 16) { gap, style in style.minute(gap.time.end) }) {
      $0.time.end
    },
    .number(
      "duration_s", digits: 0,
      cell: .made("LENGTH", 11, .right) { gap, _ in gap.time.duration.hoursAndMinutes }
    ) { $0.time.duration.value },
    .text("kind", cell: .plain("NOT KNOWN", 14)) { $0.kind.rawValue },
    .count(
      "destination_id",
      cell: .made("LAST AT", 7) { gap, style in
        gap.destination.map { style.labels[$0] ?? "\($0)" } ?? ""
      }
    ) { $0.destination.map { Int($0) } },
  ])
}
