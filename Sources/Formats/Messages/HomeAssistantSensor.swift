import Core

/// The entities that Home Assistant shows for the board besides its position.
enum HomeAssistantSensor: String, CaseIterable, Sendable {
  case battery, gnss, current, energy
  case nextFix = "next_fix"
  case visit

  var name: String {
    switch self {
    case .battery: "Battery"
    case .gnss: "GNSS"
    case .current: "GNSS current"
    case .energy: "GNSS energy"
    case .nextFix: "Next fix attempt"
    case .visit: "Visit"
    }
  }

  /// The member of the state that it shows.
  var member: StaticString {
    switch self {
    case .battery: "battery_percent"
    case .gnss: "gnss"
    case .current: "current_mA"
    case .energy: "energy_Wh"
    case .nextFix: "next_fix"
    case .visit: "visit"
    }
  }

  /// Determines units and icons in Home Assistant; some classes have fixed units or states.
  private var deviceClass: String? {
    switch self {
    case .battery: "battery"
    case .gnss: "enum"
    case .current: "current"
    case .energy: "energy"
    case .nextFix: "timestamp"
    case .visit: nil
    }
  }

  private var unit: String? {
    switch self {
    case .battery: "%"
    case .current: "mA"
    case .energy: "Wh"
    case .gnss, .nextFix, .visit: nil
    }
  }

  private var stateClass: String? {
    switch self {
    case .battery, .current: "measurement"
    // It restarts at 0 with another store, which is no loss of energy.
    case .energy: "total_increasing"
    case .gnss, .nextFix, .visit: nil
    }
  }

  /// The component of the discovery message.
  func append(
    of topics: HomeAssistantTopics, expiresAfter seconds: Int?, to json: inout JSONWriter
  ) {
    json.key(dynamic: rawValue)
    json.object { json in
      json.field("p", "sensor")
      json.field("uniq_id", "\(topics.id)_\(rawValue)")
      json.field("name", name)
      json.field("stat_t", topics.state)
      json.field("val_tpl", "{{ value_json.\(member) }}")
      if let deviceClass { json.field("dev_cla", deviceClass) }
      if let unit { json.field("unit_of_meas", unit) }
      if let stateClass { json.field("stat_cla", stateClass) }
      if self == .gnss {
        json.array("ops") { json in
          HomeAssistantState.Gnss.allCases.forEach { json.string($0.rawValue) }
        }
      }
      json.field("exp_aft", ifKnown: seconds)
    }
  }
}
