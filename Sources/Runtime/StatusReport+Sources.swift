import Core
import Tracking

/// The part of the status on sources of evidence of rest and movement: their reliability, and the
/// resulting estimate.
extension StatusReport {
  var sources: JSONValue { .array(runtime.tracker.sources.map(describe)) }

  private func describe(_ source: SourceHealth) -> JSONValue {
    .object([
      ("name", .string(source.name)),
      ("trusted", .bool(source.isTrusted)),
      ("confirmed", .count(source.confirmations)),
      ("contradicted", .count(source.contradictions)),
      ("says", .text(source.lastReport)),
      ("failed", .bool(source.hasFailed)),
      ("heard_ago_s", .rounded(source.lastReportTime.map { max(0, (now - $0).value) }, digits: 1)),
    ])
  }

  /// The estimate whether the board rests or moves.
  var motion: JSONValue {
    let motion = runtime.tracker.motion
    let (state, since): (String, BootInstant?) =
      switch motion.state {
      case .unknown: ("unknown", nil)
      case .resting(let since): ("resting", since)
      case .moving(let since): ("moving", since)
      }
    return .object([
      ("state", .string(state)),
      ("since", since.map(time) ?? .null),
      ("since_ago_s", .rounded(since.map { max(0, (now - $0).value) }, digits: 1)),
      ("watched", .bool(motion.isMonitored)),
    ])
  }

  /// The last report of one source, and the resulting estimate.
  func source(_ name: String) -> JSONValue {
    .object([
      ("source", runtime.tracker.sources.first { $0.name == name }.map(describe) ?? .null),
      ("belief", motion),
    ])
  }
}
