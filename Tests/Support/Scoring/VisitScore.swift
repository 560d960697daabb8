import Quantities

/// How well found visits agree with labelled stays.
public struct VisitScore: Sendable {
  /// Intervals agree when their intersection over union reaches this.
  public static let agreement = 0.5

  public var matches: [(stay: Interval, found: Interval)] = []
  public var missed: [Interval] = []
  public var invented: [Interval] = []
  /// Stays that were found as two or more visits.
  public var splits = 0
  /// Visits that two or more stays were thrown together in.
  public var merges = 0

  public init() {}

  public init(_ day: LabelledDay, found all: [Interval]) {
    let found = all.filter { $0.length >= LabelledData.minStay }
    var free = Set(found.indices)
    for stay in day.stays {
      let best = free.max { found[$0].agreement(stay) < found[$1].agreement(stay) }
      if let best, found[best].agreement(stay) >= Self.agreement {
        matches.append((stay, found[best]))
        free.remove(best)
      } else {
        missed.append(stay)
      }
    }
    invented = free.sorted().map { found[$0] }.filter { visit in
      let unscored = day.unscored.reduce(0) { $0 + visit.overlap($1).value }
      return unscored < visit.length.value * 0.5
    }
    splits = day.stays.count { stay in
      found.count { stay.overlap($0) > $0.length * 0.5 } > 1
    }
    merges = found.count { visit in
      day.stays.count { visit.overlap($0) > $0.length * 0.5 } > 1
    }
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

  public var precision: Double { ratio(matches.count, matches.count + invented.count) }
  public var recall: Double { ratio(matches.count, matches.count + missed.count) }
  public var f1: Double {
    ratio(2 * matches.count, 2 * matches.count + invented.count + missed.count)
  }

  public var arrivalErrors: [Seconds] {
    matches.map { ($0.found.start - $0.stay.start).magnitude }.sorted()
  }
  public var departureErrors: [Seconds] {
    matches.map { ($0.found.end - $0.stay.end).magnitude }.sorted()
  }

  /// Of sorted values; 0 for none.
  public static func quantile(_ share: Double, of sorted: [Seconds]) -> Seconds {
    sorted.isEmpty ? .zero : sorted[Int((Double(sorted.count - 1) * share).rounded())]
  }

  private func ratio(_ a: Int, _ b: Int) -> Double { b > 0 ? Double(a) / Double(b) : 1 }
}
