import Core

/// The rows of a trace file that are used, in the order of the file: of the chosen individual, if
/// any, and without dates that contradict their neighbours.
struct TraceFilter {
  private let individual: String?
  private var unset = UnsetClock()
  private var dates = OutlierDates<TraceRow> { $0.isOfItem ? nil : $0.sample.time }
  private(set) var others = 0
  private(set) var wrongDates = RowCount()
  /// Rows without which nothing is missing: their dates are wrong, or they are delayed.
  private(set) var doubtful: [TraceRow] = []
  private static let mostDoubtful = 10_000

  /// - Parameter individual: nil: all of them.
  init(individual: String?) { self.individual = individual.map(TraceIndividuals.name) }

  mutating func take(
    _ row: TraceRow, of individuals: TraceIndividuals?, _ pass: (TraceRow) -> Void
  ) {
    if let individual {
      let name = row.individual.flatMap { individuals?.name(of: $0) }
      guard name == individual else { return others += 1 }
    }
    var refused: [TraceRow] = []
    var set: [TraceRow] = []
    unset.take(row, pass: { set.append($0) }, refuse: { refused.append($0) })
    for row in refused { wrongDates.add(row) }
    for row in set { assess(row, pass) }
  }

  mutating func finish(_ pass: (TraceRow) -> Void) {
    var set: [TraceRow] = []
    unset.finish { set.append($0) }
    for row in set { assess(row, pass) }
    var refused: [(TraceRow, Bool)] = []
    dates.finish(pass: pass) { refused.append(($0, $1)) }
    note(refused)
  }

  private mutating func assess(_ row: TraceRow, _ pass: (TraceRow) -> Void) {
    var refused: [(TraceRow, Bool)] = []
    dates.take(row, pass: pass) { refused.append(($0, $1)) }
    note(refused)
  }

  private mutating func note(_ refused: [(row: TraceRow, mayBeLate: Bool)]) {
    for (row, mayBeLate) in refused {
      if mayBeLate, doubtful.count < Self.mostDoubtful {
        doubtful.append(row)
      } else {
        wrongDates.add(row)
      }
    }
  }
}

/// Finds positions dated by a clock that was not set yet: on the first day of 1970, of 2000 or of
/// GPS time, in a file whose other dates are years later.
struct UnsetClock {
  private static let starts: [UTCInstant] = [0, 315_964_800, 946_684_800].map {
    UTCInstant(seconds: $0)
  }
  private static let longestRun: Seconds = .days(1)
  private static let leastDistance: Seconds = .days(365)
  /// A recorder that begins with more has no other dates.
  private static let mostHeld = 10_000

  /// The first rows of the file; nil once a row has another date.
  private var held: [TraceRow]? = []
  /// The last date that is not from an unset clock.
  private var known: UTCInstant?

  mutating func take(
    _ row: TraceRow, pass: (TraceRow) -> Void, refuse: (TraceRow) -> Void
  ) {
    let isStart = Self.isStart(row)
    if !isStart { known = row.sample.time }
    guard var waiting = held else { return judge(row, pass, refuse) }
    held = nil
    waiting.append(row)
    guard !isStart || waiting.count > Self.mostHeld else { return held = waiting }
    for early in waiting { judge(early, pass, refuse) }
  }

  mutating func finish(_ pass: (TraceRow) -> Void) {
    held?.forEach(pass)
    held = nil
  }

  private func judge(
    _ row: TraceRow, _ pass: (TraceRow) -> Void, _ refuse: (TraceRow) -> Void
  ) {
    let isWrong = known.map { $0 - row.sample.time > Self.leastDistance } ?? false
    if isWrong, Self.isStart(row) { refuse(row) } else { pass(row) }
  }

  private static func isStart(_ row: TraceRow) -> Bool {
    starts.contains { (0..<longestRun).contains(row.sample.time - $0) }
  }
}

/// A number of rows, and the first of them.
public struct RowCount: Equatable, Sendable {
  public private(set) var count = 0
  public private(set) var first: TraceRow?

  /// No rows.
  public init() {}

  public mutating func add(_ row: TraceRow) {
    count += 1
    first = first.map { $0.line <= row.line ? $0 : row } ?? row
  }
}
