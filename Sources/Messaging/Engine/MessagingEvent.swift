import Core
import Records

/// Events of everything that people exchange.
public enum MessagingEvent: Hashable, Sendable {
  // What the board's owner does.
  case contacts(Contacts)
  case wrote(Letter)
  /// Withdraws a letter.
  case withdrew(UniqueID)
  case read(LetterKey)
  /// Makes or changes a letterbox.
  case box(Letterbox)
  case removedBox(UniqueID)
  /// Organizes a meeting, changes or cancels one.
  case organized(Meeting)
  /// Guides a group, or changes it.
  case guided(Group)
  /// Joins a group or a meeting, by its id.
  case joined(UniqueID)
  case left(UniqueID)
  /// The owner's position for one group, from elsewhere than this board's receiver.
  case positioned(Location, in: UniqueID)

  // What comes from others.
  /// From a broker, possibly several times.
  case arrived(topic: String, payload: [UInt8])
  /// From a file.
  case imported(PeerMessage)
  /// A broker has acknowledged a pending message. It counts only for the last one sent under its
  /// topic: an earlier one may have had the same payload, with another in between that is now
  /// retained.
  case acknowledged(topic: String, payload: [UInt8])
  /// A broker has no state from earlier connections: messages retained there may be lost.
  case forgotten

  // What the board notices.
  case located(Location)
  case timePassed
}

extension MessagingEvent {
  /// The id of what the owner publishes under a number of topics that depends on the audience.
  var announced: UniqueID? {
    switch self {
    case .box(let box): box.id
    case .organized(let meeting): meeting.id
    case .guided(let group): group.id
    case .joined(let id): id
    case .contacts, .wrote, .withdrew, .read, .removedBox, .left, .positioned, .arrived, .imported,
      .acknowledged, .forgotten, .located, .timePassed:
      nil
    }
  }
}
