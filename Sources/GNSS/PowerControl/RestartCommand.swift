import Core

/// A command to start again that the receiver was sent, and what became of it.
public struct RestartCommand: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    /// Receivers of its family say nothing to it: what they do then is all that tells.
    case sent
    /// The receiver has until then to answer.
    case awaited(until: BootInstant)
    case accepted
    /// Why.
    case refused(String)
    case unanswered
  }

  /// A receiver that starts as a whole is heard again after a second or two.
  static let patience: Seconds = 3

  public let kind: RestartKind
  public let sent: BootInstant
  public private(set) var outcome: Outcome

  /// - Parameter isAnswered: whether the answer of its family reaches the host.
  init(_ kind: RestartKind, isAnswered: Bool, at now: BootInstant) {
    self.kind = kind
    sent = now
    outcome = isAnswered ? .awaited(until: now + Self.patience) : .sent
  }

  /// When no answer is expected any longer; nil: none is, or it has come.
  var due: BootInstant? { if case .awaited(let until) = outcome { until } else { nil } }

  /// Why the receiver has not started again, as far as its answers say; nil: nothing speaks for
  /// that.
  public var failure: String? {
    switch outcome {
    case .sent, .awaited, .accepted: nil
    case .refused(let why): "the receiver was not started again: \(why)"
    case .unanswered:
      "the receiver has not acknowledged the command to start again, as its family does"
    }
  }

  /// What is said long after it is about something else.
  mutating func hear(_ reply: RestartReply, at now: BootInstant) {
    guard now - sent <= Self.patience, outcome == .sent || due != nil else { return }
    switch reply {
    case .accepted: outcome = .accepted
    case .refused(let why): outcome = .refused(why)
    }
  }

  mutating func timePassed(at now: BootInstant) {
    if let due, now >= due { outcome = .unanswered }
  }

  /// What has just been sent did not leave the board.
  mutating func unsent(_ why: String, at now: BootInstant) {
    if sent == now { outcome = .refused(why) }
  }

  /// It can no longer answer.
  mutating func interrupt() {
    if due != nil { outcome = .unanswered }
  }
}
