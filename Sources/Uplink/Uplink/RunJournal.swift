import Delivery
import Core
import Platform
import Ports
import Records

/// The events of an uplink run, by transport: kept in the outbox for the status and the activity
/// log, and logged.
final class RunJournal {
  private struct Tally {
    var messages: [Recipient: Int] = [:]
    var refused: [Recipient: Int] = [:]
    var traffic = Traffic.zero
  }

  private let outbox: any OutboxPort
  private let onLog: (LogEvent) -> Void
  /// 0...1, a new random value for every run.
  private let jitter: Double
  private var backOffs: [UplinkTransport: TransportBackOff]
  private var tallies: [UplinkTransport: Tally] = [:]
  private var hasBegun = false
  /// Whether an unreported change has happened: a transport works again, or fails.
  private var hasChanged = false
  /// The traffic of the transports already recorded.
  private var written: [UplinkTransport: Traffic] = [:]
  /// The topics of answers that the broker refused: logged once per connection.
  private var refusedTopics: Set<String> = []
  /// Limits the journal lines if requests use ever new topics for answers.
  private static let mostRefusedTopics = 10
  /// For the activity log, at the end of the connection.
  private var complaints: [String] = []
  private let mostBytes: Int
  /// Whether the run stays after a failure. A run that ends reports its failures then.
  private let stays: Bool
  private var budget: ByteBudget
  /// Why a transport stopped at the last connection.
  private(set) var failures: [UplinkTransport: String] = [:]
  /// The recipients blocked at the last connection, and why.
  private(set) var blocks: [Recipient: String] = [:]
  /// The messages refused at the last connection by recipient: how many, and the last reason.
  private(set) var refusals: [Recipient: (count: Int, why: String)] = [:]

  init(
    _ outbox: any OutboxPort, dailyBytes: Int, chance: Double, stays: Bool,
    onLog: @escaping (LogEvent) -> Void
  ) throws(PortError) {
    mostBytes = dailyBytes
    self.stays = stays
    budget = ByteBudget(most: dailyBytes, spent: 0)
    self.outbox = outbox
    self.jitter = chance
    self.onLog = onLog
    backOffs = try outbox.backoffs()
  }

  private var now: UTCInstant { BootClock.systemDate }

  /// The last midnight, UTC.
  private var midnight: UTCInstant {
    let second = now.wholeMicroseconds / 1_000_000
    return UTCInstant(seconds: Double(second - second % 86_400))
  }

  /// How often a transport has failed in a row.
  func failureCount(of way: UplinkTransport) -> Int { backOffs[way]?.failures ?? 0 }

  /// How long a transport's back-off still lasts.
  func pause(of way: UplinkTransport) -> Seconds { backOffs[way]?.remaining(at: now) ?? 0 }

  /// A connection begins.
  func begin(_ way: UplinkTransport) {
    hasBegun = true
    for heard in UplinkTransport.subscriptions where way == .brokers { failures[heard] = nil }
    failures[way] = nil
    blocks = blocks.filter { $0.key.route != way }
    refusals = refusals.filter { $0.key.route != way }
  }

  func sent(_ messages: Int, to recipient: Recipient) {
    guard messages > 0 else { return }
    tallies[recipient.route, default: Tally()].messages[recipient, default: 0] += messages
  }

  /// - Parameter traffic: the totals of all senders since their creation.
  func exchanged(_ traffic: [UplinkTransport: Traffic]) {
    for (way, sum) in traffic {
      let news = sum - (written[way] ?? .zero)
      if news.total > 0 { tallies[way, default: Tally()].traffic = news }
      written[way] = sum
    }
  }

  /// The items waiting for a recipient that may be sent now.
  func waiting(
    for recipient: Recipient, after number: Int64, atMost most: Int
  ) throws(PortError) -> [OutboxItem] {
    guard budget.allows(.important) else { return [] }
    let items = try outbox.waiting(
      for: recipient, rank: budget.allows(.usual) ? nil : .important, after: number, atMost: most)
    return budget.take(items)
  }

  /// The items from elsewhere that may be sent today.
  func allowed(_ items: [OutboxItem]) -> [OutboxItem] { budget.take(items) }

  /// Whether an answer may be sent today.
  func allows(_ answer: BrokerMessage) -> Bool { budget.take(bytes: answer.size) }

  /// A connection begins, possibly on a new day.
  func renewBudget() throws(PortError) {
    budget = ByteBudget(most: mostBytes, spent: try outbox.bytes(since: midnight))
    if !budget.allows(.usual) {
      warn(
        "bytes-spent",
        "today's bytes are spent (uplink.daily_bytes)"
          + (budget.allows(.important) ? ": only visits and alerts are sent" : ""))
    }
  }

  /// A transport works.
  func works(_ way: UplinkTransport) throws(PortError) {
    guard backOffs.removeValue(forKey: way) != nil else { return }
    try outbox.set(nil, for: way)
    hasChanged = true
    hasBegun = true
  }

