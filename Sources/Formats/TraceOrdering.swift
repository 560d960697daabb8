import Core

/// Examines a whole trace file before any of it is used, and sorts it by time.
///
/// A file in order need not be kept: it is read once more. Another one is sorted, as far as memory
/// allows.
public struct TraceOrdering {
  /// For a file that is not in order: six days at one position a second. They take about 70 MB.
  public static let mostSorted = 500_000
  /// A file with fewer usable positions than this share is not a trace.
  public static let leastShare = 0.02
  private static let fewestRows = 10
  /// Fewer names may well be people with one position each.
  private static let fewestNumbers = 50

  private let individual: String?
  private let mostKept: Int
  private var filter: TraceFilter
  private var kept: [TraceRow]? = []
  private var last: TraceRow?
  private var speeds = ReportedSpeeds()
  private var leaps = Leaps()
  private var conflicts = TrackConflicts()
  /// Rows of individuals within the limit.
  private var distinguished = 0
  public private(set) var findings = TraceFindings()

  /// - Parameters:
  ///   - individual: the individual to use, by its name in the file; nil: all.
  ///   - mostKept: limit of positions that are kept.
  ///   - now: the machine's time; nil: it was not set.
  public init(
    individual: String? = nil, mostKept: Int = mostSorted, now: UTCInstant? = nil
  ) {
    findings.now = now
    self.individual = individual.map(TraceIndividuals.name)
    self.mostKept = mostKept
    filter = TraceFilter(individual: individual)
  }

  /// Whether it will be refused whatever follows.
  public var isTooLongToSort: Bool { kept == nil && findings.disorder.count > 0 }

  public mutating func take(_ rows: [TraceRow], of individuals: TraceIndividuals?) {
    var passed: [TraceRow] = []
    for row in rows {
      if row.individual != TraceIndividuals.beyond { distinguished += 1 }
      filter.take(row, of: individuals) { passed.append($0) }
    }
    for row in passed { note(row) }
  }

  /// - Parameter losses: of the reader; nil if it has none.
  /// - Returns: all rows in the order of time; nil if the file is long and has to be read once
  ///   more, with `TraceRereading`.
  public mutating func finish(
    _ losses: TraceLosses?, of individuals: TraceIndividuals?
  ) throws(TraceRefusal) -> [TraceRow]? {
    var passed: [TraceRow] = []
    filter.finish { passed.append($0) }
    for row in passed { note(row) }
    findings.others = filter.others
    findings.wrongDates = filter.wrongDates
    findings.wrongSpeeds = speeds.firstWrong
    try choose(among: individuals)
    var rows = kept
    kept = nil
    readmitLate(to: &rows)
    if findings.disorder.count > 0 {
      guard rows != nil else { throw .tooLong(findings.disorder.first, mostKept) }
      sort(&rows)
      findings.span = TraceSpan()
      leaps = Leaps()
      conflicts = TrackConflicts()
      for row in rows ?? [] { examine(at: row) }
    }
    try refuseTracksApart(individuals)
    if let first = leaps.first, leaps.areMany(of: findings.positions) {
      throw .leaps(leaps.count, of: findings.positions, first, losses)
    }
    try checkShares(losses)
    if findings.span.areDaysOfSpreadsheet { throw .noDates(findings.span) }
    if findings.wrongSpeeds != nil {
      for index in rows?.indices ?? 0..<0 { rows?[index].sample.speed = nil }
    }
    return rows
  }

  private mutating func note(_ row: TraceRow) {
    if let last, row.sample == last.sample { return findings.repeats.add(row) }
    findings.positions += 1
    if row.sample.accuracy == nil { findings.withoutAccuracy += 1 }
    speeds.take(row)
    if let last, row.sample.time < last.sample.time { findings.disorder.add(row) }
    last = row
    examine(at: row)
    kept?.append(row)
    if findings.positions > mostKept { kept = nil }
  }

  /// - Parameter row: in the order of time.
  private mutating func examine(at row: TraceRow) {
    findings.span.take(row)
    leaps.take(row)
    conflicts.take(row)
  }

