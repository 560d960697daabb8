/// A fault of an alert, and how to correct it.
public struct AlertError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The column.
  public let part: String
  public let reason: String

  init(_ part: String, _ reason: String) {
    self.part = part
    self.reason = reason
  }

  public var description: String { "\(part): \(reason)" }
}
