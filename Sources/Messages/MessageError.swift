/// Why a message from elsewhere means nothing.
public struct MessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The member: "lat", "waypoints[2].rad"; empty: the message as a whole.
  public let path: String
  public let reason: String

  init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  func inside(_ outer: String) -> MessageError {
    MessageError(path.isEmpty ? outer : "\(outer).\(path)", reason)
  }

  public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}
