import Core
import GNSS
import Tracking

/// A user's request to restart the receiver: whether it is possible, and its outcome.
package struct ReceiverRestart {
  private let runtime: TrackerRuntime

  package init(_ runtime: TrackerRuntime) { self.runtime = runtime }

  /// Sends the command, unless the receiver would not receive it, not support it, or be switched
  /// off at once. Its answer comes later and is part of the status.
  ///
  /// - Returns: why there is no restart; nil: no objection so far.
  package func perform(_ kind: RestartKind, at now: BootInstant) -> String? {
    if let why = objection(to: kind, at: now) { return why }
    runtime.command(.restart(kind), at: now)
    return runtime.power.sequencer.restartCommand?.failure
  }

  private func objection(to kind: RestartKind, at now: BootInstant) -> String? {
    if let why = runtime.tracker.objectionToRestart(at: now) {
      return "no fix is in demand now (\(why)), so a search would be aborted; "
        + "godwit gnss on keeps the receiver on"
    }
    if let why = runtime.receiver.failure { return "the receiver cannot be commanded: \(why)" }
    return runtime.power.sequencer.objection(to: kind)
  }

  /// The last command, including one that the daemon issued itself; null: none was issued in this
  /// run.
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
