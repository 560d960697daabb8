import Core

/// An alert as stored in the columns. Other programs can write them, too: the values are unchecked.
public struct StoredAlert: Hashable, Sendable {
  /// The limit of active alerts.
  public static let most = 1000
  /// The limit for all texts of an alert together. It exceeds what an active alert may have.
  public static let mostBytes = 32 << 10

  public var id: Int64
  public var name: String?
  /// A word of `AlertKind`.
  public var kind: String?
  /// The UUID of a place, or its name.
  public var place: String?
  /// The tag of places.
  public var tag: String?
  public var stay: Seconds?
  public var distance: Metres?
  public var radius: Metres?
  public var grace: Seconds?
  public var accuracy: Metres?
  public var centreLatitude: Degrees?
  public var centreLongitude: Degrees?
  /// The lines of an iCalendar object.
  public var schedule: String?
  public var isOnce: Bool?
  public var resendPause: Seconds?
  public var isEnabled: Bool?
  /// A word of `AlertArming`.
  public var armedBy: String?
  public var isArmed: Bool?
  /// Restricts the alert to places that the person of `places.person` follows.
  public var isFollowed: Bool?

  public init(id: Int64) { self.id = id }

  /// The length of all its texts.
  public var textBytes: Int {
    [name, kind, place, tag, schedule, armedBy].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }

  public var needsArming: Bool { kind.flatMap(AlertKind.init)?.needsArming ?? false }

  /// Also with an unknown kind: the places that it names are shown.
  public var watchesPlaces: Bool { kind.flatMap(AlertKind.init)?.watchesPlaces ?? true }
}

/// What arms an alert that monitors something at rest.
public enum AlertArming: String, StoredWord {
  case hand
  case schedule
  case ignition

  public var meaning: String {
    switch self {
    case .hand: "A person, with godwit alerts arm."
    case .schedule: "The clock: armed while the schedule is on."
    case .ignition: "The ignition: armed while it is off."
    }
  }
}

extension StoredAlert: StoredRecord {
  public static let table = RecordTable<Self>(
    "alerts", "What people want to be told of", key: .given { $0.id },
    mostBytes: mostBytes,
    columns: [
      .optionalText("name", "Name of the alert.") { $0.name },
      .optionalText("kind", "Kind of the alert.", words: AlertKind.meanings) { $0.kind },
      .optionalText("place", "UUID or name of a place; empty: see tag.") { $0.place },
      .optionalText(
        "tag", "All places with this tag; empty, with place empty, too: all places."
      ) { $0.tag },
      .optionalQuantity("stay_s", "For dwell: minimum stay.") { $0.stay },
      .optionalQuantity("distance_m", "For near: distance from the edge of the place.") {
        $0.distance
      },
      .optionalQuantity("radius_m", "For moved and anchor: radius of the circle.") {
        $0.radius
      },
      .optionalQuantity("grace_s", "For anchor: time that the board may be outside.") { $0.grace },
      .optionalQuantity(
        "accuracy_m", "Maximum accuracy radius of a location that can raise it; empty: any."
      ) { $0.accuracy },
      .optionalQuantity(
        "centre_latitude_deg",
        "For anchor: latitude of the centre; empty: the position of the board."
      ) {
        $0.centreLatitude
      },
      .optionalQuantity("centre_longitude_deg", "For anchor: longitude of the centre.") {
        $0.centreLongitude
      },
      .optionalText(
        "schedule",
        "Times at which it is active, as lines of iCalendar (DTSTART, DTEND, RRULE); for "
          + "not-there-by and not-back-by, the latest times. Empty: always."
      ) { $0.schedule },
      .optionalFlag("is_once", "1: it is raised only once.") { $0.isOnce },
      .optionalQuantity("resend_pause_s", "Minimum time before it is raised again.") {
        $0.resendPause
      },
      .optionalFlag("is_enabled", "1 or empty: it is enabled.") { $0.isEnabled },
      .optionalText(
        "armed_by", "For moved and anchor: how it is armed; empty: hand.",
        words: AlertArming.meanings
      ) { $0.armedBy },
      .optionalFlag("is_armed", "1: a person has armed it.") { $0.isArmed },
      .optionalFlag(
        "is_followed", "1: only places that the person of places.person follows."
      ) { $0.isFollowed }.added(in: Record.followers),
    ])

  public init(row: RowReader) throws(DamagedColumn) {
    self.init(id: try row.identifier())
    name = try row.optionalText("name")
    kind = try row.optionalText("kind")
    place = try row.optionalText("place")
    tag = try row.optionalText("tag")
    stay = try row.optionalQuantity("stay_s")
    distance = try row.optionalQuantity("distance_m")
    radius = try row.optionalQuantity("radius_m")
    grace = try row.optionalQuantity("grace_s")
    accuracy = try row.optionalQuantity("accuracy_m")
    centreLatitude = try row.optionalQuantity("centre_latitude_deg")
    centreLongitude = try row.optionalQuantity("centre_longitude_deg")
    schedule = try row.optionalText("schedule")
    isOnce = try row.optionalFlag("is_once")
    resendPause = try row.optionalQuantity("resend_pause_s")
    isEnabled = try row.optionalFlag("is_enabled")
    armedBy = try row.optionalText("armed_by")
    isArmed = try row.optionalFlag("is_armed")
    isFollowed = try row.optionalFlag("is_followed")
  }

  public var record: Record { .alert(self) }
  public var isUrgent: Bool { true }
}
