/// What a visit to a broker wants done.
public enum BrokerSessionEffect: Equatable, Sendable {
  case connect(BrokerAddress)
  /// Instead of the connection that there is, with nothing that the broker has kept for the board.
  case connectAnew(BrokerAddress)
  /// More has come in under that topic, and others, than a visit takes: nothing that is sent to
  /// the board is taken any more before `listenAgain`, or the next visit.
  case flooded(String)
  case listenAgain
  case subscribe([String])
  case fetch(Recipient, after: Int64, atMost: Int)
  case publish(BrokerMessage, number: Int64)
  case settle([DeliveryResult])
  case collected(CollectorReceipt)
  /// Somebody has sent us something.
  case hear(BrokerEvent.Message)
  /// Somebody who is followed gets nothing more for the time being, and got something before.
  case finished(Recipient, gotSome: Bool)
  /// What the broker says to an answer.
  case answered(BrokerMessage, PublishReason)
  /// A recipient gets nothing more for now, and why.
  case blocked(Recipient, String)
  /// A recipient that got nothing more, at this visit or at the last one, gets something again.
  case unblocked(Recipient)
  case disconnect
  case ended(BrokerSession.Ending)
}
