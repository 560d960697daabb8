import Core

/// What can happen to the places around the board.
public enum PlaceEvent: Sendable {
  /// Evidence of the board's position or motion.
  case presence(PresenceEvent)
  /// Locations show that the board has stayed in place since then; nothing else would detect a
  /// departure. Nil: it does not stay.
  case still(since: BootInstant?)
  /// The interests, replacing the earlier ones.
  case wanted([PlaceInterest])
  /// The requested places: those within a box, and those that follow a device.
  /// - openings: of places that are not always open; for the others only the lifetime counts.
  /// - request: the number of the request; only the newest counts.
  /// - isCut: whether there are more fixed places than requested, or more than can be kept.
  case found([Place], openings: [PlaceID: PlaceOpening] = [:], request: Int, isCut: Bool)
  /// Places open and close; other events have that effect, too.
  case timePassed
  /// A person has edited places.
  case edited
  /// The reported position of a tracked device.
  case device(String, at: Coordinate)
  /// A beacon of a place is received, or none of its beacons is any more.
  case beacon(Place, BeaconReception)
}

/// An action for places.
public enum PlaceEffect: Hashable, Sendable {
  /// Answer with `PlaceEvent.found`.
  case find(near: GeographicBox, atMost: Int, request: Int)
  case changed(PlaceChange)
  /// When a fix is needed next; replaces the earlier request. Nil: none is needed.
  case requestFix(PlaceReach.FixRequest?)
}
