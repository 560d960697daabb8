import Core

/// A notification for people, such as a raised alert, and the state of the user's command for it.
public struct Notice: Hashable, Sendable {
  /// The state of the user's command.
  public enum Handling: String, StoredWord {
    case none
    case waiting
    case done
    case failed

    public var meaning: String {
      switch self {
      case .none: "No command is set."
      case .waiting: "The command must be run, or has not ended yet."
      case .done: "The command has succeeded."
      case .failed: "The command has failed, and is not retried."
      }
    }
  }

  /// Unique and rising in one store, in one sequence with the ids of crossings.
  public var id: Int64
  /// Nil while the date is unknown.
  public var time: UTCInstant?
  /// The number of the alert; nil for a notice about messages of peers.
  public var alert: Int64?
  public var alertName: String
  public var kind: NoticeKind
  /// A sentence for people.
  public var text: String
  /// The crossing that caused it; nil: none.
  public var crossing: Int64?
  public var placeUUID: String?
  public var placeName: String?
  /// The board's position at that time; nil: unknown.
  public var position: Coordinate?
  public var accuracy: Metres?
  /// The time of that location.
  public var locatedAt: UTCInstant?
  /// Whether the notice is a test.
  public var isTest = false
  public var handling = Handling.none
  /// The result of the command, in words.
  public var outcome: String?

  public init(
    id: Int64, time: UTCInstant?, alert: Int64?, name: String, kind: NoticeKind, text: String
  ) {
    self.id = id
    self.time = time
    self.alert = alert
    alertName = name
    self.kind = kind
    self.text = text
  }
}

extension Notice: StoredRecord {
  public static let table = RecordTable<Self>(
    "notices", "Alerts that were raised", key: .given { $0.id }, time: "time",
    expiry: "command <> 'waiting'", mostBytes: 64 << 10,
    columns: [
      .optionalPosition("Position of the board; empty if unknown.") { $0.position },
      .optionalTime("time", "Time of the notice; empty while the date is unknown.") { $0.time },
      .optionalInteger("alert_id", "Alert that was raised.") { $0.alert },
      .text("alert_name", "Name of the alert at that time.") { $0.alertName },
      .word("kind", "Kind of the alert.") { $0.kind },
      .text("text", "Text, a sentence with the figures.") { $0.text },
      .optionalInteger("crossing_id", "Crossing that raised it; empty if none.") {
        $0.crossing
      },
      .optionalText("place_uuid", "UUID of the place; empty if none.") { $0.placeUUID },
      .optionalText("place_name", "Name of the place at that time.") { $0.placeName },
      .optionalQuantity(
        "accuracy_m", "Radius around the position within which the board was, 68 %."
      ) { $0.accuracy },
      .optionalTime("located_at", "Time of the position.") { $0.locatedAt },
      .flag("is_test", "1 for a test by godwit alerts test.") { $0.isTest },
      .word("command", "State of the user's command.") { $0.handling },
      .optionalText("command_outcome", "Result of the command.") { $0.outcome },
    ])

  public init(row: RowReader) throws(DamagedColumn) {
    self.init(
      id: try row.identifier(), time: try row.optionalTime("time"),
      alert: try row.optionalInteger("alert_id"), name: try row.text("alert_name"),
      kind: try row.word("kind"),
      text: try row.text("text"))
    crossing = try row.optionalInteger("crossing_id")
    placeUUID = try row.optionalText("place_uuid")
    placeName = try row.optionalText("place_name")
    position = try row.optionalPosition("geom")
    accuracy = try row.optionalQuantity("accuracy_m")
    locatedAt = try row.optionalTime("located_at")
    isTest = try row.flag("is_test")
    handling = try row.word("command")
    outcome = try row.optionalText("command_outcome")
  }

  public var record: Record { .notice(self) }
  public var lastChange: UTCInstant? { time }
  public var isUrgent: Bool { true }

  public func renumbered(by shift: Renumbering) -> Notice {
    var notice = self
    notice.id += shift.occurrences
    notice.crossing = crossing.map { $0 + shift.occurrences }
    return notice
  }
}
