import RadioSignals
import Core

/// Everything about a place that its owner can change. A record that anything can be written to;
/// `Place` is what has been checked.
public struct PlaceDetails: Hashable, Sendable {
  public var name: String
  public var description = ""
  public var location: PlaceLocation
  public var perimeter: Perimeter
  /// Bluetooth beacons that stand there, each once: whoever hears one is there.
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

/// Between which moments a place exists (Chughtai 2015, section 4.2.4): open at either end where
/// nothing is said.
public struct PlaceLifetime: Hashable, Sendable {
  public var from: UTCInstant?
  /// The first moment at which it does not exist any more.
  public var until: UTCInstant?

  public init(from: UTCInstant? = nil, until: UTCInstant? = nil) {
    self.from = from
    self.until = until
  }

  public func contains(_ instant: UTCInstant) -> Bool {
    if let from, instant < from { return false }
    if let until, instant >= until { return false }
    return true
  }
}

/// To whom a place is shown (Chughtai 2015, section 4.2.5). Its owner sees it in any case.
public enum PlaceVisibility: Hashable, Sendable {
  case open
  /// Nobody else than these people, and the members of these groups.
  case only(people: [String], groups: [String])
}

/// How a place is related to another one (Chughtai 2015, section 4.2.6).
public struct PlaceRelationship: Hashable, Sendable {
  /// What the other one is to it, in a service's own word: "tour", "related", "next".
  public var kind: String
  public var target: PlaceID

  public init(kind: String, target: PlaceID) {
    self.kind = kind
    self.target = target
  }
}

/// Who is told of changes (Chughtai 2015, section 4.2.8).
public struct PlaceFollowers: Hashable, Sendable {
  /// People who have said so themselves.
  public var names: [String]
  /// Whether who visits the place often is taken to be one.
  public var isInferredFromVisits: Bool

  public init(names: [String] = [], isInferredFromVisits: Bool = false) {
    self.names = names
    self.isInferredFromVisits = isInferredFromVisits
  }
}
