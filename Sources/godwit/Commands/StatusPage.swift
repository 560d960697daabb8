import Core
import Runtime

/// The output of `godwit status`. The daemon's answer is untrusted.
struct StatusPage {
  private let status: JSONValue

  init(_ status: JSONValue) { self.status = status }

  var text: String { page(present + hardware + counts).text }

  private func page(_ lines: [(String, [String?])]) -> TextPage {
    var page = TextPage(names: 9)
    // Control characters must not reach the terminal.
    for (name, parts) in lines { page.add(name, parts.map { $0.map(TerminalText.line) }) }
    return page
  }

  /// The same lines as a page.
  var presentText: String { page(present).text }

  /// "gnss off, at Home since 2026-05-04 07:12:02"
  var summary: String {
    let position = status["fix"]?["age_s"]?.number.map { "last fix \(Seconds($0).inWords) ago" }
    let parts = [
      status["gnss"]?.string.map { "gnss \($0)" }, Self.visit(status["visit"]), position,
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }

  // MARK: Present state

  private var present: [(String, [String?])] {
    [
      (
        "state",
        [
          status["state"]?.string, status["device_name"]?.string.map { "device \($0)" },
          status["policy"]?.string.map { "policy \($0)" },
          status["recording"]?.bool == false ? "no new fix is recorded" : nil,
        ]
      ),
      ("position", [Self.position(status["fix"])]),
      ("coarse", [Self.newerPosition(status["coarse"], than: status["fix"])]),
      ("visit", [Self.visit(status["visit"])]),
      ("places", status["places"]?.array?.map { $0["name"]?.string } ?? []),
      ("beacons", Self.beacons(status["beacons"])),
      ("people", Self.people(status["people"])),
      ("guarded", status["guards"]?.array?.map(Self.guarded) ?? []),
      ("gnss", [status["gnss"]?.string, Self.stillOn(status), status["reason"]?.string]),
      ("low power", [status["low_power"]?["reason"]?.string]),
      ("next wake", [Self.moment(status["next_wake_in_s"], status["next_wake"])]),
    ]
  }

  /// "52.0907, 5.1214 ± 4 m, 3 min ago (2026-05-04 07:12:02), 8.0 m/s towards 33°, 9 of 14
  /// satellites, HDOP 0.9, 2.3 km from home"; nil: none is known.
  static func position(_ fix: JSONValue?) -> String? {
    guard let latitude = fix?["lat"]?.number, let longitude = fix?["lon"]?.number else {
      return nil
    }
    let digits = { FixedDecimal.text($0, digits: 5) }
    let accuracy = fix?["accuracy_m"]?.number.map { " ± \(FixedDecimal.text($0, digits: 0)) m" }
    let used = fix?["satellites_used"]?.integer
    let satellites = used.map { used in
      fix?["satellites_in_view"]?.integer.flatMap { $0 > used ? "\(used) of \($0)" : nil }
        .map { "\($0) satellites" } ?? Counted.text(used, "satellite")
    }
    let parts: [String?] = [
      "\(digits(latitude)), \(digits(longitude))\(accuracy ?? "")",
      ago(fix?["age_s"], fix?["time"]), movement(fix), satellites,
      fix?["hdop"]?.number.map { "HDOP \(FixedDecimal.text($0, digits: 1))" },
      fix?["distance_to_home_m"]?.number.map { "\(Self.distance($0)) from home" },
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }

  /// The coarse location if it is newer than the fix; nil: there is none.
  static func newerPosition(_ coarse: JSONValue?, than fix: JSONValue?) -> String? {
    guard let age = coarse?["age_s"]?.number, age < fix?["age_s"]?.number ?? .infinity else {
      return nil
    }
    return position(coarse)
  }

  /// "8.0 m/s towards 33°"; nil: no speed is known.
  private static func movement(_ fix: JSONValue?) -> String? {
    guard let speed = fix?["speed_m_s"]?.number else { return nil }
    let course = fix?["course_deg"]?.number.map { " towards \(FixedDecimal.text($0, digits: 0))°" }
    return "\(FixedDecimal.text(speed, digits: 1)) m/s\(course ?? "")"
  }

  /// "at Home since 2026-05-04 07:12:02"
  static func visit(_ visit: JSONValue?) -> String? {
    guard let arrival = visit?["arrival"]?.string else { return nil }
    let place =
      visit?["label"]?.string ?? visit?["destination_id"]?.integer.map { "destination \($0)" }
    let departure = visit?["departure"]?.string.map { " until \(local($0))" }
    return "at \(place ?? "a place") since \(local(arrival))\(departure ?? "")"
  }

  /// "near the one of Kitchen, 2 of 5 places heard", "not heard: the adapter hci0 is switched off"
  private static func beacons(_ beacons: JSONValue?) -> [String?] {
    guard let count = beacons?["places"]?.integer, let inside = beacons?["inside"]?.array else {
      return []
    }
    let nearest = beacons?["nearest"]
    let name = nearest?["name"]?.string.map { name in
      let proximity = nearest?["proximity"]?.string ?? ""
      return proximity.isEmpty || proximity == "unknown" ? "at \(name)" : "\(name) is \(proximity)"
    }
    if let failure = beacons?["failure"]?.string { return ["not received: \(failure)"] }
    let listening = beacons?["listening"]?.bool == true ? beacons?["method"]?.string : "resting"
    return [
      name, "beacons of \(inside.count) of \(Counted.text(count, "place")) in range", listening,
    ]
  }

  /// "anna, 2 letters wait, 1 to be read, group Trip, 3 messages to send"
  private static func people(_ people: JSONValue?) -> [String?] {
    guard let address = people?["address"]?.string else { return [] }
    func count(_ name: String, _ text: (Int) -> String) -> String? {
      people?[name]?.integer.flatMap { $0 > 0 ? text($0) : nil }
    }
    func names(_ name: String, _ noun: String) -> [String?] {
      people?[name]?.array?.map { one in one.string.map { "\(noun) \($0)" } } ?? []
    }
    return [
      address,
      count("letters_waiting") { $0 == 1 ? "1 letter waits" : "\($0) letters wait" },
      count("letters_unread") { "\($0) to be read" },
    ] + names("groups", "group") + names("meetings", "meeting") + [
      count("messages_to_send") { "\(Counted.text($0, "message")) to send" }
    ]
  }

  /// "Bike within 50 m"
  private static func guarded(_ one: JSONValue) -> String? {
    guard let name = one["alert"]?.string else { return nil }
    guard one["lat"]?.number != nil, let radius = one["radius_m"]?.number else {
      return "\(name), as soon as the position is known"
    }
    return "\(name) within \(Metres(radius).inWords)"
  }

  private static func distance(_ metres: Double) -> String {
    metres < 1000
      ? "\(FixedDecimal.text(metres, digits: 0)) m"
      : "\(FixedDecimal.text(metres / 1000, digits: 1)) km"
  }

  /// A receiver that is not listened to may still be on.
  private static func stillOn(_ status: JSONValue) -> String? {
    guard let measured = status["gnss"]?.string, let drawn = status["gnss_drawn"]?.string,
      measured != drawn, ["acquiring", "tracking"].contains(drawn)
    else { return nil }
    return "but the receiver is on"
  }

  /// "14 messages wait, the oldest since 2026-05-04 07:12:02, mqtt failed: no way leads there"
  private func uplink(_ uplink: JSONValue?) -> [String?] {
    guard let waiting = uplink?["waiting"]?.integer else { return [] }
    let oldest = uplink?["oldest"]?.string.map { "the oldest since \(Self.local($0))" }
    let failures = uplink?["failures"]?.array ?? []
    return ["\(Counted.text(waiting, "message")) waiting", oldest]
      + failures.map { "\($0["way"]?.string ?? "") failed: \($0["why"]?.string ?? "")" }
  }

  // MARK: Times

  private static func local(_ text: String) -> String {
    ISO8601.parse(text).map(LocalTime.text) ?? text
  }

  /// "3 min ago (2026-05-04 07:12:02)"
  private static func ago(_ age: JSONValue?, _ time: JSONValue?) -> String? {
    age?.number.map { "\(Seconds($0).inWords) ago\(beside(time))" }
  }

  /// "in 52 s (2026-05-04 00:53:45)"
  private static func moment(_ wait: JSONValue?, _ time: JSONValue?) -> String? {
    wait?.number.map { "in \(Seconds($0).inWords)\(beside(time))" }
  }

  private static func beside(_ time: JSONValue?) -> String {
    time?.string.map { " (\(local($0)))" } ?? ""
  }

  // MARK: Hardware

  private var hardware: [(String, [String?])] {
    let receiver = status["receiver"]
    let powerSwitch = status["power_switch"]
    let energy = status["energy"]
    return [
      ("current", [current(status["current_mA"]), energy?["monitor_failure"]?.string]),
      ("date", [status["date"]?["refused"]?.string, status["date"]?["warning"]?.string]),
      (
        "motion",
        status["sources"]?.array?.isEmpty ?? true ? [] : [SourceText.motion(status["belief"])]
      ),
      ("sources", status["sources"]?.array?.map(SourceText.line) ?? []),
      (
        "receiver",
        [
          receiver?["name"]?.string ?? "none",
          receiver?["missing"]?.bool == true ? "no data" : nil,
          lostBytes(receiver?["line_errors"]), receiver?["failure"]?.string,
        ]
      ),
      (
        "switch",
        [
          powerSwitch?["name"]?.string ?? "none", powerSwitch?["stage"]?.string,
          powerSwitch?["failure"]?.string,
        ]
      ),
    ]
  }

  private func current(_ value: JSONValue?) -> String? {
    value?.string ?? value?.number.map { "\($0) mA" } ?? "not measured"
  }

  private func lostBytes(_ errors: JSONValue?) -> String? {
    let count = ["overruns", "buffer_overruns"].reduce(0) { $0 + (errors?[$1]?.integer ?? 0) }
    return count > 0 ? "bytes lost \(Counted.text(count, "time"))" : nil
  }

  // MARK: Counts

  private var counts: [(String, [String?])] {
    let fixes = status["fixes"]
    let energy = status["energy"]
    let store = status["store"]
    let waiting = status["settings_waiting_for_restart"]?.array?.compactMap(\.string) ?? []
    return [
      (
        "fixes",
        [
          fixes?["accepted"]?.integer.map { "\($0) accepted" }, rejected(fixes?["rejected"]),
          fixes?["sessions"]?.integer.map { Counted.text($0, "session") },
        ]
      ),
      (
        "energy",
        [
          energy?["gnss_on_s"]?.number.map { "GNSS on for \(Seconds($0).inWords)" },
          energy?["gnss_energy_text"]?.string,
        ]
      ),
      ("budget", budget(status["budget"])),
      (
        "store",
        [
          store?["name"]?.string ?? "none",
          store?["waiting_records"]?.integer.map { "\(Counted.text($0, "record")) waiting" },
          dropped(store?["dropped_records"]), store?["failure"]?.string,
          store?["warning"]?.string,
        ]
      ),
      ("uplink", uplink(status["uplink"])),
      (
        "settings",
        [waiting.isEmpty ? nil : "waiting for a restart: \(waiting.joined(separator: ", "))"]
      ),
      ("daemon", daemon(status["service"])),
    ]
  }

  /// The budget, what of it is spent, and what the rest affords.
  private func budget(_ budget: JSONValue?) -> [String?] {
    guard let daily = budget?["daily_J"]?.number else { return [] }
    let spent = budget?["spent_week_J"]?.number.flatMap { spent in
      budget?["limit_week_J"]?.number.map { "\(spent) of \($0) J spent in seven days" }
    }
    var buys: String?
    if budget?["is_spent"]?.bool == true {
      buys = "no fix attempt until more energy is available"
    } else if let rest = budget?["rest_pause_s"]?.number,
      let error = budget?["trajectory_error_m"]?.number
    {
      buys = "a fix attempt every \(Seconds(rest).inWords) at rest and a track within \(error) m"
    }
    let battery = budget?["battery"]
    let level = battery?["level_percent"]?.number.flatMap { level in
      battery?["days_left"]?.number.map { "battery at \(level) % for \($0) days" }
    }
    let lastDay = budget?["spent_day_J"]?.number.map { "\($0) J in the last day" }
    return ["\(daily) J a day", level, battery?["failure"]?.string, lastDay, spent, buys]
  }

  /// The daemon's cost, and its undelivered output.
  private func daemon(_ service: JSONValue?) -> [String?] {
    let counters = [
      ("wakeups", "wake-up"), ("dropped_messages", "dropped log message"),
      ("dropped_notices", "unread notice"), ("shed_clients", "dropped client"),
      ("failed_connections", "failed connection"),
    ]
    return counters.enumerated().map { index, counter in
      service?[counter.0]?.integer.flatMap {
        index == 0 || $0 > 0 ? Counted.text($0, counter.1) : nil
      }
    } + [status["uptime_s"]?.number.map { "up for \(Seconds($0).inWords)" }]
  }

  private func dropped(_ records: JSONValue?) -> String? {
    records?.integer.flatMap { $0 > 0 ? "\(Counted.text($0, "record")) discarded" : nil }
  }

  private func rejected(_ value: JSONValue?) -> String? {
    guard case .object(let causes)? = value, !causes.isEmpty else { return nil }
    let total = causes.reduce(0) { $0 + ($1.value.integer ?? 0) }
    let list = causes.map { "\($0.name) \($0.value.integer ?? 0)" }.joined(separator: ", ")
    return "\(total) rejected (\(list))"
  }
}
