/// One message to a broker, and what of the outbox is in it.
struct OutgoingMessage: Equatable, Sendable {
  /// That of the first of its items: its own, too.
  var number: Int64 { items[0].number }
  let items: [OutboxItem]
  let recipient: Recipient
  let message: BrokerMessage
}
