import Core

/// The columns of a place beside its geometry, as stored. Other programs can write them, too: the
/// values are unchecked. Compound parts are JSON, in the form of place files.
public struct StoredPlace: Hashable, Sendable {
  public var uuid: String?
  public var name: String?
  public var description: String?
  /// The tracked device whose position is the place's position.
  public var device: String?
  public var deviceInterval: Seconds?
  public var deviceDistance: Metres?
  public var anchorLatitude: Degrees?
  public var anchorLongitude: Degrees?
  public var validFrom: UTCInstant?
  public var validUntil: UTCInstant?
  /// An iCalendar object.
  public var schedule: String?
  public var visibleTo: String?
  public var relationships: String?
  public var tags: String?
  public var followers: String?
  public var contents: String?
  public var owner: String?
  public var version: Int64?
  public var beacons: String?

  public init() {}

  /// The limit of each column except the contents. It exceeds what a place may have there.
  static let mostBytes = 256 << 10

  /// The columns that circles and areas have in common, after their own.
  static func columns<Row>(
    of place: @escaping @Sendable (Row) -> StoredPlace
  ) -> [RecordColumn<Row>] {
    identity(of: place) + time(of: place) + meaning(of: place)
  }

  private static func identity<Row>(
    of place: @escaping @Sendable (Row) -> StoredPlace
  ) -> [RecordColumn<Row>] {
    [
      .optionalText("uuid", "Unique identifier of the place; created if missing.") {
        place($0).uuid
      },
      .optionalText("name", "Name of the place.") { place($0).name },
      .optionalText("description", "Description of the place.") { place($0).description },
      .optionalText(
        "follows_device",
        "Tracked device that the place moves with; empty for a fixed place."
      ) { place($0).device },
      .optionalQuantity(
        "follows_interval_s", "Interval at which the place is moved to that device."
      ) {
        place($0).deviceInterval
      },
      .optionalQuantity(
        "follows_distance_m", "Distance at which it is moved, if no interval is set."
      ) { place($0).deviceDistance },
      .optionalQuantity("anchor_latitude_deg", "Position of the device in the drawing of an area.")
      {
        place($0).anchorLatitude
      },
      .optionalQuantity("anchor_longitude_deg", "Position of the device in the drawing of an area.")
      {
        place($0).anchorLongitude
      },
    ]
  }

  private static func time<Row>(
    of place: @escaping @Sendable (Row) -> StoredPlace
  ) -> [RecordColumn<Row>] {
    [
      .optionalTime("valid_from", "Time from which it exists; empty: always.") {
        place($0).validFrom
      },
      .optionalTime("valid_until", "Time until which it exists; empty: unlimited.") {
        place($0).validUntil
      },
      .optionalText("schedule", "Opening hours within that time, as an iCalendar object.") {
        place($0).schedule
      },
    ]
  }

  private static func meaning<Row>(
    of place: @escaping @Sendable (Row) -> StoredPlace
  ) -> [RecordColumn<Row>] {
    [
      .optionalText(
        "visible_to", "People and groups who may see it, in JSON; empty: everybody."
      ) { place($0).visibleTo },
      .optionalText(
        "relationships", "Relationships to other places, in JSON: a list of kind and target."
      ) { place($0).relationships },
      .optionalText("tags", "Categories and topics, a list in JSON or separated by commas.") {
        place($0).tags
      },
      .optionalText(
        "followers",
        "People who are notified of changes, in JSON: names and inferred_from_visits."
      ) { place($0).followers },
      .optionalText(
        "contents",
        "Contents of the place, in JSON: a list of id, title, type, uri, media_type, text, start, "
          + "end and venue."
      ) { place($0).contents }.holding(4 << 20),
      .optionalText("owner", "Owner; empty: the owner of this store.") { place($0).owner },
      .optionalInteger("version", "Number of the version, counted from 1.") { place($0).version },
      .optionalText(
        "beacons",
        "Bluetooth beacons at the place, a list in JSON or separated by commas: "
          + "ibeacon:UUID/MAJOR/MINOR or eddystone:NAMESPACE/INSTANCE, * for any."
      ) { place($0).beacons }.added(in: Record.beacons),
    ]
  }

  init(row: RowReader) throws(DamagedColumn) {
    uuid = try row.optionalText("uuid")
    name = try row.optionalText("name")
    description = try row.optionalText("description")
    device = try row.optionalText("follows_device")
    deviceInterval = try row.optionalQuantity("follows_interval_s")
    deviceDistance = try row.optionalQuantity("follows_distance_m")
    anchorLatitude = try row.optionalQuantity("anchor_latitude_deg")
    anchorLongitude = try row.optionalQuantity("anchor_longitude_deg")
    validFrom = try row.optionalTime("valid_from")
    validUntil = try row.optionalTime("valid_until")
    schedule = try row.optionalText("schedule")
    visibleTo = try row.optionalText("visible_to")
    relationships = try row.optionalText("relationships")
    tags = try row.optionalText("tags")
    followers = try row.optionalText("followers")
    contents = try row.optionalText("contents")
    owner = try row.optionalText("owner")
    version = try row.optionalInteger("version")
    beacons = try row.optionalText("beacons")
  }
}