  /// - Returns: whether a transport works again, or fails; each change once.
  func drainChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }

  func failed(
    _ way: UplinkTransport, _ why: String, asked: Seconds? = nil
  ) throws(PortError) {
    let isNew = backOffs[way]?.why != why
    failures[way] = why
    try backOff(way, why, asked: asked)
    guard stays, isNew else { return }
    hasChanged = true
    warn("failed", "\(way.name): \(why)")
  }

  private func backOff(
    _ way: UplinkTransport, _ why: String, asked: Seconds? = nil
  ) throws(PortError) {
    let hold = TransportBackOff(
      after: backOffs[way], at: now, because: why, asked: asked, chance: jitter)
    backOffs[way] = hold
    hasBegun = true
    try outbox.set(hold, for: way)
    try outbox.note(Exchange(.failed, over: way, at: now, note: why))
  }

  /// Records whether the broker allows the board's subscriptions; repeated reports are ignored.
  ///
  /// - Parameter why: nil: it allows all of them.
  func subscriptionResult(_ way: UplinkTransport, unless why: String?) throws(PortError) {
    guard let why else {
      failures[way] = nil
      return try works(way)
    }
    guard failures[way] != why else { return }
    failures[way] = why
    try backOff(way, why)
    hasChanged = true
    warn("unheard", why)
  }

  /// One recipient gets nothing more on this connection; the others do.
  func blocked(_ recipient: Recipient, _ why: String) throws(PortError) {
    blocks[recipient] = why
    try backOff(recipient.ownTransport, why)
    hasChanged = true
    warn("held-back", "\(recipient.rawValue): uploads paused: \(why)")
  }

  /// The broker has refused a message that is in no outbox.
  func refused(_ message: BrokerMessage, _ reason: PublishReason) {
    guard !refusedTopics.contains(message.topic), refusedTopics.count < Self.mostRefusedTopics
    else { return }
    refusedTopics.insert(message.topic)
    let what =
      message.isRetained
      ? "the newest position, which the broker retains for new subscribers," : "an answer"
    complain(
      message.isRetained ? "position-refused" : "answer-refused",
      "\(what) on \(TerminalText.line(String(message.topic.prefix(200)))) was not accepted: "
        + reason.text
        + (reason == .notAuthorized
          ? "; allow the board's user to write there "
            + "(docs/manual/uplink.md, access list)" : ""))
  }

  /// Reports a fault that has to be fixed, though nothing else is held up by it.
  func complain(_ name: String, _ why: String) {
    complaints.append(why)
    hasBegun = true
    warn(name, why)
  }

  /// A message is set aside: the recipient accepts others, but not this one.
  func refused(_ recipient: Recipient, _ why: String) {
    refusals[recipient] = ((refusals[recipient]?.count ?? 0) + 1, why)
    tallies[recipient.route, default: Tally()].refused[recipient, default: 0] += 1
  }

  func warn(_ name: String, _ text: String) { onLog(LogEvent(name, text, level: .warning)) }

  /// Records what was exchanged since the last call.
  ///
  /// - Returns: whether anything was attempted.
  func write() throws(PortError) -> Bool {
    defer {
      tallies = [:]
      hasBegun = false
    }
    for (way, tally) in tallies.sorted(by: { $0.key.name < $1.key.name }) {
      let parts = tally.messages.sorted { $0.key.rawValue < $1.key.rawValue }
      for (recipient, count) in parts {
        onLog(LogEvent("handed-on", "\(count) to \(recipient.rawValue)"))
      }
      for (recipient, count) in tally.refused.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        onLog(
          LogEvent(
            "refused",
            "\(count) to \(recipient.rawValue) set aside, the last because "
              + "\(refusals[recipient]?.why ?? "it is refused"); godwit uplink queue --refused "
              + "queues them again", level: .warning))
      }
      guard tally.traffic.total > 0 else { continue }
      try outbox.note(
        Exchange(
          .sent, over: way, at: now, messages: parts.reduce(0) { $0 + $1.value },
          sentBytes: tally.traffic.sent, receivedBytes: tally.traffic.received,
          note: parts.map { "\($0.value) to \($0.key.rawValue)" }.joined(separator: ", ")))
    }
    // Written last, so that the log ends with what has to be fixed.
    for why in complaints {
      try outbox.note(Exchange(.failed, over: .brokers, at: now, note: why))
    }
    complaints = []
    refusedTopics = []
    return hasBegun || !tallies.isEmpty
  }

  /// The present status.
  func report() throws(PortError) -> UplinkReport {
    let summaries = try outbox.summaries()
    let failures = backOffs.sorted { $0.key.name < $1.key.name }.map { way, hold in
      UplinkReport.Failure(way, count: hold.failures, why: hold.why)
    }
    return UplinkReport(
      at: now, waiting: summaries.reduce(0) { $0 + $1.waiting },
      oldest: summaries.compactMap(\.oldest).min(),
      bytesToday: try outbox.bytes(since: midnight), failures: failures,
      refused: summaries.reduce(0) { $0 + $1.refused })
  }
}
