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
    case .notForMe: "it is for somebody else: look at the topic or the file that it came from"
    case .blocked: "\(sender) is blocked: `godwit contacts unblock \(sender)` changes that"
    case .unknownSender:
      "\(sender) is no contact: `godwit contacts add NAME \(sender)` lets them write; then "
        + "import a file again"
    case .closed:
      "nobody may leave letters here: `godwit contacts allow contacts` lets contacts"
    case .notOfBox:
      "the letterbox is not for this person, or takes nothing of who wrote: ask its owner"
    case .boxGone: "the letterbox was removed: leave the letter elsewhere"
    case .noBox: "no such letterbox is known here: ask its owner, or leave the letter elsewhere"
    case .elsewhere: "it is for everybody and lies too far away: it comes again nearby"
    case .noRoom: "too many letters wait already: collect some"
    case .tooManyOfSender: "too many letters of one sender wait already: collect some"
    case .receiptsWait:
      "as many receipts as there may be have still to be sent: it waits until the uplink has "
        + "reached its broker"
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
