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
      .optionalText("uuid", "What the place is known by everywhere; made where none is given.") {
        place($0).uuid
      },
      .optionalText("name", "What people call it.") { place($0).name },
      .optionalText("description", "More about it.") { place($0).description },
      .optionalText(
        "follows_device",
        "The tracked device that the place goes with; empty for one that stays where it is."
      ) { place($0).device },
      .optionalQuantity("follows_interval_s", "How often the place is moved to that device.") {
        place($0).deviceInterval
      },
      .optionalQuantity(
        "follows_distance_m", "From how far away on it is moved, where no interval is given."
      ) { place($0).deviceDistance },
      .optionalQuantity("anchor_latitude_deg", "Where the device is in the drawing of an area.") {
        place($0).anchorLatitude
      },
      .optionalQuantity("anchor_longitude_deg", "Where the device is in the drawing of an area.") {
        place($0).anchorLongitude
      },
    ]
  }

  private static func time<Row>(
    of place: @escaping @Sendable (Row) -> StoredPlace
  ) -> [RecordColumn<Row>] {
    [
      .optionalTime("valid_from", "From when on it exists; empty: always did.") {
        place($0).validFrom
      },
      .optionalTime("valid_until", "Until when it exists; empty: for ever.") {
        place($0).validUntil
      },
      .optionalText("schedule", "When it is open meanwhile, as an iCalendar object.") {
        place($0).schedule
      },
    ]
  }

  private static func meaning<Row>(
    of place: @escaping @Sendable (Row) -> StoredPlace
  ) -> [RecordColumn<Row>] {
    [
      .optionalText(
        "visible_to", "Who may see it, in JSON: people and groups; empty: everybody."
      ) { place($0).visibleTo },
      .optionalText(
        "relationships", "Other places, in JSON: a list of kind and target."
      ) { place($0).relationships },
      .optionalText("tags", "Categories and topics, a list in JSON or separated by commas.") {
        place($0).tags
      },
      .optionalText(
        "followers",
        "Who is told of changes, in JSON: names and inferred_from_visits."
      ) { place($0).followers },
      .optionalText(
        "contents",
        "What is shown there, in JSON: a list of id, title, type, uri, media_type, text, start, "
          + "end and venue."
      ) { place($0).contents }.holding(4 << 20),
      .optionalText("owner", "Who made it; empty: who has this store.") { place($0).owner },
      .optionalInteger("version", "Counts the changes, from 1.") { place($0).version },
      .optionalText(
        "beacons",
        "Bluetooth beacons that stand there, a list in JSON or separated by commas: "
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
