import Core

/// What never leaves the board.
public struct PrivacySettings: Hashable, SettingGroup {
  static let mostPlaces = 100

  /// Names or UUIDs of places.
  public private(set) var places: [String] = []
  public private(set) var margin: Metres = 200
  /// Edge length of the cells that positions are rounded to; 0: they are sent unchanged.
  private(set) var cell: Metres = 0
  private var hoursText: String?

  public init() {}

  /// The hours whose records may leave; nil: always.
  var hours: DailyHours? { hoursText.flatMap(DailyHours.init) }

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "uplink.privacy", counts: UplinkSettings.moment,
      "Records that never leave the board, for any recipient. See also godwit uplink pause.")
    setting(
      "places", &places, .texts(atMost: Self.mostPlaces, bytes: 1...256),
      "Names or UUIDs of places of the store: records made at or near them are not sent.")
    setting(
      "margin_m", &margin, .quantity(0...100_000),
      "Distance around such a place within which records are not sent.")
    setting(
      "round_m", &cell, .quantity(0...100_000),
      "Edge length of the cells to whose centres sent positions are rounded. 0: exact positions.")
    setting(
      "hours", &hoursText,
      .optional(
        .text(bytes: 0...11) { text throws(SettingMismatch) in
          guard text.isEmpty || DailyHours(text) != nil else {
            throw SettingMismatch("is not a part of a day, such as \"08:00-18:00\"")
          }
        }, noneAt: ""),
      "Local time of day of records that are sent, such as \"08:00-18:00\". Empty: all day.")
  }
}
