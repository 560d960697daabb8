import Core

/// What was unreadable in a trace, and what had to be assumed. It is counted, and kept only as far
/// as a message needs it: a hostile file may contain nothing else.
public struct TraceLosses: Equatable, Sendable {
  /// Rows of a table or track points that were skipped.
  public private(set) var rows = 0
  /// The first of them, with its line.
  public private(set) var firstRow: TraceError?
  /// Unreadable heights, accuracies and speeds of usable positions.
  public private(set) var values = 0
  public private(set) var firstValue: TraceError?
  /// Impossible heights of usable positions.
  public internal(set) var heights = RowCount()
  /// Positions that the file itself marks as wrong.
  public private(set) var markedInvalid = 0
  /// The line of the first of them.
  private(set) var firstMarkedInvalid: Int?
  /// Items with a position that are not part of the trace, such as the stays in an export.
  public private(set) var places = 0
  /// The line of the first time without a zone.
  public private(set) var firstWithoutZone: Int?
  /// Whether another one has a zone.
  private(set) var namesZone = false
  /// Where the file was truncated, for example by a loss of power; nil if it is complete.
  public internal(set) var cut: TraceError?

  mutating func skip(over row: TraceError) {
    rows += 1
    firstRow = firstRow ?? row
  }

  mutating func leaveOut(value: TraceError) {
    values += 1
    firstValue = firstValue ?? value
  }

  mutating func skipMarkedInvalid(at line: Int) {
    markedInvalid += 1
    firstMarkedInvalid = firstMarkedInvalid ?? line
  }

  mutating func leaveOut(places count: Int) { places += count }

  mutating func note(namesZone: Bool, at line: Int) {
    if namesZone {
      self.namesZone = true
    } else {
      firstWithoutZone = firstWithoutZone ?? line
    }
  }

  /// The first problem of any kind that cost a position.
  public var first: TraceError? { firstRow ?? cut }
}
