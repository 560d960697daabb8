/// A schedule: from a start in local time, for a duration, repeated by a rule, except for the
/// exceptions.
///
/// An occurrence whose local time is skipped by a clock change is not left out, as RFC 5545 section
/// 3.3.10 requires. It begins as section 3.3.5 interprets its time, so that no day is lost.
/// dateutil does the same.
///
/// A query takes microseconds however long ago the start was: the search begins near the instant.
/// With a rule that has hardly any days, such as every 29 February that is a Sunday, it takes
/// milliseconds. A rule with a count is counted once, when the schedule is made.
public struct Schedule: Hashable, Sendable {
  /// Local time of the zone, to the whole second.
  let start: CivilTime
  public let zone: TimeZoneRules
  /// Zero for a schedule of points in time.
  let duration: NominalDuration
  let rule: RecurrenceRule?
  /// The begins of the excluded occurrences, in ascending order.
  public let exceptions: [UTCInstant]

  /// Nil without a rule.
  private let days: RuleDays?
  /// Start, as local seconds.
  private let first: Int

  /// In bytes.
  public static let maximumTextLength = 65_536
  static let maximumExceptions = 4096

  /// One period in which the schedule is on.
  public struct Occurrence: Hashable, Sendable {
    public let begin: UTCInstant
    /// Exclusive.
    public let end: UTCInstant

    public func contains(_ instant: UTCInstant) -> Bool { begin <= instant && instant < end }
  }

  public init(
    start: CivilTime, in zone: TimeZoneRules, lasting duration: NominalDuration = .zero,
    rule: RecurrenceRule? = nil, exceptions: [UTCInstant] = []
  ) throws(RecurrenceError) {
    guard let first = start.localSeconds, start.nanosecond == 0 else { throw .noSuchTime }
    guard exceptions.count <= Self.maximumExceptions else { throw .tooManyExceptions }
    self.start = CivilTime(localSeconds: first)
    self.zone = zone
    self.duration = duration
    self.rule = rule
    self.exceptions = Set(exceptions).sorted()
    self.first = first
    days = rule.map { rule in
      RuleDays(
        rule, from: first.flooredQuotient(by: CivilTime.secondsInDay),
        limit: Self.lastDay(of: rule.end, in: zone))
    }
  }

  /// From a start to an end in the same zone. As in iCalendar (RFC 5545 section 3.8.5.3), every
  /// occurrence lasts as many seconds as the first, also across clock changes.
  public init(
    start: CivilTime, end: CivilTime, in zone: TimeZoneRules, rule: RecurrenceRule? = nil,
    exceptions: [UTCInstant] = []
  ) throws(RecurrenceError) {
    guard let first = start.localSeconds, let last = end.localSeconds, end.nanosecond == 0 else {
      throw .noSuchTime
    }
    let seconds = zone.second(ofLocalSeconds: last) - zone.second(ofLocalSeconds: first)
    try self.init(
      start: start, in: zone, lasting: NominalDuration(seconds: seconds), rule: rule,
      exceptions: exceptions)
  }

  /// Returns the schedule itself if its occurrences have a duration.
  /// - Throws: `RecurrenceError.noDuration` for a schedule of points in time.
  public func lasting() throws(RecurrenceError) -> Schedule {
    guard duration != .zero else { throw .noDuration }
    return self
  }

  public func isOn(at instant: UTCInstant) -> Bool { occurrence(at: instant) != nil }

  /// The occurrence that contains an instant, the latest one if several overlap. Another one may
  /// begin before its end, or at its end.
  public func occurrence(at instant: UTCInstant) -> Occurrence? {
    latest(at: instant).flatMap { $0.contains(instant) ? $0 : nil }
  }

  /// The first occurrence that begins after the instant; nil if there is none.
  public func next(after instant: UTCInstant) -> Occurrence? {
    // Two may begin at once, where a whole day was left out of the calendar; the later one is used.
    firstBegin(after: instant).flatMap(latest)
  }

  /// When it may be on or off next; nil: it stays as it is. Occurrences may adjoin.
  public func nextChange(after instant: UTCInstant) -> UTCInstant? {
    occurrence(at: instant)?.end ?? next(after: instant)?.begin
  }

  /// The last occurrence that begins at or before the instant; nil if there is none.
  public func latest(at instant: UTCInstant) -> Occurrence? {
    guard let days else {
      let only = begin(ofLocal: first)
      return only <= instant && !isException(only) ? occurrence(ofLocal: first) : nil
    }
    var day = localDay(at: instant) + Self.margin
    while let found = days.last(onOrBefore: day) {
      let local = local(ofDay: found)
      let begin = begin(ofLocal: local)
      if begin <= instant, !isPast(begin, local: local), !isException(begin) {
        return occurrence(ofLocal: local)
      }
      day = found - 1
    }
    return nil
  }

  private func firstBegin(after instant: UTCInstant) -> UTCInstant? {
    guard let days else {
      let only = begin(ofLocal: first)
      return only > instant && !isException(only) ? only : nil
    }
    var day = localDay(at: instant) - Self.margin
    while let found = days.first(onOrAfter: day) {
      let local = local(ofDay: found)
      let begin = begin(ofLocal: local)
      if isPast(begin, local: local) { return nil }
      if begin > instant, !isException(begin) { return begin }
      day = found + 1
    }
    return nil
  }
}

// MARK: Local days

extension Schedule {
  /// The largest difference, in days, between the day of an occurrence and the local day of its
  /// begin: offsets change by up to 52 hours.
  private static let margin = 3

  private func localDay(at instant: UTCInstant) -> Int {
    let second = instant.wholeSeconds
    return (second + zone.offset(atSecond: second)).flooredQuotient(by: CivilTime.secondsInDay)
  }

  /// That day at the start's time of day.
  private func local(ofDay day: Int) -> Int {
    day * CivilTime.secondsInDay + first.flooredRemainder(by: CivilTime.secondsInDay)
  }

  private func begin(ofLocal local: Int) -> UTCInstant {
    UTCInstant(wholeSeconds: zone.second(ofLocalSeconds: local))
  }

  private func occurrence(ofLocal local: Int) -> Occurrence {
    let begin = zone.second(ofLocalSeconds: local)
    var end = begin
    if duration.days > 0 {
      end = zone.second(ofLocalSeconds: local + duration.days * CivilTime.secondsInDay)
    }
    return Occurrence(
      begin: UTCInstant(wholeSeconds: begin),
      end: UTCInstant(wholeSeconds: max(begin, end + duration.seconds)))
  }

  private func isException(_ begin: UTCInstant) -> Bool {
    let index = exceptions.partitionPoint { $0 >= begin }
    return index < exceptions.count && exceptions[index] == begin
  }

  /// Whether the rule ends before this occurrence.
  private func isPast(_ begin: UTCInstant, local: Int) -> Bool {
    switch rule?.end {
    case .instant(let end): begin > end
    case .localTime(let end): end.localSeconds.map { local > $0 } ?? false
    // `RuleDays` already applies these limits.
    case .date, .count, .never, nil: false
    }
  }

  private static func lastDay(of end: RecurrenceRule.End, in zone: TimeZoneRules) -> Int {
    let local: Int? =
      switch end {
      case .date(let civil), .localTime(let civil): civil.localSeconds
      case .instant(let instant):
        instant.wholeSeconds + zone.offset(atSecond: instant.wholeSeconds)
          + margin * CivilTime.secondsInDay
      case .count, .never: nil
      }
    return local?.flooredQuotient(by: CivilTime.secondsInDay) ?? RuleDays.horizon
  }
}
