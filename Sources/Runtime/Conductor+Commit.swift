import Ports
import Quantities
import Records

/// From records in memory to records on disk.
extension Conductor {
  /// Queues the record; one that needs a date waits until there is one.
  func store(_ record: Record, at now: BootInstant) {
    if tracker.clock.utc(at: now) == nil, undated.hold(record, at: now) { return }
    queue.store(record, at: now)
  }

  /// Stores what has waited for the date. Without one at the end, as much as makes sense undated.
  func giveDates(at now: BootInstant) {
    for record in undated.release(date: tracker.clock.utc) { queue.store(record, at: now) }
  }

  func commitIfDue(at now: BootInstant) {
    if queue.shouldCommit(at: now, isAboutToSleep: !tracker.isListening) { commit(at: now) }
  }

  /// Writes what waits, with the tracker's own state in the same transaction.
  public func commit(at now: BootInstant) {
    do throws(StoreError) {
      try meetStore(at: now)
    } catch {
      return storeFailed(error, at: now)
    }
    let before = queue.failure
    queue.commit(to: board.store, with: .trackerState(tracker.snapshot(at: now).text), at: now)
    tellOfStore(before, at: now)
    if queue.failure == nil { tidyIfDue(at: now) }
  }

  /// After the end, for records that wait because the store failed: what kept it from taking them
  /// may pass within moments, as another program's lock does.
  public func commitAtLast(at now: BootInstant) {
    for _ in 0..<Self.lastAttempts where queue.failure != nil { commit(at: now) }
  }

  /// Each waits as long as the store does for a lock.
  private static let lastAttempts = 8

  /// Deletes what is too old, once a day and at the first commit. Only a date of the receiver's
  /// counts that has a witness: neither clock may delete records by itself.
  private func tidyIfDue(at now: BootInstant) {
    guard let store = board.store, now >= nextTidy, tracker.clock.witness != nil,
      let date = tracker.clock.utc(at: now)
    else { return }
    nextTidy = now + .days(1)
    do {
      if let report = try store.tidy(now: date) { noted(Note("retention", report), now) }
    } catch {
      noted(Note("retention-failed", error.message, level: .warning), now)
    }
  }

  /// The store could not be opened: records wait in memory until it can be.
  public func storeFailed(_ error: StoreError, at now: BootInstant) {
    let before = queue.failure
    queue.failed(error, at: now)
    tellOfStore(before, at: now)
  }

  /// Says what has changed, and nothing when an attempt failed like the one before.
  private func tellOfStore(_ before: String?, at now: BootInstant) {
    guard queue.failure != before else { return }
    if let failure = queue.failure {
      noted(Note("store-failed", failure, level: .warning), now)
    } else {
      noted(Note("store-recovered", "the records that waited are stored"), now)
    }
  }

  public var storeHealth: StoreHealth {
    StoreHealth(
      waiting: queue.waiting.count, dropped: queue.dropped, failure: queue.failure,
      warning: storeWarning)
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
