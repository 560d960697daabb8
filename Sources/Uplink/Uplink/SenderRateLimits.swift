import Delivery
import Messaging
import Core

/// Limits the rate of messages from each person: a sender above the limit is ignored, without
/// affecting other people's letters.
struct SenderRateLimits {
  /// A connection may last for months: in a group whose members publish their position every 10 s,
  /// each sends a tenth of a message per second.
  private static let each = TokenBucket(atOnce: 500, perSecond: 0.5)
  /// Further senders share one limit, so that invented names gain nothing. Contacts always have
  /// their own.
  private static let mostSenders = 1000

  /// A person's own messages are delivered to a new board: 256 letters to 50 people each.
  private static let own = TokenBucket(atOnce: 15_000, perSecond: 1)

  private var allowances: [Substring: TokenBucket]
  var contacts = Contacts()

  init(of me: PersonAddress) { allowances = ["\(me)": Self.own] }

  /// - Returns: whether a message under that topic is accepted.
  mutating func allow(_ topic: String, at now: BootInstant) -> Bool {
    var sender = Self.sender(of: topic)
    if allowances[sender] == nil, allowances.count >= Self.mostSenders, !isContact(sender) {
      sender = ""
    }
    return allowances[sender, default: Self.each].take(at: now)
  }

  private func isContact(_ sender: Substring) -> Bool {
    (try? PersonAddress(String(sender))).map(contacts.contains) ?? false
  }

  /// The sender is the third level of all these topics; a broker lets people write under their own
  /// names only (`MessageTopic.accessList`).
  static func sender(of topic: String) -> Substring {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    return levels.count > 2 ? levels[2] : ""
  }
}