  /// Adds delayed rows back: their dates do not fit their neighbours, but fit elsewhere.
  private mutating func readmitLate(to rows: inout [TraceRow]?) {
    let inOrder = filter.doubtful.isEmpty ? nil : rows?.sorted { $0.sample.time < $1.sample.time }
    let others = DelayedRows(among: inOrder ?? [])
    for row in filter.doubtful {
      guard others.isLate(row) else {
        findings.wrongDates.add(row)
        continue
      }
      findings.positions += 1
      if row.sample.accuracy == nil { findings.withoutAccuracy += 1 }
      findings.disorder.add(row)
      rows?.append(row)
    }
  }

  /// Stable, so that of two positions at one time the first of the file stays first; without
  /// duplicates, which need not be adjacent in such a file.
  private mutating func sort(_ rows: inout [TraceRow]?) {
    rows?.sort { ($0.sample.time, $0.line) < ($1.sample.time, $1.line) }
    var ofOneTime: Set<TraceSample> = []
    var time: UTCInstant?
    var repeats = findings.repeats
    rows?.removeAll { row in
      if row.sample.time != time { ofOneTime.removeAll(keepingCapacity: true) }
      time = row.sample.time
      if ofOneTime.insert(row.sample).inserted { return false }
      repeats.add(row)
      return true
    }
    findings.repeats = repeats
  }

  // MARK: Refusals

  private func choose(among individuals: TraceIndividuals?) throws(TraceRefusal) {
    guard let individuals, individuals.nameAny else {
      if individual != nil { throw .noIndividuals }
      return
    }
    if let individual {
      guard individuals.names.contains(individual) else {
        throw .unknownIndividual(individual, individuals)
      }
    } else if individuals.kind == .named, individuals.names.count > 1,
      !areNumbersOfRows(individuals)
    {
      throw .individuals(individuals)
    }
  }

  /// Whether nearly each row has its own number, which identifies nothing. The rule is less strict
  /// for possible tracks of one person than for names of persons or devices.
  private func areNumbersOfRows(_ individuals: TraceIndividuals) -> Bool {
    let count = individuals.names.count
    switch individuals.kind {
    case .tracks: return count * 2 >= distinguished
    case .named: return count >= Self.fewestNumbers && count * 10 >= distinguished * 9
    }
  }

  private func refuseTracksApart(_ individuals: TraceIndividuals?) throws(TraceRefusal) {
    guard let individuals, individuals.kind == .tracks, let found = conflicts.found,
      !areNumbersOfRows(individuals)
    else { return }
    throw .tracks(
      [found.one, found.other].map { individuals.name(of: $0) ?? "another" }, line: found.line)
  }

  private func checkShares(_ losses: TraceLosses?) throws(TraceRefusal) {
    let unreadable = losses?.rows ?? 0
    let all = findings.positions + findings.wrongDates.count + unreadable
    guard all >= Self.fewestRows else { return }
    let least = Double(all) * Self.leastShare
    let moments = findings.span.moments
    if findings.positions >= Self.fewestRows,
      moments == 1 || Double(moments) < Double(findings.positions) * Self.leastShare
    {
      throw .fewTimes(findings.positions, findings.span)
    }
    if Double(findings.positions) < least, let first = losses?.firstRow {
      throw .fewRows(findings.positions, of: all, first)
    }
  }
}

/// Reads a long trace once more that is known to be in order.
public struct TraceRereading {
  private var filter: TraceFilter
  private let takesSpeeds: Bool
  private var last: TraceSample?

  public init(individual: String?, _ findings: TraceFindings) {
    filter = TraceFilter(individual: individual)
    takesSpeeds = findings.wrongSpeeds == nil
  }

  public mutating func take(
    _ rows: [TraceRow], of individuals: TraceIndividuals?, into samples: inout [TraceSample]
  ) {
    var passed: [TraceRow] = []
    for row in rows { filter.take(row, of: individuals) { passed.append($0) } }
    append(passed, to: &samples)
  }

  public mutating func finish(into samples: inout [TraceSample]) {
    var passed: [TraceRow] = []
    filter.finish { passed.append($0) }
    append(passed, to: &samples)
  }

  private mutating func append(_ rows: [TraceRow], to samples: inout [TraceSample]) {
    for row in rows where row.sample != last {
      var sample = row.sample
      last = sample
      if !takesSpeeds { sample.speed = nil }
      samples.append(sample)
    }
  }
}
