import Core

/// What somebody wants to know of places.
public struct PlaceInterest: Hashable, Sendable {
  public var places: PlaceSelection
  /// How far beyond its edge a place begins for this.
  public var margin: Metres
  /// A location that is known less well does not do; nil: one that fits the place does.
  public var accuracy: Metres?
  /// Whether the board is looked for because of it now; else the locations that come anyway do.
  public var isLookedFor: Bool

  public init(
    _ places: PlaceSelection, margin: Metres = 0, accuracy: Metres? = nil, isLookedFor: Bool = true
  ) {
    self.places = places
    self.margin = margin
    self.accuracy = accuracy
    self.isLookedFor = isLookedFor
  }
}

/// Some of the places that there are.
public indirect enum PlaceSelection: Hashable, Sendable {
  case all
  case one(PlaceID)
  case named(String)
  case tagged(String)
  /// Of those, what somebody follows.
  case followed(PlaceSelection, by: Visitor)

  /// Where it is about one place only.
  public var onlyPlace: PlaceID? {
    switch self {
    case .one(let id): id
    case .followed(let places, _): places.onlyPlace
    case .all, .named, .tagged: nil
    }
  }

  public func contains(_ place: Place) -> Bool {
    switch self {
    case .all: true
    case .one(let id): place.id == id
    case .named(let name): place.name == name
    case .tagged(let tag): place.tags.contains(tag)
    case .followed(let places, let visitor): places.contains(place) && visitor.follows(place)
    }
  }
}
