/// An error in a message or a document: what is wrong, where, and how to correct it.
public struct MessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part of the message: "to[2]", "region.radius_m"; indices count from 0. Empty: all of it.
  public let path: String
  /// What is wrong there, and what would be correct.
  public let reason: String

  public init(_ reason: String, at path: String = "") {
    self.path = path
    self.reason = reason
  }

  public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }

  /// The same error, with its path inside a larger part.
  public func within(_ outer: String) -> MessageError {
    if path.isEmpty { return MessageError(reason, at: outer) }
    return MessageError(reason, at: path.first == "[" ? outer + path : "\(outer).\(path)")
  }
}
