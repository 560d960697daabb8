/// Where a trace stopped making sense, and why.
public struct TraceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Counted from 1.
  public let line: Int
  /// What is wrong and what would be right.
  public let reason: String

  public init(line: Int, _ reason: String) {
    self.line = line
    self.reason = reason
  }

  public var description: String { "line \(line): \(reason)" }
}
