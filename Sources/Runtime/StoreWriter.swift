import Records
import Ports
import Core
import Tracking

/// Moves records from memory to disk: undated ones wait for the date, the others for a common
/// transaction, and all of them while the store fails.
public final class StoreWriter {
  private var store: StoreSource?
  private let log: LogChannel
  private var queue: RecordQueue
  private var undated = UndatedRecords() {
    // Records dropped there count like those dropped by the queue.
    didSet { queue.lost(undated.drainDropped()) }
  }
  /// When the date of an undisciplined clock is used after all; nil: nothing has waited for a
  /// better one.
  private var dateBy: BootInstant?
  private var lineage = StoreLineage()
  /// A store that was opened, but whose ids have not been handled yet.
  private var pendingOpening: StoreOpening?
  /// A problem of the store, in words, although it accepts records.
  private var warning: String?
  private var readFailure = ReadFailureTracker()
  /// Whether the state of an earlier run could not be read at the start.
  private var lacksState = false
  private var nextRetention = BootInstant.zero
  /// The last stored state of the watched places.
  private var placeState: String?
  /// Called when another store is used for the records, with the change of their ids.
  var onStoreChange: (Renumbering?) -> Void = { _ in }
  /// The program and settings that create the records; nil: not set.
  private var provenance: Record?

  init(_ store: StoreSource?, commits: CommitSettings, log: LogChannel) {
    self.store = store
    self.log = log
    queue = RecordQueue(commits)
  }

  var name: String? { store?.name }

  public var health: StoreHealth {
    StoreHealth(
      waiting: queue.waitingCount, dropped: queue.dropped,
      failure: queue.failure ?? readFailure.reportedFailure,
      warning: warning)
  }

  /// When a commit is due at the latest; nil if nothing waits.
  var due: BootInstant? { .earlier(queue.due, undated.isEmpty ? nil : dateBy) }

  // MARK: Records

  /// Queues the record; one that needs a date waits until there is one.
  func store(_ record: Record, _ clock: UTCClock, at now: BootInstant) {
    if clock.utc(at: now) == nil, undated.hold(record, at: now) { return }
    queue.store(record, at: now)
  }

  /// Queues a record whose dates are final.
  func storeDated(_ record: Record, at now: BootInstant) { queue.store(record, at: now) }

  func store(_ interval: StateInterval, _ clock: UTCClock, at now: BootInstant) {
    guard !waits(for: clock, at: now), let start = clock.utc(at: interval.start) else {
      undated.hold(interval, at: now)
      if clock.utc(at: now) != nil { dateBy = dateBy ?? now + queue.settings.interval }
      return
    }
    queue.store(.powerSegment(PowerSegment(interval, start: start)), at: now)
  }

  /// Queues what has waited for the date, if it is known now.
  func dateIfKnown(by clock: UTCClock, at now: BootInstant) {
    if !undated.isEmpty, !waits(for: clock, at: now) { storeUndated(by: clock, at: now) }
  }

  /// Whether the date of a segment may soon be known, or known better: an undisciplined clock may
  /// be years off until the first fix. The wait is limited to the interval of commits, and happens
  /// once.
  private func waits(for clock: UTCClock, at now: BootInstant) -> Bool {
    guard clock.utc(at: now) != nil else { return true }
    return !clock.isSure && dateBy.map { now < $0 } ?? true
  }

  /// Queues what has waited for the date. Without one, everything that is useful undated.
  func storeUndated(by clock: UTCClock, at now: BootInstant) {
    // Their waiting time counts.
    let since = undated.since ?? now
    for record in undated.release(date: clock.utc) { queue.store(record, at: since) }
  }

  /// Makes the next commit urgent, because a state written with it has changed.
  func makeUrgent(at now: BootInstant) { queue.makeUrgent(at: now) }

  /// Records in the store, and in each that replaces it, what creates the records.
  func recordProvenance(_ text: String, at now: BootInstant) {
    provenance = .provenance(text)
    queue.store(.provenance(text), at: now)
  }

  /// Whether everything queued is durable.
  var isAllStored: Bool { queue.failure == nil && queue.waitingCount == 0 && store != nil }

  /// Whether something urgent waits, and the store accepts records.
  var isUrgent: Bool { queue.isUrgent }

  /// Queries the store.
  /// - Returns: nil if there is none.
  func query<Answer>(
    _ question: (any StorePort) throws(PortError) -> Answer
  ) throws(PortError) -> Answer? {
    try store?.query(question) ?? nil
  }

  /// As `StoreSource` has it.
  func changeMessages(
    since mark: Int64?, _ change: ([StoredMessage]?) -> MessageChange
  ) throws(PortError) { try store?.changeMessages(since: mark, change) }

  /// As `StoreSource` has it.
  func editMark() throws(PortError) -> Int64? { try store?.editMark() ?? nil }

  /// As the store has them now; nil where it cannot be asked.
  var destinations: [Destination]? { try? store?.destinations() }

  // MARK: Commits

  func isCommitDue(at now: BootInstant, isAboutToSleep: Bool) -> Bool {
    queue.shouldCommit(at: now, isAboutToSleep: isAboutToSleep)
  }

