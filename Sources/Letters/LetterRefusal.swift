import People

/// A letter is not kept, and why.
public struct LetterRefusal: Hashable, Sendable, CustomStringConvertible {
  public enum Reason: String, CaseIterable, Sendable {
    case notForMe = "not_for_me"
    case blocked
    case stranger
    case closed
    case notOfBox = "not_of_box"
    case boxGone = "box_gone"
    case noBox = "no_box"
    case elsewhere
    case noRoom = "no_room"
    case tooManyOfSender = "too_many_of_sender"
    case receiptsWait = "receipts_wait"

    /// What is wrong, and what to do about it.
    public var text: String {
      switch self {
      case .notForMe: "it is for somebody else: look at the topic or the file that it came from"
      case .blocked: "its sender is blocked: unblock him to get his letters"
      case .stranger: "its sender is no contact: add him, or let everybody leave letters"
      case .closed: "nobody may leave letters here: change that in the contacts"
      case .notOfBox: "the letterbox is not for this person: ask its owner"
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

    /// Whether the sender is told. Whom somebody has blocked or does not know is his own affair.
    var isTold: Bool {
      switch self {
      case .notOfBox, .boxGone, .noBox, .noRoom, .tooManyOfSender: true
      case .notForMe, .blocked, .stranger, .closed, .elsewhere, .receiptsWait: false
      }
    }
  }

  public let letter: LetterKey
  public let reason: Reason

  public init(_ letter: LetterKey, _ reason: Reason) {
    self.letter = letter
    self.reason = reason
  }

  public var description: String { "letter \(letter.id) of \(letter.from): \(reason.text)" }
}
