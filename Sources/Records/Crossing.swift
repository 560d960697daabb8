import Core

/// The board entered or left a named place, with the evidence.
public struct Crossing: Hashable, Sendable {
  public enum Change: String, StoredWord {
    case entered
    case left
    /// The board was inside when it was first located.
    case found

    public var meaning: String {
      switch self {
      case .entered: "The board arrived from outside."
      case .left: "The board was inside and left."
      case .found: "The board was inside when it was first located."
      }
    }
  }

  /// The source of the evidence.
  public enum Evidence: String, StoredWord {
    case location
    /// A Bluetooth beacon of the place was received, or is no longer received.
    case beacon

    public var meaning: String {
      switch self {
      case .location: "Where the board was located."
      case .beacon: "A Bluetooth beacon of the place was received, or was no longer received."
      }
    }
  }

  /// Unique and rising in one store, in one sequence with the ids of notices.
  public var id: Int64
  public var change: Change
  /// The time of the deciding location.
  public var time: UTCInstant
  /// The last time at which the board was known to be on the other side; nil if it never was.
  public var earliest: UTCInstant?
  /// The first time at which the board was known to be on this side.
  public var latest: UTCInstant
  /// The place's UUID in canonical form.
  public var placeUUID: String
  public var placeName: String
  /// The version of the place at the crossing.
  public var placeVersion: Int
  public var position: Coordinate
  /// The accuracy of the position (68 %).
  public var accuracy: Metres
  /// The distance from the position to the edge, negative inside.
  public var distance: Metres
  /// 0...1
  public var probabilityInside: Double
  public var evidence = Evidence.location

  public init(
    id: Int64, _ change: Change, time: UTCInstant, earliest: UTCInstant? = nil,
    latest: UTCInstant, place: (uuid: String, name: String, version: Int),
    position: Coordinate, accuracy: Metres, distance: Metres, probabilityInside: Double
  ) {
    self.id = id
    self.change = change
    self.time = time
    self.earliest = earliest
    self.latest = latest
    placeUUID = place.uuid
    placeName = place.name
    placeVersion = place.version
    self.position = position
    self.accuracy = accuracy
    self.distance = distance
    self.probabilityInside = probabilityInside
  }
}

extension Crossing: StoredRecord {
  public static let table = RecordTable<Self>(
    "crossings", "Arrivals at places and departures", key: .given { $0.id }, time: "time",
    columns: [
      .position("Location that showed the crossing.") { $0.position },
      .time("time", "Time of that location.") { $0.time },
      .word("change", "Kind of the crossing.") { $0.change },
      .text("place_uuid", "UUID of the place that was entered or left.") { $0.placeUUID },
      .text("place_name", "Name of the place at that time.") { $0.placeName },
      .count("place_version", "Version of the place at that time.") { $0.placeVersion },
      .optionalTime(
        "earliest",
        "Last time at which the board was known to be on the other side; empty: never."
      ) { $0.earliest },
      .time("latest", "First time at which it was known to be on this side.") { $0.latest },
      .quantity("accuracy_m", "Radius around the position within which the board was, 68 %.") {
        $0.accuracy
      },
      .quantity(
        "edge_distance_m", "Distance from the position to the edge of the place; negative inside."
      ) {
        $0.distance
      },
      .ratio("probability_inside", "Probability that the board was inside, by this location alone.")
      {
        $0.probabilityInside
      },
      .optionalWord(
        "evidence", "Evidence of the crossing; empty in rows of versions that used only locations."
      ) { $0.evidence }.added(in: Record.nearness),
    ])

  public init(row: RowReader) throws(DamagedColumn) {
    self.init(
      id: try row.identifier(), try row.word("change"), time: try row.time("time"),
      earliest: try row.optionalTime("earliest"), latest: try row.time("latest"),
      place: (
        try row.text("place_uuid"), try row.text("place_name"), try row.count("place_version")
      ),
      position: try row.position("geom"), accuracy: try row.quantity("accuracy_m"),
      distance: try row.quantity("edge_distance_m"),
      probabilityInside: try row.real("probability_inside"))
    evidence = try row.optionalWord("evidence") ?? .location
  }

  public var record: Record { .crossing(self) }
  public var lastChange: UTCInstant? { time }
  public var isUrgent: Bool { true }

  public func renumbered(by shift: Renumbering) -> Crossing {
    var crossing = self
    crossing.id += shift.occurrences
    return crossing
  }
}
