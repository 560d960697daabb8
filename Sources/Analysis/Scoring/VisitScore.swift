import Core

/// How well found visits agree with true stays.
public struct VisitScore: Sendable {
  /// Intervals agree when their intersection over union reaches this.
  static let agreement = 0.5

  public var matches: [(stay: Interval, found: Interval)] = []
  public var missed: [Interval] = []
  public var invented: [Interval] = []
  /// Stays that were found as two or more visits.
  public var splits = 0
  /// Visits that combine two or more stays.
  public var merges = 0

  public init() {}

  /// Matches at most one visit to each stay, the best agreement first.
  ///
  /// - Parameters:
  ///   - unscored: where the truth is unknown or debatable: a visit of which half or more is in it
  ///     does not count as invented.
  ///   - shortest: shorter visits are ignored. Shorter stays belong in `unscored`.
  public init(
    stays: [Interval], unscored: [Interval] = [], found all: [Interval], shortest: Seconds
  ) {
    let found = all.filter { $0.length >= shortest }
    let pairs = Self.pairs(stays, found)
    matches = pairs.map { (stays[$0.stay], found[$0.visit]) }
    let matchedStays = Set(pairs.map(\.stay))
    let matchedVisits = Set(pairs.map(\.visit))
    missed = stays.indices.filter { !matchedStays.contains($0) }.map { stays[$0] }
    invented = found.indices.filter { !matchedVisits.contains($0) }.map { found[$0] }
      .filter { visit in
        let unscored = unscored.reduce(0) { $0 + visit.overlap($1).value }
        return unscored < visit.length.value * 0.5
      }
    splits = stays.count { stay in
      found.count { stay.overlap($0) > $0.length * 0.5 } > 1
    }
    merges = found.count { visit in
      stays.count { visit.overlap($0) > $0.length * 0.5 } > 1
    }
  }

  /// The best agreement first, each stay and each visit at most once.
  private static func pairs(
    _ stays: [Interval], _ found: [Interval]
  ) -> [(stay: Int, visit: Int)] {
    var pairs: [(agreement: Double, stay: Int, visit: Int)] = []
    for (index, stay) in stays.enumerated() {
      for (visit, one) in found.enumerated() {
        let agreement = one.agreement(stay)
        if agreement >= Self.agreement { pairs.append((agreement, index, visit)) }
      }
    }
    pairs.sort { ($1.agreement, $0.stay, $0.visit) < ($0.agreement, $1.stay, $1.visit) }
    var matched: [(stay: Int, visit: Int)] = []
    var openStays = Set(stays.indices)
    var free = Set(found.indices)
    for pair in pairs where openStays.contains(pair.stay) && free.contains(pair.visit) {
      matched.append((pair.stay, pair.visit))
      openStays.remove(pair.stay)
      free.remove(pair.visit)
    }
    return matched
  }

  public static func + (a: VisitScore, b: VisitScore) -> VisitScore {
    var sum = a
    sum.matches += b.matches
    sum.missed += b.missed
    sum.invented += b.invented
    sum.splits += b.splits
    sum.merges += b.merges
    return sum
  }

  public var counts: VisitCounts {
    VisitCounts(found: matches.count, missed: missed.count, invented: invented.count)
  }

  public var precision: Double { counts.precision }
  public var recall: Double { counts.recall }
  public var f1: Double { counts.f1 }

  public var matchedVisits: [MatchedVisit] { matches.map { MatchedVisit($0.found, of: $0.stay) } }

  /// Sorted.
  public var arrivalErrors: [Seconds] { matchedVisits.map(\.arrivalError.magnitude).sorted() }
  /// Sorted.
  public var departureErrors: [Seconds] { matchedVisits.map(\.departureError.magnitude).sorted() }

  /// The number of true places of the stays, found or not; nil: they are not all known.
  public var places: Int? {
    var places: Set<Coordinate> = []
    for stay in matches.map(\.stay) + missed {
      guard let position = stay.position else { return nil }
      places.insert(position)
    }
    return places.count
  }

  /// The number of destinations of the visits, matched or not.
  public var destinations: Int {
    Set((matches.map(\.found) + invented).compactMap { $0.claims?.destination }).count
  }
}

/// The numbers of stays found and missed, and of visits without a stay.
public struct VisitCounts: Hashable, Sendable {
  public var found: Int
  public var missed: Int
  public var invented: Int

  public init(found: Int = 0, missed: Int = 0, invented: Int = 0) {
    self.found = found
    self.missed = missed
    self.invented = invented
  }

  static func + (a: VisitCounts, b: VisitCounts) -> VisitCounts {
    VisitCounts(
      found: a.found + b.found, missed: a.missed + b.missed, invented: a.invented + b.invented)
  }

  public var stays: Int { found + missed }

  /// With so many of the found ones not accepted: each is a missed stay and a false visit.
  func without(_ rejected: Int) -> VisitCounts {
    VisitCounts(
      found: found - rejected, missed: missed + rejected, invented: invented + rejected)
  }

  // 1 where there was nothing to find, and nothing was found.
  public var precision: Double { ratio(found, found + invented) }
  public var recall: Double { ratio(found, stays) }
  public var f1: Double { ratio(2 * found, 2 * found + invented + missed) }

  private func ratio(_ a: Int, _ b: Int) -> Double { b > 0 ? Double(a) / Double(b) : 1 }
}
