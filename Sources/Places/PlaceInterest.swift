import Core

/// Interest in the presence at some places.
public struct PlaceInterest: Hashable, Sendable {
  var places: PlaceSelection
  /// The distance beyond its edge at which a place begins for this interest.
  var margin: Metres
  /// The largest sufficient error of a location; nil: the place's size decides.
  var accuracy: Metres?
  /// Whether fixes are requested for it now; otherwise it uses locations obtained for other
  /// reasons.
  var requestsFixes: Bool

  public init(
    _ places: PlaceSelection, margin: Metres = 0, accuracy: Metres? = nil, isLookedFor: Bool = true
  ) {
    self.places = places
    self.margin = margin
    self.accuracy = accuracy
    self.requestsFixes = isLookedFor
  }
}

/// A selection of places.
public indirect enum PlaceSelection: Hashable, Sendable {
  case all
  case one(PlaceID)
  case named(String)
  case tagged(String)
  /// Those of a selection that the visitor follows.
  case followed(PlaceSelection, by: Visitor)

  /// The place if it is selected by its id; nil otherwise.
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
