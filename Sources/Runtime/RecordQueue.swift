import Ports
import Quantities
import Records
import SettingDeclarations

public struct CommitSettings: Hashable, SettingGroup {
  /// Counted from the moment at which a record came about. Zero: every record is committed at once.
  public var interval: Seconds = 900
  /// Records kept in memory while the store cannot take them. Not to be set.
  public var maxWaiting = 20_000

  public init() {}

  public init(interval: Seconds) { self.interval = interval }

  /// Of the section store.
  public mutating func declare(_ setting: SettingVisitor) {
    setting(
      "commit_interval_s", &interval, .quantity(0...86_400),
      "Records wait at most this long to share a transaction: what a power cut may cost. Ended "
        + "visits never wait.")
  }
}

/// Gathers records into few transactions, because every transaction costs at least one flash page.
/// When the store fails, the records wait here.
struct RecordQueue {
  static let firstRetry = Seconds(60)
  /// Another program's lock is mostly gone soon.
  static let firstBusyRetry = Seconds(5)
  /// A full disk or a read-only one is not spun on.
  static let maxRetryPause = Seconds(900)

  let settings: CommitSettings
  private var entries: [Entry] = []
  private var oldest: BootInstant?
  private var isUrgent = false
  private(set) var failure: String?
  private var retryAt: BootInstant?
  /// Nil before the first failure.
  private var retryPause: Seconds?
  /// Records given up because too many waited, here or before they came here.
  private(set) var dropped = 0

  init(_ settings: CommitSettings) { self.settings = settings }

  private struct Entry {
    let record: Record
    /// Asked once: the queue is searched for every record that may replace another.
    let identity: RecordIdentity?

    init(_ record: Record) {
      self.record = record
      identity = record.identity
    }
  }

  /// In the order in which they came.
  var waiting: [Record] { entries.map(\.record) }
  var waitingCount: Int { entries.count }

  mutating func store(_ record: Record, at now: BootInstant) {
    let entry = Entry(record)
    supersede(entry.identity)
    if entries.count >= settings.maxWaiting { giveUpOldest() }
    entries.append(entry)
    oldest = oldest ?? now
    isUrgent = isUrgent || record.isUrgent
  }

  private mutating func giveUpOldest() {
    let count = max(1, settings.maxWaiting / 10)
    entries.removeFirst(count)
    dropped += count
  }

  /// Records were given up that were to come here later.
  mutating func lost(_ count: Int) { dropped += count }

  /// A later record of the same identity replaces the one that still waits.
  private mutating func supersede(_ identity: RecordIdentity?) {
    guard let identity else { return }
    if let earlier = entries.lastIndex(where: { $0.identity == identity }) {
      entries.remove(at: earlier)
    }
  }

  /// When a commit is due at the latest; nil when nothing waits.
  var due: BootInstant? {
    guard let oldest else { return nil }
    return retryAt ?? oldest + settings.interval
  }

  /// Whether to commit now: something urgent, too old, or, at the end of a burst when the board is
  /// about to sleep, half the interval gone.
  func shouldCommit(at now: BootInstant, isAboutToSleep: Bool) -> Bool {
    guard let oldest else { return false }
    if let retryAt { return now >= retryAt }
    let limit = isAboutToSleep ? settings.interval * 0.5 : settings.interval
    return isUrgent || now - oldest >= limit
  }

  /// Writes everything that waits in one transaction.
  mutating func commit(to store: (any StorePort)?, with state: Record, at now: BootInstant) {
    guard let store else { return forget() }
    guard !entries.isEmpty else { return }
    do {
      try store.write(waiting + [state])
    } catch {
      return failed(error, at: now)
    }
    failure = nil
    retryPause = nil
    forget()
  }

  /// The store does not take records: the next attempt comes after a pause.
  mutating func failed(_ error: StoreError, at now: BootInstant) {
    failure = error.message
    let first = if case .busy = error { Self.firstBusyRetry } else { Self.firstRetry }
    let pause = retryPause.map { min($0 * 2, Self.maxRetryPause) } ?? first
    retryAt = now + pause
    retryPause = pause
  }

  /// The store that takes them has ids of its own.
  mutating func renumber(by shift: Renumbering) {
    entries = entries.map { Entry(shift($0.record)) }
  }

  private mutating func forget() {
    // What an outage gathered is given back.
    entries.removeAll(keepingCapacity: entries.count < 256)
    oldest = nil
    retryAt = nil
    isUrgent = false
  }
}

extension Record {
  fileprivate var identity: RecordIdentity? {
    if case .keep(let row) = request { row.identity } else { nil }
  }

  /// Whether its loss would hurt more than a page write.
  fileprivate var isUrgent: Bool {
    switch request {
    case .keep(let row): row.isUrgent
    case .deleteVisit: true
    case .deleteCoarsePoint, .remember: false
    }
  }
}
