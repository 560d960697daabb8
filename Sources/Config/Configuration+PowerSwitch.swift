import PowerControl

extension Configuration {
  /// Settings of the power switch that are fine alone but not together.
  var powerSwitchContradictions: [SettingProblem] {
    let settings = settings.powerSwitch
    guard settings.kind == .gpio else { return [] }
    var found: [SettingProblem] = []
    if settings.lines[.supply] == nil {
      found += problem(
        "supply",
        "is empty, but power_switch.kind = \"gpio\" needs the line that switches the supply; a "
          + "receiver without such a line sleeps by power_switch.kind = \"command\"")
    }
    var purposes: [GpioLine.Place: PowerLine] = [:]
    for line in PowerLine.allCases {
      guard let place = settings.lines[line]?.place else { continue }
      guard let other = purposes[place] else {
        purposes[place] = line
        continue
      }
      found += problem(
        line.rawValue,
        "is also power_switch.\(other.rawValue); each needs a line of its own")
    }
    return found
  }

  private func problem(_ name: String, _ message: String) -> [SettingProblem] {
    guard let setting = SettingSection.byKey["power_switch.\(name)"],
      let kind = SettingSection.byKey["power_switch.kind"]
    else { return [] }
    let place = origin(of: setting) == .builtIn ? origin(of: kind) : origin(of: setting)
    let written = "power_switch.\(name) = \(setting.value(in: settings).toml)"
    return [SettingProblem(place: place.description, message: "\(written) \(message)")]
  }
}
