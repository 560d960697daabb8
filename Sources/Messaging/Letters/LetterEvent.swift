import Core
import Records

/// Events of letters.
public enum LetterEvent: Hashable, Sendable {
  /// From a file or a broker, possibly several times.
  case arrived(Letter)
  case withdrawn(LetterWithdrawal)
  case box(Letterbox)
  case boxRemoved(UniqueID, by: PersonAddress)
  /// Includes receipts of this person's other boards.
  case receipt(LetterReceipt)
  case located(Location)
  case read(LetterKey)
  /// A letter that was answered was read.
  case answered(LetterKey)
  case contacts(Contacts)
  case timePassed
}

/// Effects of a step of letters. Everything to be stored by one step comes first and belongs in one
/// transaction; what follows may be reported once it is durable.
public enum LetterEffect: Hashable, Sendable {
  case store(LetterRecord)
  /// The record is no longer needed.
  case forget(LetterKey)
  case storeBox(Letterbox)
  case removeBox(UniqueID)
  /// Letters are near, all at one place.
  case notice(LetterNotice)
  /// The addressee has come to it. Reported once for each letter, even if it arrives again.
  case delivered(Letter)
  case refused(LetterRefusal)
  case boxRefused(UniqueID, MessageError)
  /// To the sender.
  case send(LetterReceipt)
  /// Nil: nothing is due.
  case wake(BootInstant?)
}

/// A letter is near (Landsmann 2013, 4.2: "prompt the user when a message for her is nearby").
public struct LetterNotice: Hashable, Sendable {
  /// Nil for a letter that is in no box.
  public let box: UniqueID?
  /// The name of the box or of the letter's place.
  public let place: String?
  /// In the order of arrival.
  public let letters: [LetterKey]
}
