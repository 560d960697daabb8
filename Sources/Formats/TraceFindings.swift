import Core

/// The properties of a trace file, and what was done to make it usable.
public struct TraceFindings: Equatable, Sendable {
  /// Number of usable positions.
  public internal(set) var positions = 0
  /// Rows of other individuals than the chosen one.
  var others = 0
  /// Dates that contradict their neighbours: skipped.
  public internal(set) var wrongDates = RowCount()
  /// Positions that are earlier than the one before.
  public internal(set) var disorder = RowCount()
  /// Repeated rows: left out.
  public internal(set) var repeats = RowCount()
  public internal(set) var withoutAccuracy = 0
  /// The first speed that contradicts the positions; nil: they are used.
  public internal(set) var wrongSpeeds: TraceRow?
  public internal(set) var span = TraceSpan()
  /// The machine's time; nil: it was not set.
  var now: UTCInstant?

  /// For no trace.
  public init() {}

  /// Whether no position has an accuracy.
  public var lacksAccuracy: Bool { withoutAccuracy == positions }

  /// What was done, as text for people: each kind with its first row.
  public func sentences(_ losses: TraceLosses?) -> [String] {
    var sentences: [String] = []
    if let first = losses?.firstRow {
      let rows = Counted.text(losses?.rows ?? 0, "row")
      sentences.append("skipped \(rows) of the trace that cannot be read, the first: \(first)")
    }
    if let sentence = wrongDates.sentence { sentences.append(sentence) }
    if let line = losses?.firstMarkedInvalid {
      let positions = Counted.text(losses?.markedInvalid ?? 0, "position")
      sentences.append(
        "left out \(positions) that the file itself marks as wrong, the first: line \(line)")
    }
    if let places = losses?.places, places > 0 {
      sentences.append(
        "left out \(Counted.text(places, "stay or destination", "stays and destinations")), which "
          + "are places and not positions of a trace")
    }
    if let first = losses?.firstValue {
      let count = losses?.values ?? 0
      sentences.append(
        "left out unreadable parts of \(Counted.text(count, "position")), which "
          + "\(count == 1 ? "is" : "are") used without them, the first: \(first)")
    }
    if let losses, let first = losses.heights.first, let height = first.sample.altitude {
      let positions = Counted.text(losses.heights.count, "position")
      sentences.append(
        "left out the impossible height of \(positions), the first: \(first.place), "
          + "\(FixedDecimal.text(height.value, digits: 0)) m")
    }
    if let first = disorder.first {
      sentences.append(
        "sorted by time: \(first.place), \(Self.text(first.sample.time)), is earlier than the "
          + "position before it")
    }
    if let first = repeats.first {
      let positions = Counted.text(repeats.count, "position")
      sentences.append(
        "left out \(positions) that are duplicates, the first: \(first.place)")
    }
    if others > 0 {
      sentences.append("left out \(Counted.text(others, "position")) of other individuals")
    }
    if let row = wrongSpeeds {
      sentences.append(
        "its speeds are ignored: up to \(row.place) they are higher than the positions allow, "
          + "perhaps in km/h or knots")
    }
    if let line = losses?.firstWithoutZone {
      sentences.append(Self.noZone(line: line))
    }
    if let sentence = span.clockSentence(now: now) { sentences.append(sentence) }
    if let cut = losses?.cut { sentences.append("kept everything before \(cut)") }
    return sentences
  }

  /// The content of `sentences`, for programs.
  /// - Parameters:
  ///   - findings: nil if there was no trace, or none that was examined.
  ///   - wrongDates: those of a recording that is not a trace; nil if there was none.
  public static func json(
    _ findings: TraceFindings?, _ losses: TraceLosses?, wrongDates: RowCount?
  ) -> [(String, JSONValue)] {
    let wrongDates = findings?.wrongDates ?? wrongDates
    let believesSpeeds = findings.map { $0.wrongSpeeds == nil }
    return [
      ("trace_rows_skipped", .count(losses?.rows)),
      ("trace_first_skipped", json(losses?.firstRow)),
      ("trace_cut_off", json(losses?.cut)),
      ("trace_dates_skipped", .count(wrongDates?.count)),
      ("trace_first_date_skipped_line", .count(wrongDates?.first?.line)),
      ("trace_wrong_by_file_left_out", .count(losses?.markedInvalid)),
      ("trace_values_left_out", .count(losses?.values)),
      ("trace_first_value_left_out", json(losses?.firstValue)),
      ("trace_heights_left_out", .count(losses?.heights.count)),
      ("trace_repeats_left_out", .count(findings?.repeats.count)),
      ("trace_disordered", .count(findings?.disorder.count)),
      ("trace_speeds_believed", believesSpeeds.map { .bool($0) } ?? .null),
      ("trace_zone", .text(losses?.firstWithoutZone == nil ? nil : "assumed UTC")),
    ]
  }

