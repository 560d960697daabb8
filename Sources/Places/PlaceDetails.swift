import RadioSignals
import Core

/// All editable data of a place, unchecked; `Place` holds checked details.
public struct PlaceDetails: Hashable, Sendable {
  public var name: String
  public var description = ""
  public var location: PlaceLocation
  public var perimeter: Perimeter
  /// Bluetooth beacons at the place, each once: receiving one means being there.
  public var beacons: [BeaconRegion] = []
  public var lifetime = PlaceLifetime()
  public var schedule: PlaceSchedule?
  public var visibility = PlaceVisibility.open
  public var relationships: [PlaceRelationship] = []
  /// Categories and topics, each once.
  public var tags: [String] = []
  public var followers = PlaceFollowers()
  public var contents: [PlaceContent] = []
  /// The person who made it.
  public var owner: String

  public init(name: String, location: PlaceLocation, perimeter: Perimeter, owner: String) {
    self.name = name
    self.location = location
    self.perimeter = perimeter
    self.owner = owner
  }
}

/// The time in which a place exists (Chughtai 2015, section 4.2.4): nil means unlimited.
public struct PlaceLifetime: Hashable, Sendable {
  public var from: UTCInstant?
  /// Exclusive.
  public var until: UTCInstant?

  public init(from: UTCInstant? = nil, until: UTCInstant? = nil) {
    self.from = from
    self.until = until
  }

  func contains(_ instant: UTCInstant) -> Bool {
    if let from, instant < from { return false }
    if let until, instant >= until { return false }
    return true
  }
}

/// The audience of a place (Chughtai 2015, section 4.2.5). Its owner always sees it.
public enum PlaceVisibility: Hashable, Sendable {
  case open
  /// Only these people, and the members of these groups.
  case only(people: [String], groups: [String])
}

/// How a place is related to another one (Chughtai 2015, section 4.2.6).
public struct PlaceRelationship: Hashable, Sendable {
  /// The role of the target, in a service's own word: "tour", "related", "next".
  public var kind: String
  public var target: PlaceID

  public init(kind: String, target: PlaceID) {
    self.kind = kind
    self.target = target
  }
}

/// The people to be notified of changes (Chughtai 2015, section 4.2.8).
public struct PlaceFollowers: Hashable, Sendable {
  /// People who follow it explicitly.
  public var names: [String]
  /// Whether frequent visitors are assumed to follow it.
  public var isInferredFromVisits: Bool

  public init(names: [String] = [], isInferredFromVisits: Bool = false) {
    self.names = names
    self.isInferredFromVisits = isInferredFromVisits
  }
}
