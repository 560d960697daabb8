import Ports

/// Whether an opened store continues this run's ids, or has its own.
///
/// Every opening leaves a mark in the store. If its newest mark is known to this run, the store was
/// written by this run or is an older copy of such a store. A store that another run went on with,
/// even as a copy of this one, has a newer mark.
struct StoreLineage {
  enum Relation {
    /// The ids of this run were taken from it, or chosen at random, so that they collide with no
    /// others.
    case first
    /// New, or an older copy of what this run wrote: the ids continue.
    case sameStore
    case foreign
  }

  /// Nil until the first store is opened.
  private var knownMarks: Set<UInt32>?

  func relation(to opening: StoreOpening) -> Relation {
    guard let knownMarks else { return .first }
    if let newest = opening.marks.last {
      return knownMarks.contains(newest) ? .sameStore : .foreign
    }
    return opening.identifiers == StoreIdentifiers() ? .sameStore : .foreign
  }

  /// Continues this run's ids with this store and its copies from now on.
  mutating func adopt(_ opening: StoreOpening) {
    if relation(to: opening) != .sameStore { knownMarks = Set(opening.marks) }
    knownMarks?.insert(opening.mark)
  }
}
