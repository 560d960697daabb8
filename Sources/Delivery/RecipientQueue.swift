import Core

/// The waiting messages for one recipient, as far as they are in memory.
struct RecipientQueue: Sendable {
  /// Limit of items fetched from the outbox at once.
  static let portion = 100
  /// A collector's records in one message, and their bytes: no more than any broker accepts.
  private static let mostRecords = 50
  private static let mostBytes = 16_384
  /// A blocked recipient is tried again after so long, if the connection stays; the time doubles up
  /// to the longest.
  static let blockTime: Seconds = 300
  static let longestBlockTime: Seconds = .hours(1)

  let recipient: Recipient
  private var items: ArraySlice<OutboxItem> = []
  private(set) var lastFetched: Int64 = 0
  private(set) var isFetching = false
  /// Whether the outbox has no more.
  private(set) var isExhausted = false
  /// Why nothing more is sent on this connection, or for a time.
  private(set) var block: String?
  private var blockedSince: BootInstant?
  /// In a row, without an accepted message between.
  private var blockCount = 0
  /// Whether it was blocked on the last connection or this one, and nothing was accepted since.
  private var hasFailed: Bool
  private var refusals: RefusalTracker
  /// Whether anything was accepted since the last batch was split.
  private var hasAccepted = false
  /// Whether a batch is in flight that shows whether its size is accepted.
  private var isTrying = false
  /// Limits of a batch, lower if the broker does not accept as much.
  private var mostRecords = Self.mostRecords
  private var mostBytes = Self.mostBytes
  /// Nil: the recipient itself acknowledges, or receives only the newest message.
  private var rateLimit: RateLimit?

  /// - Parameter failures: connections in a row in which nothing was accepted.
  init(_ recipient: Recipient, failures: Int = 0) {
    self.recipient = recipient
    refusals = RefusalTracker(failures: failures)
    hasFailed = failures > 0
    rateLimit = recipient.traits.isDisjoint(with: [.acknowledges, .newestOnly]) ? RateLimit() : nil
  }

  /// When the next message may be sent; nil: there is none, or it need not wait.
  var nextAllowed: BootInstant? { items.isEmpty ? nil : rateLimit?.nextAllowed }

  /// Whether the next message may be sent, if there is one.
  mutating func isOpen(at now: BootInstant) -> Bool {
    items.isEmpty || rateLimit?.isOpen(at: now) ?? true
  }

  /// Whether to fetch from the outbox.
  var needsFetch: Bool { items.isEmpty && !isFetching && !isExhausted && block == nil }

  /// Whether nothing more will come from here.
  var isDone: Bool { block != nil || items.isEmpty && !isFetching && isExhausted }

  mutating func beginFetch() { isFetching = true }

  mutating func receive(_ answer: [OutboxItem]) {
    // An answer from before a restart is obsolete.
    guard isFetching else { return }
    isFetching = false
    isExhausted = answer.count < Self.portion
    lastFetched = answer.last?.number ?? lastFetched
    // Meanwhile a batch that was not sent may have been put back.
    items += answer
  }

  /// The outbox may have more than before.
  mutating func renew() { isExhausted = false }

  /// - Returns: whether it is to be reported.
  mutating func stop(_ reason: String, at now: BootInstant) -> Bool {
    defer {
      block = reason
      items = []
    }
    return pause(at: now)
  }

  /// All messages were tried, and none was accepted after the refused ones: these wait, and later
  /// ones are tried.
  ///
  /// - Returns: why, if that is to be reported.
  mutating func pauseIfUnresolved(at now: BootInstant) -> String? {
    guard block == nil, isDone, let why = refusals.why, pause(at: now) else { return nil }
    return why
  }

  private mutating func pause(at now: BootInstant) -> Bool {
    guard blockedSince == nil else { return false }
    blockedSince = now
    blockCount += 1
    hasFailed = true
    return true
  }

  /// When to try refused messages again.
  var blockEnds: BootInstant? {
    guard !isFetching else { return nil }
    let pause = min(
      Self.blockTime * Double(1 << min(max(blockCount - 1, 0), 8)),
      Self.longestBlockTime)
    return blockedSince.map { $0 + pause }
  }

  /// Whether to begin again with what waits: refused messages are due, or everything was sent, and
  /// some of it may have to be sent again.
  func isWorthTrying(at now: BootInstant) -> Bool {
    isFetching ? false : blockEnds.map { $0 <= now } ?? items.isEmpty
  }

  /// From the first waiting message.
  mutating func tryAgain() {
    block = nil
    blockedSince = nil
    items = []
    lastFetched = 0
    isFetching = false
    isExhausted = false
    isTrying = false
    refusals.clear()
  }

  // MARK: Acknowledgements of the broker

  /// - Returns: the results for earlier refused messages.
  mutating func accepted() -> [DeliveryResult] {
    isTrying = false
    hasAccepted = true
    // An acknowledgement for a message in flight when the queue was stopped shows nothing about the
    // rest.
    if block == nil {
      blockCount = 0
      blockedSince = nil
    }
    return refusals.resolve()
  }

  /// - Returns: whether a failure has ended by this.
  mutating func endFailure() -> Bool {
    guard hasFailed, block == nil else { return false }
    hasFailed = false
    return true
  }

  /// The consequences of a refused message, as far as they are known now.
  struct Aftermath {
    var results: [DeliveryResult] = []
    /// Whether nothing more is tried.
    var hasStopped = false
  }

  /// - Parameter wasSent: whether it was sent to the broker.
  mutating func refused(
    _ outgoing: OutgoingMessage, _ refusal: AcknowledgementMeaning.Refusal, wasSent: Bool,
    at now: BootInstant
  ) -> Aftermath {
    isTrying = false
    // Messages in the store are sent again from there: nothing is lost.
    if recipient.traits.contains(.waitsInStore) {
      return Aftermath(
        results: outgoing.items.map { DeliveryResult($0.number, .refused(refusal.why)) })
    }
    guard block == nil else { return Aftermath() }
    if outgoing.items.count > 1 {
      hasAccepted = false
      mostRecords = min(mostRecords, max(outgoing.items.count / 2, 1))
      mostBytes = min(mostBytes, outgoing.message.size / 2)
      // Several batches may be in flight: each returns to its place.
      let place = items.firstIndex { $0.number > outgoing.number } ?? items.endIndex
      items.insert(contentsOf: outgoing.items, at: place)
    } else if !refusals.add(outgoing, refusal, wasSent: wasSent) {
      return Aftermath(hasStopped: stop(refusal.why, at: now))
    }
    return Aftermath()
  }

  /// The next message; nil: there is none here.
  mutating func next() -> OutgoingMessage? {
    guard block == nil, let first = items.first, !isTrying else { return nil }
    rateLimit?.spend()
    guard recipient.traits.contains(.acknowledges), let sequence = first.sequence else {
      items.removeFirst()
      let message = BrokerMessage(
        topic: first.topic, payload: first.payload, isRetained: first.isRetained,
        expiry: first.life)
      return OutgoingMessage(items: [first], recipient: recipient, message: message)
    }
    // One batch tests how much the broker accepts at once.
    isTrying = !hasAccepted
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
  /// Sent to a collector in place of a dropped record.
  fileprivate var dropped: [UInt8] {
    CollectedRecord(
      sequence: sequence?.number ?? 0, layer: layer, record: record, .dropped
    ).bytes
  }
}
