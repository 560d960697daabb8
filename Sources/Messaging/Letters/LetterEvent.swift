import Core
import Records

/// Events of the letters for this person.
enum LetterEvent: Hashable, Sendable {
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
