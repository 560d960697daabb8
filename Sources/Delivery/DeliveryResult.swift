/// The result for a message.
public struct DeliveryResult: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    /// An intermediary has it; the recipient itself has not acknowledged it yet, but will.
    case handedOver
    /// The recipient has it, as far as its protocol shows.
    case received
    /// The recipient will never accept it, for this reason.
    case refused(String)
    /// The recipient fails at it, and accepts others: it is tried after them.
    case failed
  }

  /// Its number in the outbox.
  public var number: Int64
  public var outcome: Outcome

  public init(_ number: Int64, _ outcome: Outcome) {
    self.number = number
    self.outcome = outcome
  }
}
