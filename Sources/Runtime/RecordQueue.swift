import Ports
import Core
import Records

public struct CommitSettings: Hashable, SettingGroup {
  /// Counted from the creation of a record. Zero: every record is committed at once.
  var interval: Seconds = 900
  /// Records kept in memory while the store fails. Not configurable.
  var maxWaiting = 20_000
  /// The deadlines for records that are to be sent; nil: nothing is sent. Set by the section
  /// uplink.
  public var uplink: UplinkDelays?

  public init() {}

  init(interval: Seconds) { self.interval = interval }

  /// The settings of the section store.
  public mutating func declare(_ setting: SettingVisitor) {
    setting(
      "commit_interval_s", &interval, .quantity(0...86_400),
      "Maximum time for which records wait to share a transaction: the most that a power cut can "
        + "lose. Ended visits never wait, and positions wait no longer than uplink.delay_s.")
  }
}

/// Collects records into few transactions, because every transaction costs at least one flash page.
/// While the store fails, the records wait here.
struct RecordQueue {
  static let firstRetry = Seconds(60)
  /// Another program's lock is usually short.
  static let firstBusyRetry = Seconds(5)
  /// The maximum pause between attempts, for a full or read-only disk.
  static let maxRetryPause = Seconds(900)

  let settings: CommitSettings
  /// The waiting records; nil: none.
  private var batch: Batch?
  /// Nil while the store accepts records.
  private var outage: Outage?
  /// Records dropped because too many waited, here or before.
  private(set) var dropped = 0

  init(_ settings: CommitSettings) { self.settings = settings }

  private struct Outage {
    let reason: String
    let retryAt: BootInstant
    let pause: Seconds
  }

  private struct Batch {
    var entries: [Entry] = []
    /// When the first record came, even if it has been replaced or dropped since.
    let since: BootInstant
    var isUrgent = false
    /// When one of them is due to be sent; nil: none is.
    var sending: BootInstant?

    /// A later record with the same identity replaces a waiting one.
    mutating func supersede(_ identity: RecordIdentity?) {
      guard let identity else { return }
      if let earlier = entries.lastIndex(where: { $0.identity == identity }) {
        entries.remove(at: earlier)
      }
    }
  }

  private struct Entry {
    let record: Record
    /// Computed once: the queue is searched for every record that may replace another.
    let identity: RecordIdentity?

    init(_ record: Record) {
      self.record = record
      identity = record.identity
    }
  }

  /// In the order of arrival.
  var waiting: [Record] { batch?.entries.map(\.record) ?? [] }
  var waitingCount: Int { batch?.entries.count ?? 0 }
  /// Why the store fails; nil while it accepts records.
  var failure: String? { outage?.reason }

  mutating func store(_ record: Record, at now: BootInstant) {
    let entry = Entry(record)
    // Moved out of the property, so that it is changed in place.
    var batch = self.batch.take() ?? Batch(since: now)
    batch.supersede(entry.identity)
    if batch.entries.count >= settings.maxWaiting {
      let count = max(1, settings.maxWaiting / 10)
      batch.entries.removeFirst(count)
      dropped += count
    }
    batch.entries.append(entry)
    batch.isUrgent = batch.isUrgent || record.isUrgent
    if let delay = settings.uplink?.delay(of: record) {
      batch.sending = .earlier(batch.sending, now + delay)
    }
    self.batch = batch
  }

  /// Makes the next commit urgent for the states written with it, even without records.
  mutating func makeUrgent(at now: BootInstant) {
    if batch == nil { batch = Batch(since: now) }
    batch?.isUrgent = true
  }

  /// Counts records that were dropped before they reached the queue.
  mutating func lost(_ count: Int) { dropped += count }

  /// Whether something urgent waits, and the store accepts records.
  var isUrgent: Bool { outage == nil && batch?.isUrgent ?? false }

  /// When a commit is due at the latest; nil if nothing waits.
  var due: BootInstant? {
    guard let batch else { return nil }
    return outage?.retryAt ?? .earlier(batch.sending, batch.since + settings.interval)
  }

  /// Whether to commit now: because something is urgent, old enough or to be sent, or because the
  /// board is about to sleep and half the interval has passed.
  func shouldCommit(at now: BootInstant, isAboutToSleep: Bool) -> Bool {
    guard let batch else { return false }
    if let outage { return now >= outage.retryAt }
    let limit = isAboutToSleep ? settings.interval * 0.5 : settings.interval
    return batch.isUrgent || now - batch.since >= limit
      || batch.sending.map { $0 <= now } ?? false
  }

  /// Writes everything that waits in one transaction.
  /// - Parameter states: what goes with them.
  mutating func commit(to store: StoreSource?, with states: [Record], at now: BootInstant) {
    guard let store else { return batch = nil }
    guard batch != nil else { return }
    do {
      try store.write(waiting + states)
    } catch {
      return failed(error, at: now)
    }
    outage = nil
    batch = nil
  }

  /// The store has failed: the next attempt comes after a pause.
  mutating func failed(_ error: PortError, at now: BootInstant) {
    let first = if case .busy = error { Self.firstBusyRetry } else { Self.firstRetry }
    let pause = outage.map { min($0.pause * 2, Self.maxRetryPause) } ?? first
    outage = Outage(reason: error.message, retryAt: now + pause, pause: pause)
  }

  /// Adapts the waiting records to another store's ids.
  mutating func renumber(by shift: Renumbering) {
    guard let entries = batch?.entries else { return }
    batch?.entries = entries.map { Entry(shift($0.record)) }
  }
}

extension Record {
  fileprivate var identity: RecordIdentity? {
    if case .keep(let row) = request { row.identity } else { nil }
  }

  /// Whether losing it would be worse than a page write.
  fileprivate var isUrgent: Bool {
    switch request {
    case .keep(let row): row.isUrgent
    case .deleteVisit, .deleteDestination: true
    case .deleteCoarsePoint, .disableAlert, .forgetPlaceEdits, .remember: false
    }
  }
}
