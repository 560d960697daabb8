/// The meaning of a broker's acknowledgement for a message.
enum AcknowledgementMeaning: Equatable {
  case accepted(DeliveryResult.Outcome)
  /// This message is refused; others may be accepted.
  case refused(Refusal)
  /// Nothing is accepted for this recipient.
  case blocked(String)

  struct Refusal: Equatable {
    var why: String
    /// Whether the message itself is the reason: the same broker will not accept it later.
    var isLasting = true
  }

  init(_ reason: PublishReason, of outgoing: OutgoingMessage) {
    switch reason {
    // The broker keeps a retained message for later subscribers, but only the newest one.
    case .noSubscribers where outgoing.recipient.traits.contains(.newestOnly):
      self = .accepted(.received)
    case .success:
      let isReceived = !outgoing.recipient.traits.contains(.acknowledges)
      self = .accepted(isReceived ? .received : .handedOver)
    default: self = Self.refusal(reason, of: outgoing)
    }
  }

  private static func refusal(_ reason: PublishReason, of outgoing: OutgoingMessage)
    -> AcknowledgementMeaning
  {
    switch reason.code {
    // MQTT 5, 2.4: not authorized. A refusal for one person's topic does not concern the others.
    case 0x87 where outgoing.recipient.traits.contains(.waitsInStore):
      .refused(Refusal(why: reason.text))
    // The topic's name, the packet's size, the payload's format; and messages that cannot be sent
    // at all.
    case 0x81, 0x90, 0x95, 0x99:
      .refused(Refusal(why: "\(reason.text) (\(outgoing.message.size) bytes)"))
    // Unspecified, and implementation-specific: because of this message, or of a temporary state.
    case 0x80, 0x83:
      .refused(Refusal(why: "\(reason.text) (\(outgoing.message.size) bytes)", isLasting: false))
    default: .blocked(reason.text)
    }
  }
}
