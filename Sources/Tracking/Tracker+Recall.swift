import Notation
import Quantities
import Records

/// A store that could not be asked when the tracker began, and can be now.
extension Tracker {
  /// Takes over what an earlier run left. The visit that was going on then goes on, unless this run
  /// has found one meanwhile: then it ends when it was last seen.
  ///
  /// - Parameters:
  ///   - state: the earlier run's snapshot; nil in a new store.
  ///   - destinations: all that the store has.
  public mutating func recall(
    _ state: String?, destinations: [Destination], at now: BootInstant
  ) -> [Effect] {
    var effects: [Effect] = []
    perception.recall(destinations)
    guard let state, let snapshot = understood(state, at: now, into: &effects) else {
      return effects
    }
    clock.restore(snapshot["date"])
    if counters.fixesAccepted == 0 { acquisition.restore(snapshot["acquisition"]) }
    finishLine(snapshot, into: &effects)
    if let id = snapshot["session"]?.count { interrupted(Int64(id), snapshot, into: &effects) }
    if let saved = snapshot["perception"] { record(perception.recall(saved), into: &effects) }
    return effects
  }
}

extension Perception {
  mutating func recall(_ destinations: [Destination]) {
    book = DestinationBook(
      destinations + book.destinations, lastID: book.lastID, reach: settings.destinationReach)
  }

  /// - Returns: what becomes of the visit that was going on.
  mutating func recall(_ snapshot: JSONValue) -> PerceptionOutcome {
    var outcome = PerceptionOutcome()
    var past = VisitDetector(settings: settings.dwell, nextID: detector.nextID)
    if let saved = snapshot["visits"] { past.restore(saved) }
    if detector.open == nil, detector.ended == nil {
      detector = past
    } else {
      record(past.endStay(), in: &outcome)
    }
    return outcome
  }
}
