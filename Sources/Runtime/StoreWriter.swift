import Records
import Ports
import Core
import Tracking

/// From records in memory to records on disk: undated ones wait for the date, the others for a
/// common transaction, and all of them while the store cannot take them.
public final class StoreWriter {
  private var store: StoreSource?
  private let log: LogChannel
  private var queue: RecordQueue
  private var undated = UndatedRecords() {
    // Wherever it gives something up, that counts like what the queue gives up.
    didSet { queue.lost(undated.takeDropped()) }
  }
  /// When the date of a clock that nothing keeps right has to do; nil: nothing has waited for a
  /// better one.
  private var dateBy: BootInstant?
  private var lineage = StoreLineage()
  /// The store that was opened and whose ids could not be dealt with yet.
  private var unmet: StoreOpening?
  /// What is wrong with the store, in words, although it takes records.
  private var warning: String?
  private var trouble = ReadingTrouble()
  /// Whether the store could not be asked what an earlier run left.
  private var startsBlind = false
  private var nextTidy = BootInstant.zero
  /// What was last written of the places that are watched.
  private var placeState: String?
  /// Called when another store takes the records, with how their ids have changed for it.
  var onMeeting: (Renumbering?) -> Void = { _ in }
  /// What made the records; nil: nobody said.
  private var provenance: Record?

  init(_ store: StoreSource?, commits: CommitSettings, log: LogChannel) {
    self.store = store
    self.log = log
    queue = RecordQueue(commits)
  }

  public var name: String? { store?.name }

  public var health: StoreHealth {
    StoreHealth(
      waiting: queue.waitingCount, dropped: queue.dropped, failure: queue.failure ?? trouble.told,
      warning: warning)
  }

  /// When a commit is due at the latest; nil when nothing waits.
  var due: BootInstant? { .earlier(queue.due, undated.isEmpty ? nil : dateBy) }

  // MARK: Records

  /// Queues the record; one that needs a date waits until there is one.
  func store(_ record: Record, _ clock: UTCClock, at now: BootInstant) {
    if clock.utc(at: now) == nil, undated.hold(record, at: now) { return }
    queue.store(record, at: now)
  }

  /// Queues a record that has all the dates it will ever have.
  func storeDated(_ record: Record, at now: BootInstant) { queue.store(record, at: now) }

  func store(_ interval: StateInterval, _ clock: UTCClock, at now: BootInstant) {
    guard !waits(for: clock, at: now), let start = clock.utc(at: interval.start) else {
      undated.hold(interval, at: now)
      if clock.utc(at: now) != nil { dateBy = dateBy ?? now + queue.settings.interval }
      return
    }
    queue.store(.powerSegment(PowerSegment(interval, start: start)), at: now)
  }

  /// Stores what has waited for the date, if there is one.
  func dateIfKnown(by clock: UTCClock, at now: BootInstant) {
    if !undated.isEmpty, !waits(for: clock, at: now) { storeUndated(by: clock, at: now) }
  }

  /// Whether the date of a segment may soon be known, or known better: a clock that nothing keeps
  /// right may be years off, and the first fix tells. No longer than any record waits, once.
  private func waits(for clock: UTCClock, at now: BootInstant) -> Bool {
    guard clock.utc(at: now) != nil else { return true }
    return !clock.isSure && dateBy.map { now < $0 } ?? true
  }

  /// Stores what has waited for the date. Without one, as much as makes sense undated.
  func storeUndated(by clock: UTCClock, at now: BootInstant) {
    // They have waited long enough already.
    let since = undated.since ?? now
    for record in undated.release(date: clock.utc) { queue.store(record, at: since) }
  }

  /// What goes with the next transaction has changed, and its loss would hurt.
  func hasten(at now: BootInstant) { queue.hasten(at: now) }

  /// Says in the store, and in each that takes its place, what makes the records.
  func sign(_ text: String, at now: BootInstant) {
    provenance = .provenance(text)
    queue.store(.provenance(text), at: now)
  }

  /// Whether all that was handed over is durable.
  var isAllStored: Bool { queue.failure == nil && queue.waitingCount == 0 && store != nil }

  /// Whether something waits that should not, and the store takes it.
  var isUrgent: Bool { queue.isUrgent }

