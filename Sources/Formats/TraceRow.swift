/// A position of a trace file, with its place in the file.
public struct TraceRow: Hashable, Sendable {
  /// The unit of that place. A receiver's output may have no lines: there the fixes are counted, as
  /// printed by `decode`.
  public enum Unit: String, Sendable { case line, fix }

  public var sample: TraceSample
  /// Counted from 1.
  public let line: Int
  public let unit: Unit
  /// The index of its individual; nil if the file names none.
  public let individual: UInt16?
  /// Whether it belongs to an item with a start and an end: those have no common order, and confirm
  /// each other.
  let isOfItem: Bool

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

  /// As text for people.
  public var place: String { "\(unit.rawValue) \(line)" }
}
