/// An effect of a connection to a broker.
public enum BrokerSessionEffect: Equatable, Sendable {
  case connect(BrokerAddress)
  /// Replaces the present connection, and discards the session at the broker.
  case connectAnew(BrokerAddress)
  /// More was received under that topic, and others, than the limit: no messages to the board are
  /// accepted before `listenAgain`, or the next connection.
  case flooded(String)
  case listenAgain
  case subscribe([String])
  case fetch(Recipient, after: Int64, atMost: Int)
  case publish(BrokerMessage, number: Int64)
  case storeResults([DeliveryResult])
  case collected(CollectorReceipt)
  /// A message for the board was received.
  case received(BrokerEvent.Message)
  /// Nothing more is sent to a followed recipient for the time being; whether something was sent
  /// before.
  case finished(Recipient, gotSome: Bool)
  /// The broker's acknowledgement of an answer.
  case answered(BrokerMessage, PublishReason)
  /// Nothing more is sent to a recipient for now, and why.
  case blocked(Recipient, String)
  /// A recipient that was blocked, on this or the last connection, is served again.
  case unblocked(Recipient)
  case disconnect
  case ended(BrokerSession.Ending)
}
