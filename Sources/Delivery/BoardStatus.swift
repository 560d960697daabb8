import Formats
import Core
import Records

/// The state of the board, from the daemon's answer to a status request.
public struct BoardStatus: Sendable {
  private let status: JSONValue

  public init(_ status: JSONValue) { self.status = status }

  /// - Parameter privacy: while the board is at a private place, its visit is not reported.
  public func homeAssistant(as privacy: PrivacyFilter = .none) -> HomeAssistantState {
    var state = HomeAssistantState()
    state.batteryPercent = number("budget", "battery", "level_percent").map { Int($0.rounded()) }
    state.gnss = status["gnss"]?.string.flatMap(HomeAssistantState.Gnss.init)
    state.current = number("current_mA").map { Amperes($0 / 1000) }
    state.energy = number("energy", "gnss_energy_J").map { Joules($0) }
    state.nextFix = status["next_wake"]?.string.flatMap { ISO8601.parse($0) }
    let visit = status["visit"]
    if privacy.isExact, visit?["departure"]?.string == nil, isOpen(visit, privacy) {
      state.visit =
        visit?["label"]?.string ?? visit?["destination_id"]?.integer.map { "destination \($0)" }
    }
    return state
  }

  /// The answer to a remote request: no position that the privacy filter withholds, and nothing
  /// about files and devices.
  public func summary(as privacy: PrivacyFilter) -> JSONValue {
    let names = ["state", "policy", "gnss", "gnss_order", "next_wake", "current_mA", "time"]
    var members: [(name: String, value: JSONValue)] = names.map { ($0, status[$0] ?? .null) }
    members.append(("fix", fix(as: privacy) ?? .null))
    members.append(("visit", visit(as: privacy) ?? .null))
    members.append(("energy_J", .rounded(number("energy", "gnss_energy_J"), digits: 3)))
    members.append(
      ("battery_percent", .rounded(number("budget", "battery", "level_percent"), digits: 1)))
    members.append(("uplink_waiting", .rounded(number("uplink", "waiting"), digits: 0)))
    return .object(members)
  }

  /// The newest fix, after the privacy filter; nil: there is none, or it is withheld.
  public func fix(as privacy: PrivacyFilter?) -> JSONValue? {
    guard let privacy, let point else { return nil }
    return (privacy.released(point) as? TrackPoint).map { .point($0) }
  }

  /// The newest fix; nil: there is none.
  public var point: TrackPoint? {
    guard let fix = status["fix"],
      let latitude = fix["lat"]?.number, let longitude = fix["lon"]?.number,
      let position = Coordinate(checkedLatitude: latitude, longitude: longitude),
      let time = fix["time"]?.string.flatMap({ ISO8601.parse($0) }),
      let accuracy = fix["accuracy_m"]?.number
    else { return nil }
    let location = Location(
      time: time, position: position, accuracy: Metres(accuracy),
      speed: fix["speed_m_s"]?.number.map { MetresPerSecond($0) },
      track: fix["course_deg"]?.number.map { Degrees($0) },
      altitude: fix["altitude_m"]?.number.map { Metres($0) }, source: .gnss)
    return TrackPoint(location: location, reason: .scheduled)
  }

  /// How old the newest fix is, by the board's own clock.
  public var fixAge: Seconds? { number("fix", "age_s").map { Seconds($0) } }

  /// Whether GNSS is switched off until further notice.
  public var isSwitchedOff: Bool { status["gnss_order"]?["gnss"]?.string == "off" }

  /// Start and position of the present visit, after the privacy filter; nil: withheld, or there is
  /// none.
  private func visit(as privacy: PrivacyFilter) -> JSONValue? {
    guard let visit = status["visit"], visit != .null, isOpen(visit, privacy) else {
      return nil
    }
    // A name reveals as much as a position.
    let names = privacy.isExact ? ["arrival", "departure", "lat", "lon", "label"] : ["arrival"]
    return .object(names.map { ($0, visit[$0] ?? .null) })
  }

  private func isOpen(_ visit: JSONValue?, _ privacy: PrivacyFilter) -> Bool {
    guard !privacy.isTransparent else { return true }
    guard let latitude = visit?["lat"]?.number, let longitude = visit?["lon"]?.number,
      let position = Coordinate(checkedLatitude: latitude, longitude: longitude),
      let arrival = visit?["arrival"]?.string.flatMap({ ISO8601.parse($0) }),
      let now = status["time"]?.string.flatMap({ ISO8601.parse($0) })
    else { return false }
    return privacy.isOpen(position) && privacy.isOpen(from: arrival, to: max(arrival, now))
  }

  /// For node_exporter's textfile collector. Unknown values are left out.
  public var prometheus: PrometheusText {
    var text = PrometheusText()
    func add(
      _ name: String, _ kind: PrometheusText.Kind, _ help: String, _ value: Double?, digits: Int
    ) {
      guard let value else { return }
      text.family(name, kind, help, [PrometheusText.Sample(value, digits: digits)])
    }
    add(
      "godwit_recording", .gauge, "1 while the receiver's data is recorded.",
      status["recording"]?.bool.map { $0 ? 1 : 0 }, digits: 0)
    add(
      "godwit_gnss_on_seconds_total", .counter, "Time for which GNSS was on since the start.",
      number("energy", "gnss_on_s"), digits: 1)
    add(
      "godwit_gnss_energy_joules_total", .counter, "Energy that the receiver drew since the start.",
      number("energy", "gnss_energy_J"), digits: 3)
    add(
      "godwit_gnss_current_amperes", .gauge, "Current of the receiver at the last measurement.",
      number("current_mA").map { $0 / 1000 }, digits: 6)
    add(
      "godwit_fix_age_seconds", .gauge, "Age of the newest fix.", number("fix", "age_s"),
      digits: 1)
    add(
      "godwit_fix_accuracy_meters", .gauge, "Accuracy of the newest fix, 68 %.",
      number("fix", "accuracy_m"),
      digits: 1)
    add(
      "godwit_battery_ratio", .gauge, "Level of the battery.",
      number("budget", "battery", "level_percent").map { $0 / 100 }, digits: 3)
    add(
      "godwit_store_waiting_records", .gauge, "Records in memory that are not durable yet.",
      number("store", "waiting_records"), digits: 0)
    add(
      "godwit_uplink_waiting_messages", .gauge,
      "Messages in the outbox that were not received yet.",
      number("uplink", "waiting"), digits: 0)
    add(
      "godwit_wakeups_total", .counter, "Wake-ups of the daemon.",
      number("service", "wakeups"), digits: 0)
    add(
      "godwit_uptime_seconds", .gauge, "Time for which the daemon has run.", number("uptime_s"),
      digits: 0)
    return text
  }

  private func number(_ names: String...) -> Double? {
    names.reduce(Optional(status)) { $0?[$1] }?.number
  }
}
