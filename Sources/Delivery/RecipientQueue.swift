import Core

/// What waits for one recipient, as far as it is in memory.
struct RecipientQueue: Sendable {
  /// Asked of the outbox at once.
  static let portion = 100
  /// Records of a collector in one message, and their bytes: as much as a broker takes anywhere.
  private static let mostRecords = 50
  private static let mostBytes = 16_384
  /// Who got nothing more is tried again after so long, where the connection stays, and after twice
  /// as long each time, up to the longest.
  static let blockTime: Seconds = 300
  static let longestBlockTime: Seconds = .hours(1)

  let recipient: Recipient
  private var items: ArraySlice<OutboxItem> = []
  private(set) var lastFetched: Int64 = 0
  private(set) var isAsking = false
  /// Whether there is no more in the outbox.
  private(set) var isExhausted = false
  /// Why nothing more goes out at this visit, or for a time.
  private(set) var block: String?
  private var blockedSince: BootInstant?
  /// In a row, without anything taken between.
  private var blockCount = 0
  /// Whether it got nothing more at the last visit, or at this one, and nothing since.
  private var hasFailed: Bool
  private var doubts: Doubts
  /// Whether anything was taken since the last batch was split.
  private var hasTaken = false
  /// Whether a batch is under way that tells whether its size is taken.
  private var isTrying = false
  /// Of a batch: less where the broker does not take so much.
  private var mostRecords = Self.mostRecords
  private var mostBytes = Self.mostBytes
  /// Nil: the recipient itself acknowledges, or gets only what is newest.
  private var pace: Pace?

  /// - Parameter failures: visits in a row at which nothing was taken.
  init(_ recipient: Recipient, failures: Int = 0) {
    self.recipient = recipient
    doubts = Doubts(failures: failures)
    hasFailed = failures > 0
    pace = recipient == .owntracks ? Pace() : nil
  }

  /// From when on the next may go; nil: there is none, or it need not wait.
  var opens: BootInstant? { items.isEmpty ? nil : pace?.opens }

  /// Whether the next may go, if there is one.
  mutating func isOpen(at now: BootInstant) -> Bool {
    items.isEmpty || pace?.isOpen(at: now) ?? true
  }

  /// Whether the outbox has to be asked.
  var isHungry: Bool { items.isEmpty && !isAsking && !isExhausted && block == nil }

  /// Whether nothing is to come from here.
  var isDone: Bool { block != nil || items.isEmpty && !isAsking && isExhausted }

  mutating func ask() { isAsking = true }

  mutating func take(_ answer: [OutboxItem]) {
    // What was asked for before all began anew is not.
    guard isAsking else { return }
    isAsking = false
    isExhausted = answer.count < Self.portion
    lastFetched = answer.last?.number ?? lastFetched
    // A batch that was not sent may have been put back meanwhile.
    items += answer
  }

  /// There may be more than before.
  mutating func renew() { isExhausted = false }

  /// - Returns: whether it is news.
  mutating func stop(_ reason: String, at now: BootInstant) -> Bool {
    defer {
      block = reason
      items = []
    }
    return pause(at: now)
  }

  /// All was tried, and nothing was taken after what was not: that waits, and what comes later is
  /// tried.
  ///
  /// - Returns: why, where it is news.
  mutating func pauseIfInDoubt(at now: BootInstant) -> String? {
    guard block == nil, isDone, let why = doubts.why, pause(at: now) else { return nil }
    return why
  }

  private mutating func pause(at now: BootInstant) -> Bool {
    guard blockedSince == nil else { return false }
    blockedSince = now
    blockCount += 1
    hasFailed = true
    return true
  }

  /// When it is time to try again what was not taken.
  var blockEnds: BootInstant? {
    guard !isAsking else { return nil }
    let pause = min(
      Self.blockTime * Double(1 << min(max(blockCount - 1, 0), 8)),
      Self.longestBlockTime)
    return blockedSince.map { $0 + pause }
  }

