import Quantities

/// What waits for one recipient, as far as it is in memory.
struct RecipientQueue: Sendable {
  /// Asked of the outbox at once.
  static let portion = 100
  /// Records of a collector in one message, and their bytes: as much as a broker takes anywhere.
  private static let mostRecords = 50
  private static let mostBytes = 16_384
  /// Who got nothing more is tried again after so long, where the connection stays.
  static let blockTime: Seconds = 300

  let recipient: Recipient
  private var items: ArraySlice<OutboxItem> = []
  private(set) var lastFetched: Int64 = 0
  private(set) var isAsking = false
  /// Whether there is no more in the outbox.
  private(set) var isExhausted = false
  /// Why nothing more goes out at this visit, or for a time.
  private(set) var block: String?
  private var blockedSince: BootInstant?
  /// Nil: the recipient itself acknowledges, or gets only what is newest.
  private var pace: Pace?

  init(_ recipient: Recipient) {
    self.recipient = recipient
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
    isAsking = false
    isExhausted = answer.count < Self.portion
    lastFetched = answer.last?.number ?? lastFetched
    items = answer[...]
  }

  /// There may be more than before.
  mutating func renew() { isExhausted = false }

  mutating func stop(_ reason: String, at now: BootInstant) {
    block = reason
    blockedSince = now
    items = []
  }

  /// Whether to begin again with what waits: it is time to try what was not taken, or all was said
  /// that there was, and some of it may have to be said again.
  func isWorthTrying(at now: BootInstant) -> Bool {
    guard !isAsking else { return false }
    return blockedSince.map { $0 + Self.blockTime <= now } ?? items.isEmpty
  }

  /// From the beginning of what waits.
  mutating func tryAgain() {
    block = nil
    blockedSince = nil
    items = []
    lastFetched = 0
    isExhausted = false
  }

  /// The next message; nil: nothing is here.
  mutating func next() -> Parcel? {
    guard block == nil, let first = items.first else { return nil }
    pace?.spend()
    guard recipient == .collector, let sequence = first.sequence else {
      items.removeFirst()
      let message = BrokerMessage(
        topic: first.topic, payload: first.payload, isRetained: first.isRetained,
        expiry: first.life)
      return Parcel(numbers: [first.number], recipient: recipient, message: message)
    }
    return batch(sequence.stream, first.topic)
  }

  private mutating func batch(_ stream: String, _ topic: String) -> Parcel {
    var numbers: [Int64] = []
    var records: [[UInt8]] = []
    var size = 0
    while let item = items.first, item.sequence?.stream == stream, item.topic == topic,
      numbers.isEmpty || numbers.count < Self.mostRecords && size < Self.mostBytes
    {
      items.removeFirst()
      let record = item.payload.isEmpty ? item.dropped : item.payload
      numbers.append(item.number)
      records.append(record)
      size += record.count
    }
    let message = BrokerMessage(
      topic: topic, payload: CollectedBatch.message(stream: stream, records))
    return Parcel(numbers: numbers, recipient: recipient, message: message)
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
