import Quantities

/// Finds the few dates of a recording that those before and after them contradict: a year ahead, an
/// hour back, the 1024 weeks that a receiver miscounts, the 1970 of a clock that was never set.
///
/// Items come out in the order in which they went in, some later. Those of a recording whose dates
/// go on, in either direction, all come out: what is out of order by whole stretches is none of its
/// business.
public struct LoneDates<Item> {
  /// So many wrong dates may follow one another.
  private static var longestRun: Int { 4 }
  /// At either end, where only one side can tell.
  private static var longestRunAtEnd: Int { 2 }
  /// On either side of them.
  private static var witnesses: Int { 3 }
  /// A smaller difference is a row that came late.
  private static var leastDeviation: Seconds { 300 }
  /// A first or last position so far from all others, in either direction, is none of the same
  /// recording.
  private static var leastDeviationAtEnd: Seconds { .days(30) }
  /// A witness's dates are so much closer together than the one that it is to judge.
  private static var ratio: Double { 4 }
  private static var ratioAtEnd: Double { 100 }
  /// Items without a date wait with the others, but not for ever.
  private static var mostHeld: Int { 256 }

  private let date: (Item) -> UTCInstant?
  /// Of the last items that came out.
  private var before: [UTCInstant] = []
  private var held: [(item: Item, date: UTCInstant?)] = []
  /// Of those held that have one.
  private var dates: [UTCInstant] = []

  /// - Parameter date: nil of an item that says nothing of its time.
  public init(_ date: @escaping (Item) -> UTCInstant?) { self.date = date }

  /// - Parameters:
  ///   - pass: called with each item whose date may be right.
  ///   - refuse: called with each whose date is wrong.
  public mutating func take(_ item: Item, pass: (Item) -> Void, refuse: (Item) -> Void) {
    let date = date(item)
    held.append((item, date))
    if let date { dates.append(date) }
    while dates.count > Self.longestRun + Self.witnesses || held.count > Self.mostHeld {
      decide(isAtEnd: false, pass, refuse)
    }
  }

  public mutating func finish(pass: (Item) -> Void, refuse: (Item) -> Void) {
    while !held.isEmpty { decide(isAtEnd: true, pass, refuse) }
  }

  /// Lets the first of those held go.
  private mutating func decide(
    isAtEnd: Bool, _ pass: (Item) -> Void, _ refuse: (Item) -> Void
  ) {
    guard held[0].date != nil else { return pass(held.removeFirst().item) }
    var wrong = wrongRun(isAtEnd: isAtEnd)
    guard wrong > 0 else {
      let first = held.removeFirst()
      before.append(dates.removeFirst())
      if before.count > Self.witnesses { before.removeFirst() }
      return pass(first.item)
    }
    dates.removeFirst(wrong)
    while wrong > 0 {
      let first = held.removeFirst()
      if first.date == nil {
        pass(first.item)
      } else {
        wrong -= 1
        refuse(first.item)
      }
    }
  }

  /// How many of the first dates are wrong.
  private func wrongRun(isAtEnd: Bool) -> Int {
    if !isAtEnd || dates.count > Self.longestRunAtEnd, goesOn { return 0 }
    for length in 1...Self.longestRun where length <= dates.count {
      let run = dates[..<length]
      let after = Array(dates[length...].prefix(Self.witnesses))
      if before.isEmpty || after.isEmpty {
        if length <= Self.longestRunAtEnd, isWrong(run, beside: before.isEmpty ? after : before) {
          return length
        }
      } else if isWrong(run, between: before, and: after) {
        return length
      }
    }
    return 0
  }

  /// Whether the dates from the last that came out go one way only, as nearly always.
  private var goesOn: Bool {
    guard var earlier = before.last else { return false }
    var rises = false
    var falls = false
    for date in dates {
      if date > earlier { rises = true }
      if date < earlier { falls = true }
      earlier = date
    }
    return !(rises && falls)
  }

  private func isWrong(
    _ run: ArraySlice<UTCInstant>, between before: [UTCInstant], and after: [UTCInstant]
  ) -> Bool {
    guard let low = [before.last, after.first].compactMap({ $0 }).min(),
      let high = [before.last, after.first].compactMap({ $0 }).max()
    else { return false }
    let below = run.map { Self.time(from: $0, to: low) }.min() ?? 0
    let above = run.map { Self.time(from: high, to: $0) }.min() ?? 0
    let deviation = max(below, above)
    return deviation >= Self.leastDeviation
      && Self.widestStep(before + after) * Self.ratio <= deviation
  }

  /// At the beginning or the end, with the others on one side only.
  private func isWrong(_ run: ArraySlice<UTCInstant>, beside others: [UTCInstant]) -> Bool {
    guard others.count == Self.witnesses else { return false }
    let isFirst = before.isEmpty
    guard let nearest = isFirst ? others.first : others.last else { return false }
    let deviation = run.map { Self.time(from: nearest, to: $0).magnitude }.min() ?? 0
    let step = Self.widestStep(others)
    if deviation > Self.leastDeviationAtEnd, step * Self.ratioAtEnd <= deviation { return true }
    guard run.count == 1, let date = run.first, deviation >= Self.leastDeviation,
      step * Self.ratio <= deviation
    else { return false }
    // It goes the other way than all of them do.
    let steps = zip(others, others.dropFirst()).map { Self.time(from: $0, to: $1) }
    let own = Self.time(from: nearest, to: date) * (isFirst ? -1 : 1)
    return steps.allSatisfy { own > 0 ? $0 < 0 : $0 > 0 }
  }

  private static func widestStep(_ dates: [UTCInstant]) -> Seconds {
    zip(dates, dates.dropFirst()).map { time(from: $0, to: $1).magnitude }.max() ?? 0
  }

  /// Two dates of a file may be further apart than nanoseconds can count.
  private static func time(from a: UTCInstant, to b: UTCInstant) -> Seconds {
    Seconds((Double(b.nanoseconds) - Double(a.nanoseconds)) / 1e9)
  }
}
