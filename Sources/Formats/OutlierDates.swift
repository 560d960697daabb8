import Core

/// Finds dates of a recording that contradict those before and after them: a year ahead, an hour
/// back, the 1024 weeks of a GPS rollover error, or 1970 from a clock that was never set.
///
/// Items come out in the order in which they went in, some later. If the dates of a recording are
/// monotonic, in either direction, all items pass: disorder of whole sections is not handled here.
/// A longer run is wrong only if it fits, shifted, between its neighbours.
public struct OutlierDates<Item> {
  /// Up to so many dates are wrong whatever their relation to each other.
  private static var longestRun: Int { 4 }
  /// Up to so many dates that were shifted together.
  private static var longestMovedRun: Int { 500 }
  /// At either end, with neighbours on one side only.
  private static var longestRunAtEnd: Int { 2 }
  /// Neighbours needed on either side.
  private static var neighbours: Int { 3 }
  /// A smaller difference is a delayed row.
  private static var leastDeviation: Seconds { 300 }
  /// A first or last position so far from all others, in either direction, does not belong to the
  /// same recording.
  private static var leastDeviationAtEnd: Seconds { .days(30) }
  /// The neighbours' dates have to be closer together by this factor than the date to be assessed.
  private static var ratio: Double { 4 }
  private static var ratioAtEnd: Double { 100 }
  /// Steps are regular if the widest is at most this factor of the others.
  private static var regularity: Double { 1.5 }
  /// Items without a date wait with the others, up to this number.
  private static var mostHeld: Int { 2048 }

  private let date: (Item) -> UTCInstant?
  /// Dates of the last items that came out.
  private var before: [UTCInstant] = []
  private var held: [(item: Item, date: UTCInstant?)] = []
  /// The dates of the held items that have one.
  private var dates: [UTCInstant] = []
  /// The run at the start of the held dates, as far as it has been followed.
  private var moved: MovedRun?

  /// - Parameter date: nil for an item without a time.
  public init(_ date: @escaping (Item) -> UTCInstant?) { self.date = date }

  /// - Parameters:
  ///   - pass: called with each item whose date may be right.
  ///   - refuse: called with each item whose date is wrong at its position, and whether it may be
  ///     delayed, because nothing is missing there.
  public mutating func take(
    _ item: Item, pass: (Item) -> Void, refuse: (_ item: Item, _ mayBeLate: Bool) -> Void
  ) {
    let date = date(item)
    held.append((item, date))
    if let date { dates.append(date) }
    while dates.count > Self.longestRun + Self.neighbours || held.count > Self.mostHeld {
      guard decide(isAtEnd: false, pass, refuse) else { return }
    }
  }

  public mutating func finish(
    pass: (Item) -> Void, refuse: (_ item: Item, _ mayBeLate: Bool) -> Void
  ) {
    while !held.isEmpty { _ = decide(isAtEnd: true, pass, refuse) }
  }

  /// Releases the first held items.
  /// - Returns: false: more items are needed first.
  private mutating func decide(
    isAtEnd: Bool, _ pass: (Item) -> Void, _ refuse: (Item, Bool) -> Void
  ) -> Bool {
    guard held[0].date != nil else {
      pass(held.removeFirst().item)
      return true
    }
    var wrong = wrongRun(isAtEnd: isAtEnd)
    let mayBeLate = wrong > 0 && leavesNoGap(wrong)
    if wrong == 0, let last = before.last {
      let mustEnd = isAtEnd || held.count > Self.mostHeld
      switch followMovedRun(after: last, isAtEnd: mustEnd) {
      case .returns(let length): wrong = length
      case .goesOn: return false
      case .isNone: break
      }
    }
    moved = nil
    guard wrong > 0 else {
      let first = held.removeFirst()
      before.append(dates.removeFirst())
      if before.count > Self.neighbours { before.removeFirst() }
      pass(first.item)
      return true
    }
    dates.removeFirst(wrong)
    // In one operation: the array is not shifted for each.
    var count = 0
    for item in held {
      if item.date == nil {
        pass(item.item)
      } else {
        guard wrong > 0 else { break }
        wrong -= 1
        refuse(item.item, mayBeLate)
      }
      count += 1
    }
    held.removeFirst(count)
    return true
  }

