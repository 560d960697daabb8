/// A part of the peer messages: contacts, a letter and its state, a group, a meeting, a message to
/// be sent.
public struct StoredMessage: Hashable, Sendable {
  public enum Kind: String, StoredWord {
    case contacts
    case letter
    case letterbox
    case outgoingLetter = "outgoing_letter"
    case meeting
    case group
    case groupPublication = "group_publication"
    case publication

    public var meaning: String {
      switch self {
      case .contacts: "Contacts, blocked senders, and accepted senders."
      case .letter: "A letter for the owner of the board, and its state."
      case .letterbox: "A letterbox of the owner, or one that can contain letters for the owner."
      case .outgoingLetter: "A letter that was written here and is at its place."
      case .meeting: "A meeting, and whether it was joined."
      case .group: "A group, its members, and their last positions."
      case .groupPublication: "The topics under which the owner's group is published."
      case .publication: "A message that waits to be sent."
      }
    }
  }

  public struct Key: Hashable, Sendable {
    public let kind: Kind
    /// Unique within the kind.
    public let name: String

    public init(_ kind: Kind, _ name: String) {
      self.kind = kind
      self.name = name
    }
  }

  public let key: Key
  /// JSON.
  public let text: String

  public init(_ key: Key, _ text: String) {
    self.key = key
    self.text = text
  }
}

extension StoredMessage: StoredRecord {
  public static let table = RecordTable<Self>(
    "messages", "Letters, groups and meetings, and who is known to the person of the board",
    key: .counted,
    columns: [
      .word("kind", "Kind of the message.") { $0.key.kind },
      .text("name", "Identifier among its kind: an id, or a topic.") { $0.key.name },
      .text("message", "The message, as JSON.") { $0.text },
    ])

  public init(row: RowReader) throws(DamagedColumn) {
    self.init(Key(try row.word("kind"), try row.text("name")), try row.text("message"))
  }

  public var record: Record { .message(self) }
  public var isUrgent: Bool { true }
}

/// The changes of peer messages by one step, in one transaction; removals come first.
public struct MessageChange: Hashable, Sendable {
  public var removed: [StoredMessage.Key] = []
  public var stored: [StoredMessage] = []
  /// The resulting notices, which must be neither lost nor repeated.
  public var notices: [Notice] = []

  public init() {}

  public var isEmpty: Bool { removed.isEmpty && stored.isEmpty && notices.isEmpty }

  /// The changes of several consecutive steps. Where they concern the same message, the last one
  /// counts.
  public init(joining steps: [MessageChange]) {
    var later: Set<StoredMessage.Key> = []
    var lasting: [MessageChange] = []
    for var step in steps.reversed() {
      let keys = step.removed + step.stored.map(\.key)
      step.removed.removeAll { later.contains($0) }
      step.stored.removeAll { later.contains($0.key) }
      later.formUnion(keys)
      lasting.append(step)
    }
    for step in lasting.reversed() {
      removed += step.removed
      stored += step.stored
      notices += step.notices
    }
  }

  public mutating func append(_ later: MessageChange) {
    self = MessageChange(joining: [self, later])
  }
}
