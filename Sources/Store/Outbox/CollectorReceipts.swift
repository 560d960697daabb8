import Delivery
import Core

/// The collector's acknowledgements for the stream, and how often unacknowledged records were sent
/// again.
struct CollectorReceipts {
  /// Longest pause, however many attempts stayed unacknowledged.
  private static let longestPause: Seconds = .hours(24)

  private enum Key {
    /// The stream that the other keys refer to.
    static let stream = "acknowledged_stream"
    static let through = "acknowledged"
    /// Since when the latest receipt has been lower than that.
    static let lower = "lower_since_s"
    /// How often records were sent again since the last acknowledgement, and when last.
    static let attempts = "resends"
    static let last = "resent_s"
  }

  let database: Database
  private var meta: OutboxMeta { OutboxMeta(database: database) }

  /// - Returns: how many did not count as received before.
  func take(
    _ receipt: CollectorReceipt, at time: UTCInstant
  ) throws(Database.Failure) -> Int {
    guard try meta.text("stream") == receipt.stream else { return try markReceived(receipt, time) }
    guard receipt.through <= (try meta.integer("sequence") ?? 0) else {
      try invalidateStream(because: "an outbox that was put back")
      return 0
    }
    let isKnown = try meta.text(Key.stream) == receipt.stream
    let before = isKnown ? try meta.integer(Key.through) ?? 0 : 0
    guard receipt.through >= before else {
      // It may be an old one that arrives late: only the latest receipt counts.
      if try meta.integer(Key.lower) == nil { try meta.set(Key.lower, OutboxFile.seconds(time)) }
      return 0
    }
    if !isKnown || receipt.through > before {
      try meta.set(Key.stream, receipt.stream)
      try meta.set(Key.through, receipt.through)
    }
    if try meta.integer(Key.lower) != nil { try meta.remove(Key.lower) }
    let count = try markReceived(receipt, time)
    if count > 0 || receipt.isLive, try meta.integer(Key.attempts) != nil {
      try meta.remove(Key.attempts)
    }
    return count
  }

  private func markReceived(
    _ receipt: CollectorReceipt, _ time: UTCInstant
  ) throws(Database.Failure) -> Int {
    let row = try database.prepared(
      """
      UPDATE outbox SET state = 2, settled_s = ?3, reason = NULL
      WHERE stream = ?1 AND sequence <= ?2 AND sequence IS NOT NULL AND state <> 2
        AND settled_s IS NOT NULL
      """)
    row.bind(1, receipt.stream)
    row.bind(2, receipt.through)
    row.bind(3, OutboxFile.seconds(time))
    try row.run()
    return database.changes
  }

  /// The collector has more of the stream than was ever queued here: this file was restored from a
  /// copy, and its numbers mean other records; or the collector has less than before: its own file
  /// is lost; or the receipt is forged. The collector gets everything anew, as from another store.
  private func invalidateStream(because reason: String) throws(Database.Failure) {
    try meta.set("log", reason)
  }

  /// Queues again what was handed over and not acknowledged for longer than the pause, which
  /// doubles with each attempt without an acknowledgement.
  func resend(after pause: Seconds, at now: UTCInstant) throws(Database.Failure) -> Resending {
    if try isElapsed(Key.lower, after: pause, at: now) {
      try beginAnew()
      return Resending(hasLostRecords: true)
    }
    let attempts = Int(clamping: try meta.integer(Key.attempts) ?? 0)
    let wait = max(min(pause * Double(1 << min(max(attempts, 0), 20)), Self.longestPause), pause)
    if attempts > 0, try !isElapsed(Key.last, after: wait, at: now) { return Resending() }
    // A time in the future: the date was set back.
    let row = try database.prepared(
      "UPDATE outbox SET state = 0 WHERE state = 1 AND (settled_s < ?1 OR settled_s > ?2)")
    row.bind(1, OutboxFile.seconds(now - pause))
    row.bind(2, OutboxFile.seconds(now))
    try row.run()
    let count = database.changes
    guard count > 0 else { return Resending() }
    try meta.set(Key.attempts, Int64(attempts + 1))
    try meta.set(Key.last, OutboxFile.seconds(now))
    return Resending(count: count, attempts: attempts + 1)
  }

  /// Whether the time kept under a key is longer ago, or in the future.
  private func isElapsed(
    _ key: String, after pause: Seconds, at now: UTCInstant
  ) throws(Database.Failure) -> Bool {
    guard let time = try meta.integer(key) else { return false }
    return time < OutboxFile.seconds(now - pause) || time > OutboxFile.seconds(now)
  }

  /// Unsent records of the stream are sent with all the others in the next stream: no receipt could
  /// ever reach them in this one.
  private func beginAnew() throws(Database.Failure) {
    let row = try database.prepared("DELETE FROM outbox WHERE stream = ?1 AND state < 2")
    row.bind(1, try meta.text("stream"))
    try row.run()
    for key in [Key.lower, Key.attempts, Key.last] { try meta.remove(key) }
    try invalidateStream(because: "a collector that has lost records")
  }
}
