/// A place as a row of one of the two layers.
public enum PlaceRow: Hashable, Sendable {
  case circle(StoredCircle)
  case area(StoredArea)

  /// The columns that both layers have in common.
  public var place: StoredPlace {
    switch self {
    case .circle(let circle): circle.place
    case .area(let area): area.place
    }
  }

  public var record: Record {
    switch self {
    case .circle(let circle): circle.record
    case .area(let area): area.record
    }
  }

  /// The number within its layer.
  public var id: Int64 {
    switch self {
    case .circle(let circle): circle.id
    case .area(let area): area.id
    }
  }

  /// Whether both rows describe the same place; numbers and versions are ignored.
  public func isEquivalent(sameAs other: PlaceRow) -> Bool { content == other.content }

  private var content: PlaceRow {
    switch self {
    case .circle(var circle):
      circle.id = 0
      circle.place.version = nil
      return .circle(circle)
    case .area(var area):
      area.id = 0
      area.place.version = nil
      return .area(area)
    }
  }

  /// A copy of the row with another number.
  public func numbered(_ id: Int64) -> PlaceRow {
    switch self {
    case .circle(var circle):
      circle.id = id
      return .circle(circle)
    case .area(var area):
      area.id = id
      return .area(area)
    }
  }
}
