import Delivery
import Messaging
import Core

/// How many messages each person may send to this board: whoever sends more alone is not heard, and
/// nobody's letters stay away because of somebody else's.
struct SenderRateLimits {
  /// A visit may last for months: a group whose members tell every 10 s where they are takes a
  /// tenth of a message a second of each.
  private static let each = TokenBucket(atOnce: 500, perSecond: 0.5)
  /// Whoever comes with more names than this has one allowance for all others, but for contacts:
  /// those have their own, whoever came before them.
  private static let mostSenders = 1000

  /// What one has written oneself comes back, for a new board: 256 letters to 50 people each.
  private static let own = TokenBucket(atOnce: 15_000, perSecond: 1)

  private var allowances: [Substring: TokenBucket]
  var contacts = Contacts()

  init(of me: PersonAddress) { allowances = ["\(me)": Self.own] }

  /// - Returns: whether a message under that topic may be heard.
  mutating func take(_ topic: String, at now: BootInstant) -> Bool {
    var sender = Self.sender(of: topic)
    if allowances[sender] == nil, allowances.count >= Self.mostSenders, !isContact(sender) {
      sender = ""
    }
    return allowances[sender, default: Self.each].take(at: now)
  }

  private func isContact(_ sender: Substring) -> Bool {
    (try? PersonAddress(String(sender))).map(contacts.knows) ?? false
  }

  /// A broker lets people write under their own names alone, which are the third level of all these
  /// topics (`LetterTopics.accessList`).
  static func sender(of topic: String) -> Substring {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    return levels.count > 2 ? levels[2] : ""
  }
}
