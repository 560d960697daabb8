import Core
import Records

/// One kind of what people exchange: letters, groups, meetings. `MessagingState` decodes what
/// arrives, and passes it and everything else that happens to the kinds; each changes its own state
/// and adds to the step what is to be stored, sent and reported.
protocol MessageKind: Sendable {
  /// The owner's contacts: messages of unknown people give way to theirs.
  var contacts: Contacts { get set }
  /// When a step is due without any other event; nil: never.
  var wake: BootInstant? { get }

  /// Takes over what an earlier run has stored of this kind.
  mutating func restore(_ item: StoredMessage) throws(MessageError)
  /// A message of any kind; the others' are ignored.
  /// - Parameter topic: nil: the message comes from a file.
  mutating func received(
    _ message: PeerMessage, under topic: MessageTopic?, _ step: inout MessagingStep)
  /// What was retained under the topic is cleared.
  mutating func cleared(_ topic: MessageTopic, _ step: inout MessagingStep)
  mutating func changed(_ contacts: Contacts, _ step: inout MessagingStep)
  mutating func located(_ location: Location, _ step: inout MessagingStep)
  mutating func timePassed(_ step: inout MessagingStep)
  /// Publishes everything retained again; for recipients that already have it nothing changes.
  mutating func republish(_ step: inout MessagingStep)
}
