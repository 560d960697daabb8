import Core

/// Why a letter was not kept.
public enum LetterRefusal: String, CaseIterable, Sendable {
  case notForMe = "not_for_me"
  case blocked
  case unknownSender = "stranger"
  case closed
  case notOfBox = "not_of_box"
  case boxGone = "box_gone"
  case noBox = "no_box"
  case elsewhere
  case noRoom = "no_room"
  case tooManyOfSender = "too_many_of_sender"
  case receiptsWait = "receipts_wait"

  /// What is wrong, and what to do about it.
  /// - Parameter sender: the letter's sender, or the letterbox's owner.
  public func text(of sender: PersonAddress) -> String {
    switch self {
    case .notForMe: "it is for another person: check the topic or the file that it came from"
    case .blocked: "\(sender) is blocked: use `godwit contacts unblock \(sender)` to change that"
    case .unknownSender:
      "\(sender) is not a contact: use `godwit contacts add NAME \(sender)`; then import a file "
        + "again"
    case .closed:
      "letters are not accepted: use `godwit contacts allow contacts` to accept those from contacts"
    case .notOfBox:
      "the letterbox is not for this addressee, or not open to this sender: contact its owner"
    case .boxGone: "the letterbox was removed: leave the letter elsewhere"
    case .noBox:
      "the letterbox is unknown to the addressee: contact its owner, or use another place"
    case .elsewhere: "it is for everybody, and its place is too far away: it arrives again nearby"
    case .noRoom: "too many letters wait for the addressee already: some must be collected first"
    case .tooManyOfSender:
      "too many letters from one sender wait already: some must be collected first"
    case .receiptsWait:
      "the maximum of waiting receipts is reached: the letter waits until the uplink has reached "
        + "its broker"
    }
  }

  /// Whether the sender is notified. Who is blocked or unknown here is private.
  var notifiesSender: Bool {
    switch self {
    case .notOfBox, .boxGone, .noBox, .noRoom, .tooManyOfSender: true
    case .notForMe, .blocked, .unknownSender, .closed, .elsewhere, .receiptsWait: false
    }
  }
}

extension MessagingStep {
  mutating func refuse(_ letter: LetterKey, _ reason: LetterRefusal) {
    refuse("letter \(letter.id) from \(letter.from)", reason.text(of: letter.from))
  }
}
