import Delivery
import Core

/// Tracks the subscriptions that the broker refuses on this connection.
struct Subscriptions {
  /// Its access rules may be corrected while the connection lasts.
  private static let retryPause: Seconds = 900

  private let plan: BrokerPlan
  private var refused: Set<String> = []
  /// When refused subscriptions are tried again; nil: there are none.
  private(set) var retriesAt: BootInstant?

  init(_ plan: BrokerPlan) { self.plan = plan }

  /// A connection begins.
  mutating func begin() { self = Self(plan) }

  mutating func record(accepted: [String], refused topics: [String], at now: BootInstant) {
    refused.subtract(accepted)
    refused.formUnion(topics)
    retriesAt = refused.isEmpty ? nil : now + Self.retryPause
  }

  /// - Returns: the topics to subscribe to again now.
  mutating func retry(at now: BootInstant) -> [String] {
    guard let due = retriesAt, due <= now else { return [] }
    retriesAt = now + Self.retryPause
    return refused.sorted()
  }

  /// The transports without subscriptions under these settings.
  var unused: [UplinkTransport] {
    (plan.receiptTopic == nil ? [.receipts] : []) + (plan.requestTopics.isEmpty ? [.requests] : [])
  }

  /// By transport: why subscriptions are refused; nil: all are accepted.
  var problems: [(way: UplinkTransport, why: String?)] {
    let receipts = refused.filter { $0 == plan.receiptTopic }
    return [
      (
        .receipts,
        Self.why(receipts, "no receipt of the collector arrives, so nothing is sent to it again")
      ),
      (
        .requests,
        Self.why(refused.subtracting(receipts), "messages of others there are not received")
      ),
    ]
  }

  private static func why(_ topics: Set<String>, _ consequence: String) -> String? {
    guard let first = topics.min() else { return nil }
    let more = topics.count > 1 ? " and \(topics.count - 1) more" : ""
    return "the broker does not let the board subscribe to \(first)\(more): \(consequence); "
      + "check its access rules (docs/manual/uplink.md, access list)"
  }
}