  /// Whether to begin again with what waits: it is time to try what was not taken, or all was said
  /// that there was, and some of it may have to be said again.
  func isWorthTrying(at now: BootInstant) -> Bool {
    isAsking ? false : blockEnds.map { $0 <= now } ?? items.isEmpty
  }

  /// From the beginning of what waits.
  mutating func tryAgain() {
    block = nil
    blockedSince = nil
    items = []
    lastFetched = 0
    isAsking = false
    isExhausted = false
    isTrying = false
    doubts.clear()
  }

  // MARK: What the broker says

  /// - Returns: what has become of those before it that were not taken.
  mutating func taken() -> [DeliveryResult] {
    isTrying = false
    hasTaken = true
    // What was under way when the rest was stopped says nothing of the rest.
    if block == nil {
      blockCount = 0
      blockedSince = nil
    }
    return doubts.resolve()
  }

  /// - Returns: whether it failed, and no longer does.
  mutating func endFailure() -> Bool {
    guard hasFailed, block == nil else { return false }
    hasFailed = false
    return true
  }

  /// What has become of a message that was not taken, as far as that is known now.
  struct Aftermath {
    var settlements: [DeliveryResult] = []
    /// Whether nothing more is tried.
    var hasStopped = false
  }

  /// - Parameter wasSent: whether it went to the broker.
  mutating func refused(
    _ outgoing: OutgoingMessage, _ refusal: Verdict.Refusal, wasSent: Bool, at now: BootInstant
  ) -> Aftermath {
    isTrying = false
    // What stands in the store is sent again from there: nothing is lost by it.
    if recipient == .people {
      return Aftermath(
        settlements: outgoing.items.map { DeliveryResult($0.number, .refused(refusal.why)) })
    }
    guard block == nil else { return Aftermath() }
    if outgoing.items.count > 1 {
      hasTaken = false
      mostRecords = min(mostRecords, max(outgoing.items.count / 2, 1))
      mostBytes = min(mostBytes, outgoing.message.size / 2)
      // Of several batches under way each goes back to its place.
      let place = items.firstIndex { $0.number > outgoing.number } ?? items.endIndex
      items.insert(contentsOf: outgoing.items, at: place)
    } else if !doubts.add(outgoing, refusal, wasSent: wasSent) {
      return Aftermath(hasStopped: stop(refusal.why, at: now))
    }
    return Aftermath()
  }

  /// The next message; nil: nothing is here.
  mutating func next() -> OutgoingMessage? {
    guard block == nil, let first = items.first, !isTrying else { return nil }
    pace?.spend()
    guard recipient == .collector, let sequence = first.sequence else {
      items.removeFirst()
      let message = BrokerMessage(
        topic: first.topic, payload: first.payload, isRetained: first.isRetained,
        expiry: first.life)
      return OutgoingMessage(items: [first], recipient: recipient, message: message)
    }
    // How much the broker takes at once is found out with one.
    isTrying = !hasTaken
    return batch(sequence.stream, first.topic)
  }

  private mutating func batch(_ stream: String, _ topic: String) -> OutgoingMessage {
    var taken: [OutboxItem] = []
    var records: [[UInt8]] = []
    var size = 0
    while let item = items.first, item.sequence?.stream == stream, item.topic == topic,
      taken.isEmpty || taken.count < mostRecords && size + item.payload.count <= mostBytes
    {
      items.removeFirst()
      let record = item.payload.isEmpty ? item.dropped : item.payload
      taken.append(item)
      records.append(record)
      size += record.count
    }
    let message = BrokerMessage(
      topic: topic, payload: CollectedBatch.message(stream: stream, records))
    return OutgoingMessage(items: taken, recipient: recipient, message: message)
  }
}

extension OutboxItem {
  /// What a collector is told instead of what there was no room for.
  fileprivate var dropped: [UInt8] {
    CollectedRecord(
      sequence: sequence?.number ?? 0, layer: layer, record: record, .dropped
    ).bytes
  }
}
