import Delivery
import Platform
import Ports
import Core
import Records

/// The outbox: one SQLite file of the uplink's own, separate from the daemon's files, so that the
/// process that uses the network needs no right to write the records.
public final class OutboxFile: OutboxPort {
  public let name: String
  let database: Database
  private let fileMonitor: OutboxFileMonitor

  /// Creates the file if there is none.
  public init(path: String) throws(PortError) {
    name = path
    do {
      database = try OutboxSchema.kind.open(path)
      fileMonitor = OutboxFileMonitor(path: path)
    } catch {
      throw Self.error(error, path)
    }
  }

  public var isInPlace: Bool { fileMonitor.isInPlace }

  /// Turns a failure into a message that says what to do.
  func translatingFailures<Answer>(
    _ body: () throws(Database.Failure) -> Answer
  ) throws(PortError) -> Answer {
    do {
      return try body()
    } catch {
      throw Self.error(error, name)
    }
  }

  private static func error(_ failure: Database.Failure, _ path: String) -> PortError {
    let advice =
      switch failure.kind {
      case .foreign: "set uplink.path to another name"
      case .damaged:
        "move it away: everything in the store's log of changes is queued again, and pauses are "
          + "lost: set them again before"
      case .full: "free space on its disk"
      case .locked: "end the program that has locked it (fuser -v \(path) names it)"
      case .other: "check the folder and its permissions"
      }
    return PortError("the outbox \(path) cannot be used: \(failure.text); \(advice)")
  }

  // MARK: State

  var meta: OutboxMeta { OutboxMeta(database: database) }

  public func state() throws(PortError) -> OutboxState? {
    try translatingFailures { () throws(Database.Failure) in
      guard let stream = try meta.text("stream") else { return nil }
      var position: ChangeLogPosition?
      if let log = try meta.text("log"), let change = try meta.integer("change") {
        position = ChangeLogPosition(
          log: log, opening: try meta.integer("opening").flatMap { UInt32(exactly: $0) },
          change: change)
      }
      return OutboxState(
        position: position,
        stream: RecordStream(name: stream, last: try meta.integer("sequence") ?? 0),
        newest: try meta.instant("newest_us"), shown: try meta.instant("shown_us"),
        retained: try meta.instant("retained_us"),
        announcement: try meta.text("announcement"))
    }
  }

  private func remember(_ state: OutboxState) throws(Database.Failure) {
    // Requeuing refused messages assigns numbers in parallel to a run that has read the state
    // before: no number is used twice.
    let given = try meta.text("stream") == state.stream.name ? meta.integer("sequence") : nil
    try meta.set("stream", state.stream.name)
    try meta.set("sequence", max(given ?? 0, state.stream.last))
    try meta.set("log", state.position?.log)
    try meta.set("opening", state.position?.opening.map { Int64($0) })
    try meta.set("change", state.position?.change)
    try meta.set("newest_us", state.newest?.wholeMicroseconds)
    try meta.set("shown_us", state.shown?.wholeMicroseconds)
    try meta.set("retained_us", state.retained?.wholeMicroseconds)
    try meta.set("announcement", state.announcement)
  }

  // MARK: In

  public func queue(
    _ items: [OutboxItem], state: OutboxState, at time: UTCInstant
  ) throws(PortError) {
    try translatingFailures { () throws(Database.Failure) in
      try database.transaction { () throws(Database.Failure) in
        for item in items { try insert(item, time) }
        try remember(state)
      }
    }
  }

  private func insert(
    _ item: OutboxItem, _ time: UTCInstant
  ) throws(Database.Failure) {
    var queued = Self.seconds(time)
    if item.isNewestOnly {
      queued = min(queued, try waitingSince(item) ?? queued)
      let worthless = try database.prepared(
        "DELETE FROM outbox WHERE recipient = ?1 AND state IN (0, 3) AND topic = ?2")
      worthless.bind(1, item.recipient.rawValue)
      worthless.bind(2, item.topic)
      try worthless.run()
    }
    let row = try database.prepared(
      """
      INSERT INTO outbox (recipient, state, rank, layer, record, stream, sequence, topic,
        is_retained, payload, queued_s) VALUES (?1, 0, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """)
    row.bind(1, item.recipient.rawValue)
    row.bind(2, item.rank.rawValue)
    row.bind(3, item.layer)
    row.bind(4, item.record)
    row.bind(5, item.sequence?.stream)
    row.bind(6, item.sequence?.number)
    row.bind(7, item.topic)
    row.bind(8, Int64(item.isRetained ? 1 : 0))
    row.bind(9, item.payload)
    row.bind(10, queued)
    try row.run()
  }

