/// One message to a broker, and what of the outbox is in it.
struct Parcel: Equatable, Sendable {
  /// That of the first of its items: its own, too.
  var number: Int64 { numbers[0] }
  let numbers: [Int64]
  let recipient: Recipient
  let message: BrokerMessage
}
