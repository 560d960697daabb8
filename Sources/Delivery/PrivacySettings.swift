import Core

/// What never leaves the board.
public struct PrivacySettings: Hashable, SettingGroup {
  static let mostPlaces = 100

  /// Names or UUIDs of places.
  public private(set) var places: [String] = []
  public private(set) var margin: Metres = 200
  /// Edge length of the cells that positions are rounded to; 0: they are sent unchanged.
  public private(set) var cell: Metres = 0
  private var hoursText: String?

  public init() {}

  /// The hours whose records may leave; nil: always.
  public var hours: DailyHours? { hoursText.flatMap(DailyHours.init) }

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "uplink.privacy", counts: UplinkSettings.moment,
      "What never leaves the board, whoever gets the rest. See also godwit uplink pause.")
    setting(
      "places", &places, .texts(atMost: Self.mostPlaces, bytes: 1...256),
      "Names or UUIDs of places of the store: nothing recorded at or near them goes out.")
    setting(
      "margin_m", &margin, .quantity(0...100_000),
      "How far around such a place nothing goes out.")
    setting(
      "round_m", &cell, .quantity(0...100_000),
      "Positions go out as the middle of a cell with edges of such a length. 0: as they are.")
    setting(
      "hours", &hoursText,
      .optional(
        .text(bytes: 0...11) { text throws(SettingMismatch) in
          guard text.isEmpty || DailyHours(text) != nil else {
            throw SettingMismatch("is no part of a day, such as \"08:00-18:00\"")
          }
        }, noneAt: ""),
      "Local time in which what is recorded goes out, such as \"08:00-18:00\". Empty: always.")
  }
}
