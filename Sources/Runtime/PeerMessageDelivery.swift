import Messaging
import Core

/// What the uplink passes to the daemon: messages received from a broker, and the board's messages
/// that the broker has acknowledged.
package struct PeerMessageDelivery: Equatable, Sendable {
  /// One message, and its topic.
  package struct Item: Equatable, Sendable {
    package let topic: String
    /// In UTF-8.
    package let text: String

    package init(topic: String, text: String) {
      self.topic = topic
      self.text = text
    }
  }

  package var arrived: [Item]
  package var sent: [Item]
  /// Whether the broker has no state from the board's earlier connections.
  package var isForgotten: Bool

  package init(arrived: [Item] = [], sent: [Item] = [], isForgotten: Bool = false) {
    self.arrived = arrived
    self.sent = sent
    self.isForgotten = isForgotten
  }

  package var events: [MessagingEvent] {
    (isForgotten ? [.forgotten] : [])
      + sent.map { .acknowledged(topic: $0.topic, payload: Array($0.text.utf8)) }
      + arrived.map { .arrived(topic: $0.topic, payload: Array($0.text.utf8)) }
  }

  // MARK: JSON

  package init?(_ json: JSONValue) {
    guard let arrived = Self.items(json["arrived"]), let sent = Self.items(json["sent"]) else {
      return nil
    }
    let isForgotten = json["forgotten"]
    guard isForgotten == nil || isForgotten == .null || isForgotten?.bool != nil else { return nil }
    self.init(arrived: arrived, sent: sent, isForgotten: isForgotten?.bool ?? false)
  }

  private static func items(_ json: JSONValue?) -> [Item]? {
    guard let json, json != .null else { return [] }
    guard let list = json.array else { return nil }
    var items: [Item] = []
    for one in list {
      guard let topic = one["topic"]?.string, let text = one["text"]?.string else { return nil }
      items.append(Item(topic: topic, text: text))
    }
    return items
  }

  package var json: JSONValue {
    func list(_ items: [Item]) -> JSONValue {
      .array(items.map { .object([("topic", .string($0.topic)), ("text", .string($0.text))]) })
    }
    return .object([
      ("command", .string("mail")), ("arrived", list(arrived)), ("sent", list(sent)),
      ("forgotten", .bool(isForgotten)),
    ])
  }
}