  /// Reads from the store.
  /// - Returns: nil where there is none.
  func ask<Answer>(
    _ question: (any StorePort) throws(PortError) -> Answer
  ) throws(PortError) -> Answer? {
    try store?.ask(question) ?? nil
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
  /// was met just before.
  /// - Parameter places: what watching places leaves; nil: nothing.
  func commit(
    with tracker: Tracker, places: String?, at now: BootInstant, evenIfNothingWaits: Bool
  ) {
    let before = queue.failure
    let state = Record.trackerState(tracker.snapshot(at: now).text)
    // With nothing else to write, the queue writes nothing.
    if evenIfNothingWaits, queue.waitingCount == 0 { queue.store(state, at: now) }
    let news = places == placeState ? nil : places
    let states = [news.map { .placeState($0) }, state].compactMap { $0 }
    queue.commit(to: store, with: states, at: now)
    if queue.failure == nil, queue.waitingCount == 0, let news { placeState = news }
    tellHealth(before, at: now)
    if queue.failure == nil { tidyIfDue(by: tracker.clock, at: now) }
  }

  /// Deletes what is too old, once a day and at the first commit. Only a date of the receiver's
  /// counts that has a witness: neither clock may delete records by itself.
  private func tidyIfDue(by clock: UTCClock, at now: BootInstant) {
    guard let store, now >= nextTidy, clock.source != nil, let date = clock.utc(at: now) else {
      return
    }
    nextTidy = now + .days(1)
    do {
      let report = try store.ask { (store) throws(PortError) in
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
    tellHealth(before, at: now)
  }

  /// Places and alerts could not be read, or, where there is no error, could.
  func asked(_ error: PortError?, at now: BootInstant) {
    guard let error else {
      if trouble.passed() {
        log.write("places-read", "places and alerts can be read again", at: now)
      }
      return
    }
    guard trouble.failed(error.message), queue.failure != error.message else { return }
    log.write(
      "places-unread", "places and alerts are as they were before: \(error.message)",
      level: .warning, at: now)
  }

  /// Says what has changed, and nothing when an attempt failed like the one before.
  private func tellHealth(_ before: String?, at now: BootInstant) {
    guard queue.failure != before else { return }
    if let failure = queue.failure {
      log.write("store-failed", failure, level: .warning, at: now)
    } else {
      log.write("store-recovered", "the records that waited are stored", at: now)
    }
  }

  func close() throws(PortError) { try store?.close() }

  // MARK: Which store it is

  /// Takes a store that could not be asked at the start.
  func attach(_ store: StoreSource?) {
    self.store = store
    startsBlind = store != nil
  }

  /// Makes sure that the records go into the store of that name. When the one that was open has
  /// gone, that is told, and what is there now is opened at once.
  ///
  /// - Returns: what the tracker has to hear before anything is written there; nil: nothing.
  /// - Throws: why nothing can be written.
  func meetStore(
    with tracker: inout Tracker, at now: BootInstant
  ) throws(PortError) -> Event? {
    guard let store else { return nil }
    do throws(PortError) {
      unmet = try store.ensureOpen() ?? unmet
    } catch {
      guard case .moved = error else { throw error }
      failed(error, at: now)
      unmet = try store.ensureOpen()
    }
    guard let opening = unmet else { return nil }
    let news = try meet(opening, with: &tracker, at: now)
    unmet = nil
    return news
  }

  /// A store with ids of others gets this run's above them, and one that knows nothing of this run
  /// gets what the records to come refer to.
  ///
  /// - Parameter opening: of the store that this run's ids were taken from, the first time.
  /// - Returns: what the tracker has to hear before anything is written there; nil: nothing.
  /// - Throws: why nothing of this run can be stored there.
  func meet(
    _ opening: StoreOpening, with tracker: inout Tracker, at now: BootInstant
  ) throws(PortError) -> Event? {
    if let warning = opening.warning, warning != self.warning {
      log.write("store-damaged", warning, level: .warning, at: now)
    }
    warning = opening.warning
    if let notice = opening.notice { log.write("store-migrated", notice, at: now) }
    if let mended = opening.mended {
      log.write("store-mended", mended, level: .warning, at: now)
    }
    var renumbering: Renumbering?
    switch lineage.relation(to: opening) {
    case .first:
      let left = try recall()
      lineage.adopt(opening)
      onMeeting(nil)
      return left
    case .sameStore: break
    case .stranger:
      let used = opening.identifiers
      guard
        let shift = Renumbering(
          aboveVisit: used.visit, destination: used.destination, session: used.session,
          occurrence: used.occurrence)
      else {
        throw .failed(
          "the file that is now the store \(name ?? "") has ids beyond all bounds; "
            + "put another in its place")
      }
      tracker.renumber(by: shift)
      queue.renumber(by: shift)
      undated.renumber(by: shift)
      renumbering = shift
    }
    lineage.adopt(opening)
    placeState = nil
    onMeeting(renumbering)
    for record in tracker.standing { store(record, tracker.clock, at: now) }
    if let provenance { queue.store(provenance, at: now) }
    return nil
  }

  /// A store that could not be asked at the start is asked now what an earlier run left: it would
  /// be written over with the state of one that knows nothing.
  private func recall() throws(PortError) -> Event? {
    guard startsBlind, let store else { return nil }
    let left = Event.recalled(
      state: try store.trackerState(), destinations: try store.destinations())
    startsBlind = false
    return left
  }
}

/// How the store fares.
public struct StoreHealth: Hashable, Sendable {
  /// Records in memory that are not durable yet.
  public var waiting: Int
  /// Records that were given up because too many waited.
  public var dropped: Int
  /// Why the last transaction failed; nil when it did not.
  public var failure: String?
  /// What is wrong with the file, although it takes records.
  public var warning: String?
}
