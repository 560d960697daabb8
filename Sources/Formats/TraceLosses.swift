import Core

/// What could not be read in a trace, and what had to be assumed. Counted, and kept only as far as
/// a message needs it: a hostile file may contain nothing else.
public struct TraceLosses: Equatable, Sendable {
  /// Rows of a table or track points that were skipped.
  public private(set) var rows = 0
  /// The first of them, with its line.
  public private(set) var firstRow: TraceError?
  /// Heights, accuracies and speeds that are none, of positions that count.
  public private(set) var values = 0
  public private(set) var firstValue: TraceError?
  /// Heights that cannot be, of positions that count.
  public internal(set) var heights = RowCount()
  /// Positions that the file itself calls wrong.
  public private(set) var disowned = 0
  /// The line of the first of them.
  public private(set) var firstDisowned: Int?
  /// What has a place without being a position of the trace, as the stays of an export.
  public private(set) var places = 0
  /// The line of the first time that says nothing of its zone.
  public private(set) var firstWithoutZone: Int?
  /// Whether another one does.
  private(set) var namesZone = false
  /// Where the file was truncated, as by a loss of power; nil when it is complete.
  public internal(set) var cut: TraceError?

  mutating func pass(over row: TraceError) {
    rows += 1
    firstRow = firstRow ?? row
  }

  mutating func leaveOut(value: TraceError) {
    values += 1
    firstValue = firstValue ?? value
  }

  mutating func leaveOutDisowned(at line: Int) {
    disowned += 1
    firstDisowned = firstDisowned ?? line
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