  /// Writes what waits, with the tracker's own state in the same transaction, into the store that
  /// was checked just before.
  /// - Parameter places: the state of watched places; nil: none.
  func commit(
    with tracker: Tracker, places: String?, at now: BootInstant, evenIfNothingWaits: Bool
  ) {
    let before = queue.failure
    let state = Record.trackerState(tracker.snapshot(at: now).text)
    // The queue writes states only together with records.
    if evenIfNothingWaits, queue.waitingCount == 0 { queue.store(state, at: now) }
    let news = places == placeState ? nil : places
    let states = [news.map { .placeState($0) }, state].compactMap { $0 }
    queue.commit(to: store, with: states, at: now)
    if queue.failure == nil, queue.waitingCount == 0, let news { placeState = news }
    logHealth(before, at: now)
    if queue.failure == nil { applyRetentionIfDue(by: tracker.clock, at: now) }
  }

  /// Deletes old records, once a day and at the first commit. This requires a receiver's date that
  /// is corroborated: neither clock alone may delete records.
  private func applyRetentionIfDue(by clock: UTCClock, at now: BootInstant) {
    guard let store, now >= nextRetention, clock.source != nil, let date = clock.utc(at: now) else {
      return
    }
    nextRetention = now + .days(1)
    do {
      let report = try store.query { (store) throws(PortError) in
        try store.applyRetention(now: date)
      }
      if let report = report ?? nil {
        log.write("retention", report, at: now)
      }
    } catch {
      log.write("retention-failed", error.message, level: .warning, at: now)
    }
  }

  /// The store could not be opened: records wait in memory until it can be.
  func failed(_ error: PortError, at now: BootInstant) {
    let before = queue.failure
    queue.failed(error, at: now)
    logHealth(before, at: now)
  }

  /// Reading places and alerts has failed or, if there is no error, succeeded.
  func readResult(_ error: PortError?, at now: BootInstant) {
    guard let error else {
      if readFailure.passed() {
        log.write("places-read", "places and alerts can be read again", at: now)
      }
      return
    }
    guard readFailure.failed(error.message), queue.failure != error.message else { return }
    log.write(
      "places-unread", "places and alerts stay unchanged: \(error.message)",
      level: .warning, at: now)
  }

  /// Logs a change, and nothing if an attempt failed like the one before.
  private func logHealth(_ before: String?, at now: BootInstant) {
    guard queue.failure != before else { return }
    if let failure = queue.failure {
      log.write("store-failed", failure, level: .warning, at: now)
    } else {
      log.write("store-recovered", "the waiting records are stored", at: now)
    }
  }

  func close() throws(PortError) { try store?.close() }

  // MARK: Which store it is

  /// Takes a store that could not be asked at the start.
  func attach(_ store: StoreSource?) {
    self.store = store
    lacksState = store != nil
  }

  /// Makes sure that the records go into the store of that name. If the open one has gone, that is
  /// logged, and the file now there is opened at once.
  ///
  /// - Returns: an event for the tracker before anything is written there; nil: none.
  /// - Throws: why nothing can be written.
  func ensureStore(
    with tracker: inout Tracker, at now: BootInstant
  ) throws(PortError) -> Event? {
    guard let store else { return nil }
    do throws(PortError) {
      pendingOpening = try store.ensureOpen() ?? pendingOpening
    } catch {
      guard case .moved = error else { throw error }
      failed(error, at: now)
      pendingOpening = try store.ensureOpen()
    }
    guard let opening = pendingOpening else { return nil }
    let news = try adopt(opening, with: &tracker, at: now)
    pendingOpening = nil
    return news
  }

  /// Continues this run's ids above those of a foreign store, and copies into a store without
  /// records of this run what the records to come refer to.
  ///
  /// - Parameter opening: the first time, of the store that this run's ids were taken from.
  /// - Returns: an event for the tracker before anything is written there; nil: none.
  /// - Throws: why nothing of this run can be stored there.
  func adopt(
    _ opening: StoreOpening, with tracker: inout Tracker, at now: BootInstant
  ) throws(PortError) -> Event? {
    if let warning = opening.warning, warning != self.warning {
      log.write("store-damaged", warning, level: .warning, at: now)
    }
    warning = opening.warning
    if let notice = opening.notice { log.write("store-migrated", notice, at: now) }
    if let mended = opening.repaired {
      log.write("store-mended", mended, level: .warning, at: now)
    }
    var renumbering: Renumbering?
    switch lineage.relation(to: opening) {
    case .first:
      let left = try recall()
      lineage.adopt(opening)
      onStoreChange(nil)
      return left
    case .sameStore: break
    case .foreign:
      let used = opening.identifiers
      guard
        let shift = Renumbering(
          aboveVisit: used.visit, destination: used.destination, session: used.session,
          occurrence: used.occurrence)
      else {
        throw .failed(
          "the file that is now the store \(name ?? "") has ids out of range; "
            + "replace it with another one")
      }
      tracker.renumber(by: shift)
      queue.renumber(by: shift)
      undated.renumber(by: shift)
      renumbering = shift
    }
    lineage.adopt(opening)
    placeState = nil
    onStoreChange(renumbering)
    for record in tracker.currentRecords { store(record, tracker.clock, at: now) }
    if let provenance { queue.store(provenance, at: now) }
    return nil
  }

  /// Reads the state of an earlier run from a store that could not be queried at the start.
  /// Otherwise the state of a run without that knowledge would overwrite it.
  private func recall() throws(PortError) -> Event? {
    guard lacksState, let store else { return nil }
    let left = Event.recalled(
      state: try store.trackerState(), destinations: try store.destinations())
    lacksState = false
    return left
  }
}

/// The health of the store.
public struct StoreHealth: Hashable, Sendable {
  /// Records in memory that are not durable yet.
  public var waiting: Int
  /// Records that were dropped because too many waited.
  public var dropped: Int
  /// Why the last transaction failed; nil if it did not.
  public var failure: String?
  /// A problem of the file, although it accepts records.
  var warning: String?
}