  /// How many of the first dates are wrong.
  private func wrongRun(isAtEnd: Bool) -> Int {
    if !isAtEnd || dates.count > Self.longestRunAtEnd, goesOn { return 0 }
    for length in 1...Self.longestRun where length <= dates.count {
      let run = dates[..<length]
      let after = Array(dates[length...].prefix(Self.neighbours))
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

  /// Whether the dates from the last released one are monotonic, as nearly always.
  private var goesOn: Bool {
    guard var earlier = before.last else { return false }
    var rises = false
    var falls = false
    for date in dates.prefix(Self.longestRun + Self.neighbours + 1) {
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

  /// At the beginning or the end, with neighbours on one side only.
  private func isWrong(_ run: ArraySlice<UTCInstant>, beside others: [UTCInstant]) -> Bool {
    guard others.count == Self.neighbours else { return false }
    let isFirst = before.isEmpty
    guard let nearest = isFirst ? others.first : others.last else { return false }
    let deviation = run.map { Self.time(from: nearest, to: $0).magnitude }.min() ?? 0
    let step = Self.widestStep(others)
    if deviation > Self.leastDeviationAtEnd, step * Self.ratioAtEnd <= deviation { return true }
    guard run.count == 1, let date = run.first, deviation >= Self.leastDeviation,
      step * Self.ratio <= deviation
    else { return false }
    // It is in the direction opposite to all of them.
    let steps = Self.steps(others)
    let own = Self.time(from: nearest, to: date) * (isFirst ? -1 : 1)
    return steps.allSatisfy { own > 0 ? $0 < 0 : $0 > 0 }
  }

  /// Whether the neighbours of the first dates leave no gap without them.
  private func leavesNoGap(_ length: Int) -> Bool {
    let after = dates[length...].prefix(Self.neighbours)
    guard let last = before.last, let next = after.first else { return false }
    let steps = (Self.steps(before) + Self.steps(Array(after))).map(\.magnitude)
    guard let narrowest = steps.min(), let widest = steps.max(),
      widest <= narrowest * Self.regularity
    else { return false }
    return Self.time(from: last, to: next).magnitude <= narrowest * Self.regularity
  }

  // MARK: Shifted runs

  private enum Following { case returns(after: Int), goesOn, isNone }

  /// Follows the dates from one that is far from the last until they return to the expected ones.
  private mutating func followMovedRun(after last: UTCInstant, isAtEnd: Bool) -> Following {
    let jump = Self.time(from: last, to: dates[0]).magnitude
    guard jump >= Self.leastDeviation, jump >= Self.widestStep(before) * Self.ratio else {
      return .isNone
    }
    var run = moved ?? MovedRun(dates[0])
    defer { moved = run }
    let fewest = isAtEnd ? 2 : Self.neighbours
    while run.length + fewest <= dates.count, run.length <= Self.longestMovedRun {
      if fits(run, after: last) { return .returns(after: run.length) }
      run.add(dates[run.length])
    }
    return isAtEnd || run.length > Self.longestMovedRun ? .isNone : .goesOn
  }

  /// Whether the gap between the run's neighbours has the length of the run, or a few steps more.
  private func fits(_ run: MovedRun, after last: UTCInstant) -> Bool {
    let next = dates[run.length]
    let below = Self.time(from: run.latest, to: min(last, next))
    let above = Self.time(from: max(last, next), to: run.earliest)
    let deviation = max(below, above)
    guard deviation >= Self.leastDeviation else { return false }
    let after = Array(dates[run.length...].prefix(Self.neighbours))
    let step = max(Self.widestStep(before), Self.widestStep(after))
    let hole = Self.time(from: last, to: next).magnitude
    let length = Self.time(from: run.earliest, to: run.latest)
    return max(step * Self.ratio, hole) <= deviation
      && (length...length + step * Self.ratio).contains(hole)
  }

  private static func steps(_ dates: [UTCInstant]) -> [Seconds] {
    zip(dates, dates.dropFirst()).map { time(from: $0, to: $1) }
  }

  private static func widestStep(_ dates: [UTCInstant]) -> Seconds {
    steps(dates).map(\.magnitude).max() ?? 0
  }

  /// Two dates of a file may be further apart than nanoseconds can represent.
  private static func time(from a: UTCInstant, to b: UTCInstant) -> Seconds {
    Seconds((Double(b.nanoseconds) - Double(a.nanoseconds)) / 1e9)
  }
}

/// Consecutive dates that may have been shifted together.
private struct MovedRun {
  private(set) var length = 1
  private(set) var earliest: UTCInstant
  private(set) var latest: UTCInstant

  init(_ date: UTCInstant) {
    earliest = date
    latest = date
  }

  mutating func add(_ date: UTCInstant) {
    length += 1
    earliest = min(earliest, date)
    latest = max(latest, date)
  }
}
