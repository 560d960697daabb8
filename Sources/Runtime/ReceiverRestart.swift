import Core
import GNSS
import Tracking

/// A user's wish that the receiver begin anew: whether it can be had, and what became of it.
package struct ReceiverRestart {
  private let runtime: TrackerRuntime

  package init(_ runtime: TrackerRuntime) { self.runtime = runtime }

  /// Tells the receiver, unless it would not hear it, not understand it, or be switched off at
  /// once. What it answers it can only say later: that stands in the status.
  ///
  /// - Returns: why it begins nothing anew; nil: nothing speaks against it so far.
  package func perform(_ kind: RestartKind, at now: BootInstant) -> String? {
    if let why = objection(to: kind, at: now) { return why }
    runtime.command(.restart(kind), at: now)
    return runtime.power.sequencer.restartCommand?.failure
  }

  private func objection(to kind: RestartKind, at now: BootInstant) -> String? {
    if let why = runtime.tracker.objectionToRestart(at: now) {
      return "nobody wants a fix now (\(why)), so a search would be broken off; "
        + "godwit gnss on keeps the receiver on"
    }
    if let why = runtime.receiver.failure { return "the receiver cannot be told anything: \(why)" }
    return runtime.power.sequencer.objection(to: kind)
  }

  /// The last order, also one that the daemon gave by itself; null: none was given in this run.
  func json(at now: BootInstant) -> JSONValue {
    guard let order = runtime.power.sequencer.restartCommand else { return .null }
    return .object([
      ("kind", .string(order.kind.rawValue)),
      ("age_s", .rounded((now - order.sent).value, digits: 1)),
      ("outcome", .string(order.outcome.word)),
      ("failure", .text(order.failure)),
    ])
  }
}

extension RestartCommand.Outcome {
  fileprivate var word: String {
    switch self {
    case .sent: "sent"
    case .awaited: "awaited"
    case .accepted: "acknowledged"
    case .refused: "refused"
    case .unanswered: "unanswered"
    }
  }
}
