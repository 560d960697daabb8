import Core
import Records

/// What happens to all that people exchange.
public enum PeopleEvent: Hashable, Sendable {
  // What the board's owner does.
  case contacts(Contacts)
  case wrote(Letter)
  /// Takes a letter back.
  case withdrew(UniqueID)
  case read(LetterKey)
  /// Makes or changes a letterbox.
  case box(Letterbox)
  case removedBox(UniqueID)
  /// Holds a meeting, changes or cancels one.
  case organized(Meeting)
  /// Guides a group, or changes it.
  case guided(Group)
  /// Joins a group or a meeting, by its id.
  case joined(UniqueID)
  case left(UniqueID)

  // What comes from others.
  /// Over a broker, as often as it comes.
  case arrived(topic: String, payload: [UInt8])
  /// Out of a file.
  case imported(LetterMessage)
  /// A broker has taken what was pending: the last that was sent under its topic. An earlier one
  /// may have had the same payload, with another one in between that is retained by now.
  case acknowledged(topic: String, payload: [UInt8])
  /// A broker knows nothing of earlier visits: what lay there may be gone.
  case forgotten

  // What the board notices.
  case located(Location)
  case timePassed
}

extension PeopleEvent {
  /// Of what the owner has others told: under how many topics depends on whom it is for.
  var announced: UniqueID? {
    switch self {
    case .box(let box): box.id
    case .organized(let meeting): meeting.id
    case .guided(let group): group.id
    case .joined(let id): id
    case .contacts, .wrote, .withdrew, .read, .removedBox, .left, .arrived, .imported,
      .acknowledged, .forgotten, .located, .timePassed:
      nil
    }
  }
}

/// What people are told, and what is to be done.
public struct PeopleStepResult: Hashable, Sendable {
  /// What is to be stored, before anybody is told.
  public internal(set) var change = MessageChange()
  public internal(set) var news: [PeopleNotification] = []
  /// What was not done, and why.
  public internal(set) var refusals: [PeopleRefusal] = []
  /// Whether something new has to be sent.
  public internal(set) var hasMail = false

  init() {}

}

/// Something was not done: a message of others that is none, or a deed of the owner's.
public struct PeopleRefusal: Hashable, Sendable, CustomStringConvertible {
  /// Of which message, group, or person.
  public let subject: String
  public let error: MessageError

  public var description: String { "\(subject): \(error)" }

  /// Whether the letter, letterbox, group or meeting of that id is meant.
  public func concerns(_ id: UniqueID) -> Bool { subject.contains("\(id)") }
}
