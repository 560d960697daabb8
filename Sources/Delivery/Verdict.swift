/// What a broker's acknowledgement means for a message.
enum Verdict: Equatable {
  case taken(Settlement.Outcome)
  /// For this message.
  case never(String)
  /// For this recipient.
  case notNow(String)

  init(_ reason: PublishReason, of parcel: Parcel) {
    switch reason.code {
    // A retained message stays with the broker for who comes later; only the newest does.
    case PublishReason.nobodySubscribed.code
    where parcel.recipient == .homeAssistant || parcel.recipient == .people:
      self = .taken(.received)
    // MQTT 5, 2.4: not authorized. That nobody may write to one person says nothing of the others.
    case 0x87 where parcel.recipient == .people: self = .never(reason.text)
    case _ where reason.isTaken:
      self = .taken(parcel.recipient == .collector ? .handedOver : .received)
    // MQTT 5, 2.4: the topic's name, the packet's size, the payload's form.
    case 0x90, 0x95, 0x99: self = .never(reason.text)
    default: self = .notNow(reason.text)
    }
  }
}
