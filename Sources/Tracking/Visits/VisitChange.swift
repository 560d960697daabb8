import Records

/// What the visit detector found out with the last location.
public enum VisitChange: Hashable, Sendable {
  /// A stay is now certain; its arrival lies in the past.
  case began(Visit)
  /// The open visit's place or bounds moved.
  case updated(Visit)
  /// The board has left.
  case ended(Visit)
  /// What had been announced as a visit proved to be none.
  case withdrawn(id: Int64)

  /// As it is stored.
  var record: Record {
    switch self {
    case .began(let visit), .updated(let visit), .ended(let visit): .visit(visit)
    case .withdrawn(let id): .visitWithdrawn(id: id)
    }
  }
}
