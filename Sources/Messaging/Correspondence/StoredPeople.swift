import Core
import Records

/// What an earlier run has stored, as the types of each subject.
struct StoredPeople {
  var contacts = Contacts()
  var letters: [LetterRecord] = []
  var letterboxes: [Letterbox] = []
  var outgoing: [OutgoingLetter] = []
  var meetings: [MeetingRecord] = []

  mutating func restore(_ item: StoredMessage) throws(MessageError) {
    let bytes = Array(item.text.utf8)
    switch item.key.kind {
    case .contacts: contacts = try Contacts(bytes)
    case .letter: letters.append(try LetterRecord(bytes))
    case .letterbox:
      guard case .box(let box) = try LetterMessage(bytes) else {
        throw MessageError("it is no letterbox")
      }
      letterboxes.append(box)
    case .outgoingLetter: outgoing.append(try OutgoingLetter(bytes))
    case .meeting: meetings.append(try MeetingRecord(bytes))
    case .group, .groupPublication, .publication: break
    }
  }
}

extension StoredMessage.Key {
  static func letter(_ key: LetterKey) -> Self { .init(.letter, "\(key.from)/\(key.id)") }
}

extension OutgoingLetter {
  /// For a file: the letter, or its withdrawal.
  var message: LetterMessage {
    isCleared ? .withdrawal(LetterWithdrawal(letter.key)) : .letter(letter)
  }
}
