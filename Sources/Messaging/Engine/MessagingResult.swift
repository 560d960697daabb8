import Core
import Records

/// What is to be reported to people, and what is to be done.
public struct MessagingResult: Hashable, Sendable {
  /// To be stored before anything is reported.
  public internal(set) var change = MessageChange()
  public internal(set) var notifications: [MessagingNotification] = []
  /// What was not done, and why.
  public internal(set) var refusals: [MessagingRefusal] = []
  /// Whether something new has to be sent.
  public internal(set) var hasPending = false

  /// The last change to a key within a step wins.
  mutating func keep(_ item: StoredMessage) {
    change.stored.removeAll { $0.key == item.key }
    change.removed.removeAll { $0 == item.key }
    change.stored.append(item)
  }

  mutating func forget(_ key: StoredMessage.Key) {
    change.stored.removeAll { $0.key == key }
    if !change.removed.contains(key) { change.removed.append(key) }
  }

  /// Appends the result of a later step.
  mutating func append(_ later: MessagingResult) {
    change.append(later.change)
    notifications += later.notifications
    refusals += later.refusals
    hasPending = hasPending || later.hasPending
  }

  /// A notice is stored together with the change that it reports.
  public mutating func add(_ notice: Notice) { change.notices.append(notice) }
}

/// Something was rejected: an invalid message from others, or an action of the owner.
public struct MessagingRefusal: Hashable, Sendable, CustomStringConvertible {
  /// The message, group, or person concerned.
  public let subject: String
  public let error: MessageError

  public var description: String { "\(subject): \(error)" }

  /// Whether the letter, letterbox, group or meeting of that id is meant.
  public func concerns(_ id: UniqueID) -> Bool { subject.contains("\(id)") }
}

extension StoredMessage {
  init(_ key: Key, utf8 bytes: [UInt8]) {
    self.init(key, String(decoding: bytes, as: UTF8.self))
  }
}
