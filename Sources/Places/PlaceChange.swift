import Core

/// A place, or what is within some distance of it.
public struct PlaceZone: Hashable, Comparable, Sendable {
  public let place: PlaceID
  /// The distance beyond the edge of the place.
  public let margin: Metres

  public init(_ place: PlaceID, margin: Metres = 0) {
    self.place = place
    self.margin = margin
  }

  public static func < (a: Self, b: Self) -> Bool { (a.place, a.margin) < (b.place, b.margin) }
}

/// The board's presence at a place has changed.
public struct PlaceChange: Hashable, Sendable {
  public var place: Place
  /// The margin of the zone that was entered or left.
  public var margin: Metres
  public var change: PresenceChange

  public var zone: PlaceZone { PlaceZone(place.id, margin: margin) }

  /// Whether the board came to the place itself, left it, or was first located there. A first
  /// location elsewhere is no crossing.
  public var isCrossing: Bool {
    margin == 0 && (change.to == .inside || change.from == .inside)
  }
}
