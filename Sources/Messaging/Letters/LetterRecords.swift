import Core

/// What has become of each letter for one person; its writer receives a receipt for it.
///
/// A change that needs a receipt waits while there is no room for it, so that none is lost.
struct LetterRecords: Sendable {
  /// How long a letter may be here before its box: the sender of one also sends the other.
  private static let boxTimeout: Seconds = .hours(1)

  private let me: PersonAddress
  private var cache: LetterCache
  /// Whether it was reported that letters wait for room for their receipts.
  private var isHeld = false

  init(of me: PersonAddress, _ contacts: Contacts) {
    self.me = me
    cache = LetterCache(of: me, contacts)
  }

  mutating func restore(_ record: LetterRecord) { cache.restore(record) }

  var contacts: Contacts {
    get { cache.contacts }
    set { cache.contacts = newValue }
  }
  subscript(_ key: LetterKey) -> LetterRecord? { cache[key] }
  /// In the order of arrival.
  var all: [LetterRecord] { cache.all }
  var waiting: [LetterRecord] { cache.waiting }
  var unread: [LetterRecord] { cache.unread }

  func room(for letter: Letter) -> LetterCache.Room { cache.room(for: letter) }

  // MARK: What becomes of a letter

  /// It waits at its place from now on.
  /// - Returns: whether there was room. Dropping another letter requires room for its receipt, too.
  mutating func add(_ letter: Letter, _ step: inout MessagingStep) -> Bool {
    if case .instead(let other) = cache.room(for: letter) {
      refuse(other, .noRoom, &step)
      guard cache[other.key]?.status != .waiting else { return false }
    }
    cache.put(cache.made(letter.key, .waiting, letter: letter), &step)
    return true
  }

  mutating func refuse(_ letter: Letter, _ reason: LetterRefusal, _ step: inout MessagingStep) {
    guard !reason.notifiesSender || checkRoom(letter.key, &step) else { return }
    cache.put(cache.made(letter.key, .refused, reason: reason), &step)
    step.refuse(letter.key, reason)
    if reason.notifiesSender {
      publish(letter.key, .refused, reason: reason.text(of: letter.from), &step)
    }
  }

  mutating func withdraw(_ key: LetterKey, _ step: inout MessagingStep) {
    switch cache[key]?.status {
    case nil: cache.put(cache.made(key, .withdrawn), &step)
    case .waiting, .refused: close(key, .withdrawn, &step)
    // What was delivered cannot be withdrawn.
    case .delivered, .read, .withdrawn, .expired: break
    }
  }

  /// A letter delivered by another board of this person counts as delivered here.
  mutating func receive(_ receipt: LetterReceipt, _ step: inout MessagingStep) {
    guard receipt.by == me, receipt.outcome == .delivered else { return }
    let key = LetterKey(receipt.letter, from: receipt.to)
    switch cache[key]?.status {
    case nil: cache.put(cache.made(key, .delivered), &step)
    // The withdrawal that follows a delivery may arrive before the receipt.
    case .waiting, .refused, .withdrawn: close(key, .delivered, &step)
    case .delivered, .read, .expired: break
    }
  }

  /// The board has moved.
  /// - Returns: whether the letter was delivered by this.
  mutating func update(
    _ key: LetterKey, isNear: Bool, isReached: Bool, _ step: inout MessagingStep
  ) -> Bool {
    guard var record = cache[key] else { return false }
    let before = record
    record.isNear = isNear
    let delivers = isReached && record.status == .waiting && checkRoom(key, &step)
    if delivers {
      record.status = .delivered
      record.at = step.date
      publish(key, .delivered, &step)
    }
    if record != before { cache.put(record, &step) }
    return delivers
  }

  mutating func markRead(_ key: LetterKey, _ step: inout MessagingStep) {
    guard var record = cache[key], record.status == .delivered else { return }
    // The letter stays for a while, so that it can be answered or read again.
    record.status = .read
    record.isNear = false
    record.at = step.date ?? record.at
    cache.put(record, &step)
  }

  mutating func expire(_ step: inout MessagingStep) {
    for record in cache.waiting {
      guard let letter = record.letter, letter.isOver(at: step.date) else { continue }
      guard letter.to == .everybody || checkRoom(record.key, &step) else { continue }
      close(record.key, .expired, &step)
      if letter.to != .everybody { publish(record.key, .expired, &step) }
    }
  }

  mutating func forget(_ key: LetterKey, _ step: inout MessagingStep) { cache.remove(key, &step) }
  mutating func enforceLimits(_ step: inout MessagingStep) { cache.enforceLimits(&step) }

  /// A letter whose box is unknown keeps waiting; its writer receives one receipt about it.
  mutating func noteBox(of record: LetterRecord, isKnown: Bool, _ step: inout MessagingStep) {
    var changed = record
    changed.missedSince = nil
    if isKnown {
      guard record.reason != nil || record.missedSince != nil else { return }
      changed.reason = nil
      cache.put(changed, &step)
    } else if record.reason == nil, let date = step.date {
      // After the clock was set back, the waiting time starts again.
      guard let since = record.missedSince, since <= date else {
        changed.missedSince = date
        return cache.put(changed, &step)
      }
      if date - since >= Self.boxTimeout { miss(record, .noBox, &step) }
    }
  }

  mutating func miss(_ record: LetterRecord, _ reason: LetterRefusal, _ step: inout MessagingStep) {
    guard record.reason == nil, checkRoom(record.key, &step) else { return }
    var record = record
    record.reason = reason
    record.missedSince = nil
    cache.put(record, &step)
    step.refuse(record.key, reason)
    publish(record.key, .refused, reason: reason.text(of: record.key.from), &step)
  }

  private mutating func close(
    _ key: LetterKey, _ status: LetterRecord.Status, _ step: inout MessagingStep
  ) {
    guard var record = cache[key] else { return }
    record.status = status
    record.reason = nil
    record.missedSince = nil
    record.letter = nil
    record.isNear = false
    record.at = step.date ?? record.at
    cache.put(record, &step)
  }

  // MARK: Receipts

  /// There may be more room for receipts than before.
  mutating func noteRoom(in step: MessagingStep) {
    if step.roomForReceipts > MessagingLimits.receiptsForContacts { isHeld = false }
  }

  /// Reports once when there is no room.
  private mutating func checkRoom(_ key: LetterKey, _ step: inout MessagingStep) -> Bool {
    guard step.roomForReceipts <= reserve(for: key) else { return true }
    if !isHeld { step.refuse(key, .receiptsWait) }
    isHeld = true
    return false
  }

  /// Receipts of unknown people leave room for those of contacts.
  private func reserve(for key: LetterKey) -> Int {
    cache.isUnknown(key.from) ? MessagingLimits.receiptsForContacts : 0
  }

  private func publish(
    _ key: LetterKey, _ outcome: LetterReceipt.Outcome, reason: String? = nil,
    _ step: inout MessagingStep
  ) {
    guard key.from != me,
      let receipt = try? LetterReceipt(
        letter: key.id, to: key.from, by: me, outcome, at: step.date, reason: reason)
    else { return }
    step.publish(receipt)
  }

  /// When the next letter expires or misses its box.
  func due(in step: MessagingStep) -> BootInstant? {
    // Without room for receipts nothing expires: the first receipt that is sent makes room.
    let room = step.roomForReceipts
    let waiting = room > 0 ? cache.waiting.filter { room > reserve(for: $0.key) } : []
    return step.instant(
      of: waiting.flatMap {
        [$0.letter?.expires, $0.missedSince.map { $0 + Self.boxTimeout }].compactMap { $0 }
      }.min())
  }
}
