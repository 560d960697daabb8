import Ports
import Quantities
import Records

/// When the store that is opened is not the one that there was.
extension Conductor {
  /// Makes sure that the records go into the store of that name. When the one that was open has
  /// gone, that is told, and what is there now is opened at once.
  func meetStore(at now: BootInstant) throws(StoreError) {
    guard let store = board.store else { return }
    do throws(StoreError) {
      unmet = try store.ensureOpen() ?? unmet
    } catch {
      guard case .moved = error else { throw error }
      storeFailed(error, at: now)
      unmet = try store.ensureOpen()
    }
    guard let opening = unmet else { return }
    try meet(opening, at: now)
    unmet = nil
  }

  /// A store with ids of others gets this run's above them, and one that knows nothing of this run
  /// gets what the records to come refer to.
  ///
  /// - Parameter opening: of the store that this run's ids were taken from, the first time.
  /// - Throws: why nothing of this run can be stored there.
  public func meet(_ opening: StoreOpening, at now: BootInstant) throws(StoreError) {
    if let warning = opening.warning, warning != storeWarning {
      noted(Note("store-damaged", warning, level: .warning), now)
    }
    storeWarning = opening.warning
    switch kinship.relation(to: opening) {
    case .first:
      try recall(at: now)
      return kinship.adopt(opening)
    case .kin: break
    case .stranger:
      let used = opening.identifiers
      guard
        let shift = Renumbering(
          aboveVisit: used.visit, destination: used.destination, session: used.session)
      else {
        throw .failed(
          "the file that is now the store \(board.store?.name ?? "") has ids beyond all bounds; "
            + "put another in its place")
      }
      tracker.renumber(by: shift)
      queue.renumber(by: shift)
      undated.renumber(by: shift)
    }
    kinship.adopt(opening)
    for record in tracker.standing { store(record, at: now) }
  }

  /// A store that could not be asked at the start is asked now what an earlier run left: it would
  /// be written over with the state of one that knows nothing.
  private func recall(at now: BootInstant) throws(StoreError) {
    guard startsBlind, let store = board.store else { return }
    let state = try store.trackerState()
    let destinations = try store.destinations()
    startsBlind = false
    for effect in tracker.recall(state, destinations: destinations, at: now) {
      perform(effect, at: now)
    }
  }
}
