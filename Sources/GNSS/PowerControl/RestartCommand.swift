import Core

/// A restart command that was sent to the receiver, and its result.
public struct RestartCommand: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    /// Receivers of this family do not acknowledge it: only their behaviour shows the result.
    case sent
    /// The receiver has until then to answer.
    case awaited(until: BootInstant)
    case accepted
    /// With the reason.
    case refused(String)
    case unanswered
  }

  /// A receiver that restarts completely sends output again after one or two seconds.
  static let timeout: Seconds = 3

  public let kind: RestartKind
  public let sent: BootInstant
  public private(set) var outcome: Outcome

  /// - Parameter isAnswered: whether the acknowledgement of its family reaches the host.
  init(_ kind: RestartKind, isAnswered: Bool, at now: BootInstant) {
    self.kind = kind
    sent = now
    outcome = isAnswered ? .awaited(until: now + Self.timeout) : .sent
  }

  /// The timeout of the answer; nil: none is expected, or it has arrived.
  var due: BootInstant? { if case .awaited(let until) = outcome { until } else { nil } }

  /// Why the receiver has not restarted, according to its answers; nil: no sign of a failure.
  public var failure: String? {
    switch outcome {
    case .sent, .awaited, .accepted: nil
    case .refused(let why): "the receiver was not restarted: \(why)"
    case .unanswered:
      "the receiver has not acknowledged the restart command, although its family does so"
    }
  }

  /// Late answers belong to another command.
  mutating func receive(_ reply: RestartReply, at now: BootInstant) {
    guard now - sent <= Self.timeout, outcome == .sent || due != nil else { return }
    switch reply {
    case .accepted: outcome = .accepted
    case .refused(let why): outcome = .refused(why)
    }
  }

  mutating func timePassed(at now: BootInstant) {
    if let due, now >= due { outcome = .unanswered }
  }

  /// The bytes that were just sent did not leave the board.
  mutating func unsent(_ why: String, at now: BootInstant) {
    if sent == now { outcome = .refused(why) }
  }

  /// It can no longer answer.
  mutating func interrupt() {
    if due != nil { outcome = .unanswered }
  }
}