  /// A message that replaces a waiting one keeps its waiting time.
  private func waitingSince(_ item: OutboxItem) throws(Database.Failure) -> Int64? {
    let row = try database.prepared(
      "SELECT min(queued_s) FROM outbox WHERE recipient = ?1 AND state = 0 AND topic = ?2")
    row.bind(1, item.recipient.rawValue)
    row.bind(2, item.topic)
    defer { row.reset() }
    return try row.step() ? row.integer(0) : nil
  }

  /// Whole seconds since 1970.
  static func seconds(_ time: UTCInstant) -> Int64 { time.wholeMicroseconds / 1_000_000 }

  // MARK: Out

  public func waiting(
    for recipient: Recipient, rank: OutboxItem.Rank?, after number: Int64, atMost most: Int
  ) throws(PortError) -> [OutboxItem] {
    try translatingFailures { () throws(Database.Failure) in
      try WaitingItems(database: database).items(
        for: recipient, rank: rank, after: number, atMost: most)
    }
  }

  public func newestRetained(for recipient: Recipient) throws(PortError) -> OutboxItem? {
    try translatingFailures { () throws(Database.Failure) in
      try WaitingItems(database: database).newestRetained(for: recipient)
    }
  }

  public func confirm(
    _ settlements: [DeliveryResult], at time: UTCInstant
  ) throws(PortError) {
    try translatingFailures { () throws(Database.Failure) in
      try database.transaction { () throws(Database.Failure) in
        for settlement in settlements { try settle(settlement, Self.seconds(time)) }
      }
    }
  }

  private func settle(_ settlement: DeliveryResult, _ time: Int64) throws(Database.Failure) {
    switch settlement.outcome {
    case .handedOver: try set(.handedOver, settlement.number, time)
    case .received: try set(.received, settlement.number, time)
    case .refused(let reason):
      try RefusedMessages(database: database).keep(settlement.number, because: reason, at: time)
    case .failed: try fail(settlement.number)
    }
  }

  private func set(
    _ progress: OutboxSchema.Progress, _ number: Int64, _ time: Int64
  ) throws(Database.Failure) {
    // A received message stays so, whatever an older acknowledgement says.
    let row = try database.prepared(
      "UPDATE outbox SET state = ?2, settled_s = ?3 WHERE id = ?1 AND state < 2")
    row.bind(1, number)
    row.bind(2, progress.rawValue)
    row.bind(3, time)
    try row.run()
  }

  private func fail(_ number: Int64) throws(Database.Failure) {
    let row = try database.prepared("UPDATE outbox SET failures = failures + 1 WHERE id = ?1")
    row.bind(1, number)
    try row.run()
  }

  public func collected(
    _ receipt: CollectorReceipt, at time: UTCInstant
  ) throws(PortError) -> Int {
    try translatingFailures { () throws(Database.Failure) in
      var count = 0
      try database.transaction { () throws(Database.Failure) in
        count = try CollectorReceipts(database: database).take(receipt, at: time)
      }
      return count
    }
  }

  public func resend(after pause: Seconds, at now: UTCInstant) throws(PortError) -> Resending {
    try translatingFailures { () throws(Database.Failure) in
      var resending = Resending()
      try database.transaction { () throws(Database.Failure) in
        resending = try CollectorReceipts(database: database).resend(after: pause, at: now)
      }
      return resending
    }
  }

  public func prune(
    settledBefore time: UTCInstant, atMost most: Int
  ) throws(PortError) -> Int {
    try translatingFailures { () throws(Database.Failure) in
      var dropped = 0
      try database.transaction { () throws(Database.Failure) in
        let care = OutboxCleanup(database: database)
        let refused = RefusedMessages(database: database)
        if try refused.hasAnyOfCollector { try refused.forgetOutdated() }
        try care.deleteReceived(before: Self.seconds(time))
        try ExchangeTable(database: database).tidy(before: time)
        dropped = try care.drop(beyond: most)
      }
      return dropped
    }
  }