  private static func json(_ fault: TraceError?) -> JSONValue {
    guard let fault else { return .null }
    return .object([("line", .count(fault.line)), ("reason", .string(fault.reason))])
  }

  public static func noZone(line: Int) -> String {
    "its times name no zone (line \(line)): they count as UTC"
  }

  static func text(_ time: UTCInstant) -> String { ISO8601.text(time, digits: 0) }
}

extension RowCount {
  /// For wrong dates; nil: there were none.
  public var sentence: String? {
    guard let first else { return nil }
    return "skipped \(Counted.text(count, "wrong date")), contradicted by those before and after, "
      + "the first: \(first.place), \(TraceFindings.text(first.sample.time))"
  }
}

/// The time span of a trace, and its gaps.
public struct TraceSpan: Equatable, Sendable {
  /// A longer gap is reported.
  private static let longestPause = Seconds.days(1)

  public struct Hole: Equatable, Sendable {
    public let start: UTCInstant
    public let end: UTCInstant
    /// Place of the position after it, in the file.
    public let place: String
    public var length: Seconds { end - start }
  }

  /// The time of its first position; nil: none.
  public private(set) var first: UTCInstant?
  /// The time of the last one.
  public private(set) var last: UTCInstant?
  /// The number of different times.
  private(set) var moments = 0
  public private(set) var holes = 0
  public private(set) var longestHole: Hole?

  /// For no position.
  public init() {}

  /// - Parameter row: not earlier than the one before.
  public mutating func take(_ row: TraceRow) {
    let time = row.sample.time
    defer { last = time }
    guard let last else {
      first = time
      moments = 1
      return
    }
    if time != last { moments += 1 }
    guard time - last > Self.longestPause else { return }
    holes += 1
    let hole = Hole(start: last, end: time, place: row.place)
    if hole.length > longestHole?.length ?? 0 { longestHole = hole }
  }

  /// Its start and end, with its longest gap, as text for people.
  public var text: String {
    guard let first, let last else { return "no position" }
    var text = "from \(TraceFindings.text(first)) to \(TraceFindings.text(last))"
    guard let longestHole else { return text }
    text += ", with \(Counted.text(holes, "hole")) of more than a day, the longest "
    return text + longestHole.text
  }
}

extension TraceSpan {
  /// Days since 1899, for 1954 to 2119, as the seconds that they are read as.
  private static let days: ClosedRange<Double> = 20_000...80_000
  private static let slowest: Seconds = 0.1
  private static let endOf1970 = UTCInstant(seconds: 31_536_000)
  /// The year 2000: until then positions were degraded on purpose, and receivers were rare.
  private static let oldest = UTCInstant(seconds: 946_684_800)
  /// The clocks of two machines differ, and so do their zones if times have none.
  private static let mostAhead: Seconds = .days(1)

  /// Whether its times look like numbers of days rather than of seconds.
  var areDaysOfSpreadsheet: Bool {
    guard let first, let last, moments > 1 else { return false }
    return [first, last].allSatisfy { Self.days.contains(Double($0.nanoseconds) / 1e9) }
      && last - first < Self.slowest * Double(moments)
  }

  /// What is implausible about its times; nil: they may be dates.
  /// - Parameter now: the machine's time; nil: it was not set.
  public func clockSentence(now: UTCInstant?) -> String? {
    guard let first, let last else { return nil }
    if first >= UTCInstant(seconds: 0), last < Self.endOf1970 {
      return "all its times are of 1970: they are seconds since its start, or the clock was never "
        + "set"
    }
    let ends = "its times go from \(TraceFindings.text(first)) to \(TraceFindings.text(last))"
    if last < Self.oldest {
      return ends + ": positions before 2000 are unlikely; perhaps they are counted from a "
        + "date other than 1970"
    }
    guard let now, last > now + Self.mostAhead else { return nil }
    return ends + ": \(Self.inWords(last, after: now)) ahead of this machine's clock"
  }

  /// Two dates may be further apart than nanoseconds can represent.
  private static func inWords(_ time: UTCInstant, after now: UTCInstant) -> String {
    let days = Int((Double(time.nanoseconds) - Double(now.nanoseconds)) / 86_400e9)
    return days < 365 ? Counted.text(days, "day") : Counted.text(days * 4 / 1461, "year")
  }

  /// Nil: there are none.
  public var holesSentence: String? { longestHole == nil ? nil : "it extends \(text)" }
}

extension TraceSpan.Hole {
  public var text: String {
    "of \(Counted.text(Int(length / .days(1)), "day")) from \(TraceFindings.text(start)) to "
      + "\(TraceFindings.text(end)) (\(place))"
  }
}
