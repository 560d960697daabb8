import Notation
import Quantities
import Tracking

/// What gives evidence of rest and movement, and whether it can be relied on.
extension StatusReport {
  var sources: JSONValue {
    .array(
      runtime.tracker.sources.map { source in
        .object([
          ("name", .string(source.name)),
          ("trusted", .bool(source.isTrusted)),
          ("confirmed", .count(source.confirmations)),
          ("contradicted", .count(source.contradictions)),
          (
            "heard_ago_s",
            .rounded(source.lastHeard.map { max(0, (now - $0).value) }, digits: 1)
          ),
        ])
      })
  }
}
