/// What of a trace could not be read. Counted, and kept only as far as a message needs it: a
/// hostile file may have nothing else.
public struct TraceLosses: Equatable, Sendable {
  /// Rows of a table or track points that were passed over.
  public private(set) var rows = 0
  /// The first of them, with its line.
  public private(set) var firstRow: TraceError?
  /// Where the file ends before its own end, as a loss of power leaves it; nil when it is whole.
  public internal(set) var cut: TraceError?

  mutating func pass(over row: TraceError) {
    rows += 1
    firstRow = firstRow ?? row
  }

  /// The first of everything that is wrong.
  public var first: TraceError? { firstRow ?? cut }
}
