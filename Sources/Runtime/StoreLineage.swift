import Ports

/// Whether a store that was opened goes on with this run's ids, or has its own.
///
/// Every opening leaves a mark in the store. The newest mark of a store that this run wrote, or of
/// an older copy of it, is one that this run has met; a store that somebody else went on with, be
/// it a copy of this one, has a newer one.
struct StoreLineage {
  enum Relation {
    /// The ids of this run were chosen for it, or by chance, so that they collide with nobody's.
    case first
    /// New, or an older copy of what this run wrote: the same ids go on.
    case sameStore
    case stranger
  }

  /// Nil until the first store is met.
  private var met: Set<UInt32>?

  func relation(to opening: StoreOpening) -> Relation {
    guard let met else { return .first }
    if let newest = opening.marks.last { return met.contains(newest) ? .sameStore : .stranger }
    return opening.identifiers == StoreIdentifiers() ? .sameStore : .stranger
  }

  /// From now on this run's ids are those of this store and of what is kin to it.
  mutating func adopt(_ opening: StoreOpening) {
    if relation(to: opening) != .sameStore { met = Set(opening.marks) }
    met?.insert(opening.mark)
  }
}
