/// What a broker's acknowledgement means for a message.
enum Verdict: Equatable {
  case taken(DeliveryResult.Outcome)
  /// This message is not taken; others may be.
  case refused(Refusal)
  /// For this recipient nothing is taken.
  case notNow(String)

  struct Refusal: Equatable {
    var why: String
    /// Whether it follows from the message itself: the same broker will not take it later.
    var isLasting = true
  }

  init(_ reason: PublishReason, of outgoing: OutgoingMessage) {
    switch reason {
    // A retained message stays with the broker for who comes later; only the newest does.
    case .nobodySubscribed
    where outgoing.recipient == .homeAssistant || outgoing.recipient == .people:
      self = .taken(.received)
    case .success: self = .taken(outgoing.recipient == .collector ? .handedOver : .received)
    default: self = Self.refusal(reason, of: outgoing)
    }
  }

  private static func refusal(_ reason: PublishReason, of outgoing: OutgoingMessage) -> Verdict {
    switch reason.code {
    // MQTT 5, 2.4: not authorized. That nobody may write to one person says nothing of the others.
    case 0x87 where outgoing.recipient == .people: .refused(Refusal(why: reason.text))
    // The topic's name, the packet's size, the payload's form; and what cannot be sent at all.
    case 0x81, 0x90, 0x95, 0x99:
      .refused(Refusal(why: "\(reason.text) (\(outgoing.message.size) bytes)"))
    // Unspecified, and of the broker's own: about this message, maybe, or about this moment.
    case 0x80, 0x83:
      .refused(Refusal(why: "\(reason.text) (\(outgoing.message.size) bytes)", isLasting: false))
    default: .notNow(reason.text)
    }
  }
}
