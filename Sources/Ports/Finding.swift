/// What `godwit doctor` has found of one part of the board.
public struct Finding: Equatable, Sendable {
  public enum Verdict: String, Sendable { case ok, warn, fail }

  /// The part, as a stable key: "store", "receiver.line".
  public let part: String
  public let verdict: Verdict
  /// The situation and, unless all is well, what to do about it.
  public let text: String

  public static func ok(_ part: String, _ text: String) -> Finding {
    Finding(part: part, verdict: .ok, text: text)
  }

  public static func warn(_ part: String, _ text: String) -> Finding {
    Finding(part: part, verdict: .warn, text: text)
  }

  public static func fail(_ part: String, _ text: String) -> Finding {
    Finding(part: part, verdict: .fail, text: text)
  }
}
