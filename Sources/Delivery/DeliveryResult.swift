/// What became of a message.
public struct DeliveryResult: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    /// Somebody on the way has it; the recipient has not said yet that it has, and does say so.
    case handedOver
    /// The recipient has it, as far as its protocol can tell.
    case received
    /// The recipient will never take it, for this reason.
    case refused(String)
    /// The recipient fails at it, and takes others: it waits, and is tried after them.
    case failed
  }

  /// In the outbox.
  public var number: Int64
  public var outcome: Outcome

  public init(_ number: Int64, _ outcome: Outcome) {
    self.number = number
    self.outcome = outcome
  }
}
