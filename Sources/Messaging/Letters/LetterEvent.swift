import Core
import Records

/// What happens to letters.
public enum LetterEvent: Hashable, Sendable {
  /// From a file or a broker, as often as it comes.
  case arrived(Letter)
  case withdrawn(LetterWithdrawal)
  case box(Letterbox)
  case boxRemoved(UniqueID, by: PersonAddress)
  /// Also those of this person's other boards.
  case receipt(LetterReceipt)
  case located(Location)
  case read(LetterKey)
  /// Who has answered a letter has read it.
  case answered(LetterKey)
  case contacts(Contacts)
  case timePassed
}

/// What is to be done about letters. Everything that is to be stored by one step comes first, and
/// belongs into one transaction: what comes after it may be told when that is durable.
public enum LetterEffect: Hashable, Sendable {
  case store(LetterRecord)
  /// It need not be known any more.
  case forget(LetterKey)
  case storeBox(Letterbox)
  case removeBox(UniqueID)
  /// Letters are near, all of one place.
  case notice(LetterNotice)
  /// Whom it is for has come: once for each letter, whatever arrives again.
  case delivered(Letter)
  case refused(LetterRefusal)
  case boxRefused(UniqueID, MessageError)
  /// For the sender.
  case send(LetterReceipt)
  /// Nil: nothing is due.
  case wake(BootInstant?)
}

/// That something lies near (Landsmann 2013, 4.2: "prompt the user when a message for her is
/// nearby").
public struct LetterNotice: Hashable, Sendable {
  /// Nil for a letter that lies by itself.
  public let box: UniqueID?
  /// What the box or the letter's place is called.
  public let place: String?
  /// In the order in which they became known.
  public let letters: [LetterKey]
}
