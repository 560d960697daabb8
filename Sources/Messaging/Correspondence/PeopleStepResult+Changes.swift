import Records

extension PeopleStepResult {
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
  mutating func append(_ later: PeopleStepResult) {
    change.append(later.change)
    notifications += later.notifications
    refusals += later.refusals
    hasPending = hasPending || later.hasPending
  }

  /// A notice is stored together with the change that it reports.
  public mutating func add(_ notice: Notice) { change.notices.append(notice) }
}

extension StoredMessage {
  init(_ key: Key, utf8 bytes: [UInt8]) {
    self.init(key, String(decoding: bytes, as: UTF8.self))
  }
}
