import Places
import Formats
import Core
import Records

/// An alert in a list: its rule, and whether it is in force.
struct ListedAlert: Sendable {
  let row: StoredAlert
  /// The name of the place that it refers to by UUID; nil: no such place, or no such reference.
  let place: String?
  /// Nil: the rule is invalid.
  let timing: AlertTiming?
  /// Whether it exceeds the maximum number of alerts.
  let isBeyond: Bool
  /// Nil: no error.
  let error: AlertError?

  init(
    _ row: StoredAlert, place: String?, _ timing: AlertTiming?, isBeyond: Bool = false,
    error: AlertError?
  ) {
    self.row = row
    self.isBeyond = isBeyond
    self.place = place
    self.timing = timing
    self.error = error
  }

  /// "on", "on until Mon 17:00", "next Mon 08:00", "over", "off", "armed", "not armed",
  /// "wrong: …", "too many: …"
  var state: String {
    if let error { return "wrong: \(error)" }
    guard row.isEnabled ?? true else { return "off" }
    if isBeyond { return "too many: only the first \(StoredAlert.most) are active" }
    if row.place.flatMap({ PlaceID($0) }) != nil, place == nil { return "wrong: no such place" }
    let now = timing?.words ?? "on"
    guard row.needsArming else { return now }
    let armed =
      switch row.armedBy.flatMap(AlertArming.init(rawValue:)) ?? .hand {
      case .hand: row.isArmed ?? false ? "armed" : "not armed"
      case .schedule: "armed by its schedule"
      case .ignition: "armed while the ignition is off"
      }
    return row.schedule.map { $0.isEmpty } ?? true ? armed : "\(armed), \(now)"
  }

  /// "enter Home", "dwell 10 min at tag shop"
  var rule: String {
    var words = [row.kind ?? ""]
    if let stay = row.stay { words.append(stay.inWords) }
    if let distance = row.distance { words.append(distance.inWords) }
    if let radius = row.radius { words.append(radius.inWords) }
    if let place = place ?? row.place { words.append(place) }
    if let tag = row.tag { words.append("tag \(tag)") }
    if row.isFollowed ?? false { words.append("followed") }
    return words.joined(separator: " ")
  }

  static let columns = Columns<ListedAlert>([
    .count("id", cell: .plain("ID", 4, .right)) { Int($0.row.id) },
    .text("name", cell: .plain("NAME", 16)) { $0.row.name },
    .text("rule", cell: .plain("RULE", 24)) { $0.rule },
    .text("when", cell: .plain("WHEN", 24)) { $0.timing?.when },
    .text("state", cell: .plain("STATE", 12)) { $0.state },
    .text("kind") { $0.row.kind },
    .text("place") { $0.row.place },
    .text("place_name") { $0.place },
    .text("tag") { $0.row.tag },
    .flag("followed") { $0.row.isFollowed ?? false },
    .number("stay_s", digits: 1) { $0.row.stay?.value },
    .number("distance_m", digits: 1) { $0.row.distance?.value },
    .number("radius_m", digits: 1) { $0.row.radius?.value },
    .number("grace_s", digits: 1) { $0.row.grace?.value },
    .number("accuracy_m", digits: 1) { $0.row.accuracy?.value },
    .text("schedule") { $0.row.schedule },
    .time("on_until") { $0.timing?.until },
    .time("next") { $0.timing?.next },
    .flag("over") { $0.timing?.isOver ?? false },
    .flag("once") { $0.row.isOnce ?? false },
    .number("resend_pause_s", digits: 1) {
      ($0.row.resendPause ?? AlertLimits.usualPause(of: $0.row.kind)).value
    },
    .flag("enabled") { $0.row.isEnabled ?? true },
    .text("armed_by") { $0.row.armedBy },
    .flag("armed") { $0.row.isArmed ?? false },
    .text("error") { $0.error?.description },
  ])
}
