import Core

/// A place, or what is within some distance of it.
public struct PlaceZone: Hashable, Comparable, Sendable {
  public let place: PlaceID
  /// How far beyond the edge of the place it reaches.
  public let margin: Metres

  public init(_ place: PlaceID, margin: Metres = 0) {
    self.place = place
    self.margin = margin
  }

  public static func < (a: Self, b: Self) -> Bool { (a.place, a.margin) < (b.place, b.margin) }
}

/// What is known of whether the board is at a place has changed.
public struct PlaceChange: Hashable, Sendable {
  public var place: Place
  /// How far beyond the edge of the place the zone reaches that was entered or left.
  public var margin: Metres
  public var change: PresenceChange

  public var zone: PlaceZone { PlaceZone(place.id, margin: margin) }

  /// Whether the board came to the place itself, left it, or was found there at first. To be found
  /// elsewhere is no crossing.
  public var isCrossing: Bool {
    margin == 0 && (change.to == .inside || change.from == .inside)
  }
}
