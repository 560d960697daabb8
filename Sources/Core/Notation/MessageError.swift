/// What is wrong with what somebody has written or sent, where, and what to do about it.
public struct MessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part of the message: "to[2]", "region.radius_m"; numbers count from 0. Empty for all of
  /// it.
  public let path: String
  /// What is wrong there, and what would be right.
  public let reason: String

  public init(_ reason: String, at path: String = "") {
    self.path = path
    self.reason = reason
  }

  public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }

  /// The same, with the part in a larger one.
  public func within(_ outer: String) -> MessageError {
    if path.isEmpty { return MessageError(reason, at: outer) }
    return MessageError(reason, at: path.first == "[" ? outer + path : "\(outer).\(path)")
  }
}
