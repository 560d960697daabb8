import Delivery
import Core
import Platform
import Ports
import Records

/// What happens at a run of the uplink, way by way: kept in the outbox for the status and the
/// activity log, and told in the log.
final class RunJournal {
  private struct Tally {
    var messages: [Recipient: Int] = [:]
    var refused: [Recipient: Int] = [:]
    var traffic = Traffic.zero
  }

  private let outbox: any OutboxPort
  private let onLog: (LogEvent) -> Void
  /// 0...1, another at every run.
  private let chance: Double
  private var holds: [UplinkTransport: Hold]
  private var tallies: [UplinkTransport: Tally] = [:]
  private var hasBegun = false
  /// Whether a way works again, or fails, which was not told.
  private var hasChanged = false
  /// Of the ways' traffic.
  private var written: [UplinkTransport: Traffic] = [:]
  /// Where the broker has not taken an answer: told once at each visit.
  private var refusedTopics: Set<String> = []
  /// Whoever asks for answers on ever new topics does not fill the journal.
  private static let mostRefusedTopics = 10
  /// For the activity log, at the end of the visit.
  private var complaints: [String] = []
  private let mostBytes: Int
  private var budget: ByteBudget
  /// Why nothing more went over a way at the last visit.
  private(set) var failures: [UplinkTransport: String] = [:]
  /// Who got nothing more at the last visit, and why.
  private(set) var blocks: [Recipient: String] = [:]
  /// Whose messages were refused at the last visit, how many, and why the last.
  private(set) var refusals: [Recipient: (count: Int, why: String)] = [:]

  init(
    _ outbox: any OutboxPort, dailyBytes: Int, chance: Double,
    onLog: @escaping (LogEvent) -> Void
  ) throws(PortError) {
    mostBytes = dailyBytes
    budget = ByteBudget(most: dailyBytes, spent: 0)
    self.outbox = outbox
    self.chance = chance
    self.onLog = onLog
    holds = try outbox.holds()
  }

  private var now: UTCInstant { BootClock.systemDate }

  /// The last one, UTC.
  private var midnight: UTCInstant {
    let second = now.wholeMicroseconds / 1_000_000
    return UTCInstant(seconds: Double(second - second % 86_400))
  }

  /// How often a way has failed in a row.
  func failureCount(of way: UplinkTransport) -> Int { holds[way]?.failures ?? 0 }

  /// How long a way is to be left alone.
  func pause(of way: UplinkTransport) -> Seconds { holds[way]?.remaining(at: now) ?? 0 }

  /// A visit begins.
  func begin(_ way: UplinkTransport) {
    hasBegun = true
    for heard in UplinkTransport.heard where way == .brokers { failures[heard] = nil }
    failures[way] = nil
    blocks = blocks.filter { $0.key.way != way }
    refusals = refusals.filter { $0.key.way != way }
  }

  func sent(_ messages: Int, to recipient: Recipient) {
    guard messages > 0 else { return }
    tallies[recipient.way, default: Tally()].messages[recipient, default: 0] += messages
  }

  /// - Parameter traffic: of all senders, since they were made.
  func exchanged(_ traffic: [UplinkTransport: Traffic]) {
    for (way, sum) in traffic {
      let news = sum - (written[way] ?? .zero)
      if news.total > 0 { tallies[way, default: Tally()].traffic = news }
      written[way] = sum
    }
  }

  /// What may go out now of what waits for a recipient.
  func waiting(
    for recipient: Recipient, after number: Int64, atMost most: Int
  ) throws(PortError) -> [OutboxItem] {
    guard budget.allows(.important) else { return [] }
    let items = try outbox.waiting(
      for: recipient, rank: budget.allows(.usual) ? nil : .important, after: number, atMost: most)
    return budget.take(items)
  }

  /// Those that may go out today of what waits elsewhere.
  func allowed(_ items: [OutboxItem]) -> [OutboxItem] { budget.take(items) }

  /// Whether an answer may go out today.
  func allows(_ answer: BrokerMessage) -> Bool { budget.take(bytes: answer.size) }

