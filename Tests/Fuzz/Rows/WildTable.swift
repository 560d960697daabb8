/// A table of the store, with a plausible value for each column.
struct WildTable: Sendable {
  let name: String
  let usual: [SQLValue]

  private static let time = SQLValue.text("2026-05-01T12:34:56.789Z")
  private static let number = SQLValue.real(12.5)
  private static let position = SQLValue.position(latitude: 52, longitude: 5)
  private static let one = SQLValue.integer(1)

  /// In the order in which the store's readers join them.
  static let all = [
    WildTable(
      name: "track_points",
      usual: [
        .integer(1_777_638_896_789_000), position, time, number, number, number, number,
        .text("gnss"), .text("shape"), one,
      ]),
    WildTable(
      name: "visits",
      usual: [
        one, position, time, time, time, time, time, time, number, .real(0.5), one, one, time,
        number, time, time, .text("600/4200 7800/11400"), one,
      ]),
    WildTable(
      name: "destinations", usual: [one, position, number, one, number, .text("home"), number]),
    WildTable(
      name: "gnss_sessions",
      usual: [
        one, time, time, time, number, number, one, one, .text("fix obtained"), number, number, one,
        number, .text("measured"), .text("cold"),
      ]),
    WildTable(
      name: "coarse_observations",
      usual: [one, time, number, number, number, number, .text("ap"), .text("wifi")]),
    WildTable(
      name: "power_segments",
      usual: [
        one, .text("tracking"), time, number, number, number, number, .text("measured"),
      ]),
    WildTable(name: "events", usual: [one, time, .text("info"), .text("kind"), .text("reason")]),
    WildTable(name: "meta", usual: [one, .text("tracker_state"), .text("{\"version\":1}")]),
  ]
}
