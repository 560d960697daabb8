/// One message to a broker, with its items from the outbox.
struct OutgoingMessage: Equatable, Sendable {
  /// The number of its first item.
  var number: Int64 { items[0].number }
  let items: [OutboxItem]
  let recipient: Recipient
  let message: BrokerMessage
}