  /// A visit begins, maybe on another day.
  func renewBudget() throws(PortError) {
    budget = ByteBudget(most: mostBytes, spent: try outbox.bytes(since: midnight))
    if !budget.allows(.usual) {
      warn(
        "bytes-spent",
        "today's bytes are spent (uplink.daily_bytes)"
          + (budget.allows(.important) ? ": visits and alerts alone go out" : ""))
    }
  }

  /// It works.
  func works(_ way: UplinkTransport) throws(PortError) {
    guard holds.removeValue(forKey: way) != nil else { return }
    try outbox.set(nil, for: way)
    hasChanged = true
    hasBegun = true
  }

  /// - Returns: whether a way works again, or fails, once.
  func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }

  func failed(
    _ way: UplinkTransport, _ why: String, asked: Seconds? = nil
  ) throws(PortError) {
    let hold = Hold(after: holds[way], at: now, because: why, asked: asked, chance: chance)
    holds[way] = hold
    failures[way] = why
    hasBegun = true
    try outbox.set(hold, for: way)
    try outbox.note(Exchange(.failed, over: way, at: now, note: why))
  }

  /// What the broker lets the board hear, as often as it says so.
  ///
  /// - Parameter why: nil: all of it.
  func heard(_ way: UplinkTransport, unless why: String?) throws(PortError) {
    guard let why else {
      failures[way] = nil
      return try works(way)
    }
    guard failures[way] != why else { return }
    try failed(way, why)
    hasChanged = true
    warn("unheard", why)
  }

  /// Somebody behind a way gets nothing more at this visit; the others do.
  func blocked(_ recipient: Recipient, _ why: String) throws(PortError) {
    blocks[recipient] = why
    let hold = Hold(after: holds[recipient.ownTransport], at: now, because: why, chance: chance)
    holds[recipient.ownTransport] = hold
    hasBegun = true
    hasChanged = true
    try outbox.set(hold, for: recipient.ownTransport)
    try outbox.note(Exchange(.failed, over: recipient.ownTransport, at: now, note: why))
    onLog(
      LogEvent(
        "held-back", "\(recipient.rawValue) gets nothing more now: \(why)", level: .warning))
  }

  /// The broker does not take what is in no outbox.
  func refused(_ message: BrokerMessage, _ reason: PublishReason) {
    guard !refusedTopics.contains(message.topic), refusedTopics.count < Self.mostRefusedTopics
    else { return }
    refusedTopics.insert(message.topic)
    let what =
      message.isRetained
      ? "the newest position, which the broker is to keep for whoever comes," : "an answer"
    complain(
      message.isRetained ? "position-refused" : "answer-refused",
      "\(what) on \(TerminalText.line(String(message.topic.prefix(200)))) was not taken: "
        + reason.text
        + (reason == .notAuthorized
          ? "; the board's user has to be let write there (docs/people.md, access list)" : ""))
  }

  /// What has to be put right, though it keeps nothing else from going out.
  func complain(_ name: String, _ why: String) {
    complaints.append(why)
    hasBegun = true
    warn(name, why)
  }

  /// A message is set aside: the recipient takes others, and not this one.
  func refused(_ recipient: Recipient, _ why: String) {
    refusals[recipient] = ((refusals[recipient]?.count ?? 0) + 1, why)
    tallies[recipient.way, default: Tally()].refused[recipient, default: 0] += 1
  }

  func warn(_ name: String, _ text: String) { onLog(LogEvent(name, text, level: .warning)) }

  /// Keeps what was exchanged since the last time.
  ///
  /// - Returns: whether anything was tried.
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
    // After what went out, so that the last thing in the log is what has to be put right.
    for why in complaints {
      try outbox.note(Exchange(.failed, over: .brokers, at: now, note: why))
    }
    complaints = []
    refusedTopics = []
    return hasBegun || !tallies.isEmpty
  }

  /// How it stands.
  func report() throws(PortError) -> UplinkReport {
    let summaries = try outbox.summaries()
    let failures = holds.sorted { $0.key.name < $1.key.name }.map { way, hold in
      UplinkReport.Failure(way, count: hold.failures, why: hold.why)
    }
    return UplinkReport(
      at: now, waiting: summaries.reduce(0) { $0 + $1.waiting },
      oldest: summaries.compactMap(\.oldest).min(),
      bytesToday: try outbox.bytes(since: midnight), failures: failures,
      refused: summaries.reduce(0) { $0 + $1.refused })
  }
}