  // MARK: Refused

  /// Queues the refused messages again, each as it was. For a collector it gets a new number.
  ///
  /// - Returns: how many.
  public func queueRefused(at time: UTCInstant) throws(PortError) -> Int {
    try translatingFailures { () throws(Database.Failure) in
      var count = 0
      try database.transaction { () throws(Database.Failure) in
        let last = try meta.integer("sequence") ?? 0
        var stream = try meta.text("stream").map { RecordStream(name: $0, last: last) }
        count = try RefusedMessages(database: database).queueAgain(at: Self.seconds(time)) {
          stream?.next()
        }
        if let stream { try meta.set("sequence", stream.last) }
      }
      return count
    }
  }

  // MARK: Remote requests

  public func remember(
    order id: String, until end: UTCInstant, at time: UTCInstant
  ) throws(PortError) -> Bool {
    try translatingFailures { () throws(Database.Failure) in
      var isFirst = false
      try database.transaction { () throws(Database.Failure) in
        isFirst = try RequestIDTable(database: database).add(id, until: end, at: time)
      }
      return isFirst
    }
  }

  public func forget(order id: String) throws(PortError) {
    try translatingFailures { () throws(Database.Failure) in
      try RequestIDTable(database: database).remove(id)
    }
  }

  // MARK: Summaries

  public func summaries() throws(PortError) -> [OutboxSummary] {
    try translatingFailures { () throws(Database.Failure) in
      var summaries: [OutboxSummary] = []
      for recipient in Recipient.allCases {
        let row = try database.prepared(
          """
          SELECT count(*) FILTER (WHERE state < 2), min(queued_s) FILTER (WHERE state < 2),
            count(*) FILTER (WHERE state = 3), count(*)
          FROM outbox WHERE recipient = ?1
          """)
        row.bind(1, recipient.rawValue)
        defer { row.reset() }
        guard try row.step(), row.integer(3) ?? 0 > 0 else { continue }
        summaries.append(
          OutboxSummary(
            recipient, waiting: Int(row.integer(0) ?? 0),
            oldest: row.integer(1).map { UTCInstant(seconds: Double($0)) },
            refused: Int(row.integer(2) ?? 0), lastRefusal: try lastRefusal(recipient)))
      }
      return summaries
    }
  }

  private func lastRefusal(_ recipient: Recipient) throws(Database.Failure) -> String? {
    let row = try database.prepared(
      "SELECT reason FROM outbox WHERE recipient = ?1 AND state = 3 ORDER BY id DESC LIMIT 1")
    row.bind(1, recipient.rawValue)
    defer { row.reset() }
    return try row.step() ? row.text(0) : nil
  }

  // MARK: Transports

  public func backoffs() throws(PortError) -> [UplinkTransport: TransportBackOff] {
    try translatingFailures { () throws(Database.Failure) in
      try BackOffTable(database: database).all()
    }
  }

  public func set(_ hold: TransportBackOff?, for way: UplinkTransport) throws(PortError) {
    try translatingFailures { () throws(Database.Failure) in
      try BackOffTable(database: database).set(hold, for: way)
    }
  }

  public func note(_ exchange: Exchange) throws(PortError) {
    try translatingFailures { () throws(Database.Failure) in
      try ExchangeTable(database: database).add(exchange)
    }
  }

  public func exchanges(atMost most: Int) throws(PortError) -> [Exchange] {
    try translatingFailures { () throws(Database.Failure) in
      try ExchangeTable(database: database).newest(atMost: most)
    }
  }

  public func bytes(since time: UTCInstant) throws(PortError) -> Int {
    try translatingFailures { () throws(Database.Failure) in
      try ExchangeTable(database: database).bytes(since: time)
    }
  }

  public func pauses() throws(PortError) -> [UplinkPause] {
    try translatingFailures { () throws(Database.Failure) in
      try PauseTable(database: database).all()
    }
  }

  /// Records of that time are not sent.
  public func add(_ pause: UplinkPause) throws(PortError) {
    try translatingFailures { () throws(Database.Failure) in
      try PauseTable(database: database).add(pause)
    }
  }

  public func endPauses(at time: UTCInstant) throws(PortError) {
    try translatingFailures { () throws(Database.Failure) in
      try PauseTable(database: database).end(at: time)
    }
  }
}
