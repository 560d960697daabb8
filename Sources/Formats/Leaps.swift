import Core

/// Jumps between positions that are impossible at any speed: a trace with many of them comes from
/// two receivers.
public struct Leaps: Sendable {
  /// Share of all positions; a single receiver has fewer errors.
  public static let mostShare = 0.25
  private static let most = 10
  private static let apart: Metres = 1000
  private static let fastest: MetresPerSecond = 340
  /// Limit for a jump away and back.
  private static let apartToAndFro: Metres = 200
  private static let fastestToAndFro: MetresPerSecond = 30
  private static let shareOfReturn = 0.25

  private var last: TraceSample?
  private var lastButOne: TraceSample?
  private(set) var count = 0
  private(set) var first: TraceRow?

  func areMany(of positions: Int) -> Bool {
    count > Self.most && Double(count) > Double(positions) * Self.mostShare
  }

  mutating func take(_ row: TraceRow) {
    defer {
      lastButOne = last
      last = row.sample
    }
    guard let last else { return }
    let isBack = lastButOne.map { Self.isToAndFro($0, last, row.sample) } ?? false
    guard isBack || Self.isLeap(from: last, to: row.sample) else { return }
    count += 1
    first = first ?? row
  }

  static func isLeap(from a: TraceSample, to b: TraceSample) -> Bool {
    let distance = Sphere.distance(a.position, b.position)
    return distance > apart && distance > fastest * (b.time - a.time).magnitude
  }

  private static func isToAndFro(_ a: TraceSample, _ b: TraceSample, _ c: TraceSample) -> Bool {
    guard let (there, back) = excursion(a, b, c) else { return false }
    return there > fastestToAndFro * (b.time - a.time).magnitude
      && back > fastestToAndFro * (c.time - b.time).magnitude
  }

  /// The distances of `b` from `a` and `c`, which are near each other; nil if it may be an error of
  /// measurement.
  static func excursion(
    _ a: TraceSample, _ b: TraceSample, _ c: TraceSample
  ) -> (there: Metres, back: Metres)? {
    let there = Sphere.distance(a.position, b.position)
    let errors = (a.accuracy ?? 0) + (b.accuracy ?? 0)
    guard there > apartToAndFro + errors else { return nil }
    let back = Sphere.distance(b.position, c.position)
    guard back > apartToAndFro + errors,
      Sphere.distance(a.position, c.position) < min(there, back) * shareOfReturn
    else { return nil }
    return (there, back)
  }
}

/// Detects tracks that cannot belong to one person, because they are at two places at once.
struct TrackConflicts {
  private static let leapsToRefuse = 3
  private static let excursionsToRefuse = 10

  private var last: TraceRow?
  private var lastButOne: TraceRow?
  private var leaps = 0
  private var excursions = 0
  /// The two tracks, and where; nil until that is certain.
  private(set) var found: (one: UInt16, other: UInt16, line: Int)?

  mutating func take(_ row: TraceRow) {
    defer {
      lastButOne = last
      last = row
    }
    guard found == nil, let last, let one = last.individual, let other = row.individual,
      one != other
    else { return }
    if Leaps.isLeap(from: last.sample, to: row.sample) { leaps += 1 }
    if let lastButOne, lastButOne.individual == other,
      Leaps.excursion(lastButOne.sample, last.sample, row.sample) != nil
    {
      excursions += 1
    }
    if leaps >= Self.leapsToRefuse || excursions >= Self.excursionsToRefuse {
      found = (one, other, row.line)
    }
  }
}
