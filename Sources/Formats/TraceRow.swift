/// A position of a trace file, and where in the file it stands.
public struct TraceRow: Hashable, Sendable {
  /// What is counted to say where it stands. What a receiver has sent may have no lines: there it
  /// is the fixes, as `decode` prints them.
  public enum Unit: String, Sendable { case line, fix }

  public var sample: TraceSample
  /// Counted from 1.
  public let line: Int
  public let unit: Unit
  /// Which of the reader's individuals it is of; nil where the file names none.
  public let individual: UInt16?
  /// Whether it is of an item that tells from when to when it goes: those follow no common order,
  /// and bear each other out.
  public let isOfItem: Bool

  public init(
    _ sample: TraceSample, line: Int, unit: Unit = .line, individual: UInt16? = nil,
    isOfItem: Bool = false
  ) {
    self.sample = sample
    self.line = line
    self.unit = unit
    self.individual = individual
    self.isOfItem = isOfItem
  }

  /// For people.
  public var place: String { "\(unit.rawValue) \(line)" }
}
