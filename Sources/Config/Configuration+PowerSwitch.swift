import PowerControl
import ReceiverProtocols

extension Configuration {
  /// Settings of the power switch that are fine alone but not together.
  var powerSwitchContradictions: [SettingProblem] {
    switch settings.powerSwitch.kind {
    case .none, .virtual, .gnss: []
    case .gpio: lineContradictions + sleepContradictions
    case .command: sleepContradictions
    }
  }

  private var lineContradictions: [SettingProblem] {
    let settings = settings.powerSwitch
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

  /// A family that is not known yet may understand anything; a known one only its own commands.
  private var sleepContradictions: [SettingProblem] {
    let power = settings.powerSwitch
    let family = settings.receiver.family
    let understood = family.family.map { ReceiverAbilities(of: $0).sleepMethods }
    let isAllThereIs = power.kind == .command
    switch power.sleepCommand {
    case .none where isAllThereIs:
      return problem(
        "sleep_command",
        "leaves power_switch.kind = \"command\" nothing to rest by; write \"auto\", or "
          + "power_switch.kind = \"none\" for a receiver that is always on")
    case .auto where isAllThereIs && understood == []:
      return problem(
        "kind",
        "rests by a sleep command, of which receiver.family = \"\(family.rawValue)\" understands "
          + "none; write \"none\", or \"gpio\" with the line that switches its supply")
    case .only(let method):
      guard let understood, !understood.contains(method) else { return [] }
      let own = understood.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      return problem(
        "sleep_command",
        "is not understood by receiver.family = \"\(family.rawValue)\", which understands "
          + "\(own.isEmpty ? "none" : own); write \(own.isEmpty ? "\"none\"" : "\"auto\"")")
    case .auto, .none: return []
    }
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
