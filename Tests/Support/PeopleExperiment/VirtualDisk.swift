import Messaging
import Core
import Records

/// The contents of a board's store, changed by each step as a whole.
public struct VirtualDisk: Sendable {
  private var messages: [StoredMessage.Key: StoredMessage] = [:]
  /// All notifications, each durable with the change that it belongs to.
  public private(set) var news: [MessagingNotification] = []
  /// The notifications that are delivered like an alert.
  public private(set) var notices: [Notice] = []

  public init() {}

  /// In no meaningful order.
  public var items: [StoredMessage] {
    messages.values.sorted {
      ($0.key.kind.rawValue, $0.key.name) < ($1.key.kind.rawValue, $1.key.name)
    }
  }

  public func count(_ kind: StoredMessage.Kind) -> Int {
    messages.keys.count { $0.kind == kind }
  }

  mutating func apply(_ turn: MessagingResult, of messaging: MessagingState, at date: UTCInstant?) {
    for key in turn.change.removed { messages[key] = nil }
    for item in turn.change.stored { messages[item.key] = item }
    for one in turn.notifications {
      news.append(one)
      guard one.isNotice else { continue }
      notices.append(
        Notice(
          id: Int64(notices.count + 1), time: date, alert: nil, name: one.word, kind: one.kind,
          text: one.text(messaging.contacts, me: messaging.me)))
    }
  }
}

extension MessagingNotification {
  fileprivate var kind: NoticeKind {
    switch self {
    case .near, .delivered, .receipt: .letter
    case .meetingAppeared, .meetingChanged, .meetingOver, .attended: .meeting
    case .group: .group
    }
  }
}
