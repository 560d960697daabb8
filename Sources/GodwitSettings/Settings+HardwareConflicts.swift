import GNSS
import Core
import Hardware

extension Settings {
  /// Settings of the receiver and of its power switch that are valid alone but not in combination.
  var conflictsOfHardware: [SettingConflict] {
    conflictsOfDevice + conflictsOfSleep + conflictsOfLines
  }

  /// The kernel's GNSS device is both receiver and switch.
  private var conflictsOfDevice: [SettingConflict] {
    let power = powerSwitch.kind
    if power == .gnss && receiver.kind != .gnss {
      return [
        SettingConflict(
          "power_switch.kind",
          "needs receiver.kind = \"gnss\": the kernel switches a receiver only while its GNSS "
            + "device is open. Set that and receiver.device = \"/dev/gnss0\", or another "
            + "power_switch.kind")
      ]
    }
    if receiver.kind == .gnss && power != .gnss && power != .none {
      return [
        SettingConflict(
          "receiver.kind",
          "has its power switched by the kernel; set power_switch.kind = \"gnss\", or \"none\" for "
            + "a receiver whose supply the kernel does not control")
      ]
    }
    return []
  }

  /// An unknown family may support any command; a known one only its own.
  private var conflictsOfSleep: [SettingConflict] {
    guard [.gpio, .command].contains(powerSwitch.kind) else { return [] }
    let family = receiver.family?.rawValue ?? "auto"
    let understood = receiver.family.map { ReceiverAbilities(of: $0).sleepMethods }
    let isAllThereIs = powerSwitch.kind == .command
    switch powerSwitch.sleepCommand {
    case .none where isAllThereIs:
      return conflict(
        "sleep_command",
        "leaves power_switch.kind = \"command\" without a sleep command; write \"auto\", or "
          + "power_switch.kind = \"none\" for a receiver that is always on")
    case .auto where isAllThereIs && understood == []:
      return conflict(
        "kind",
        "needs a sleep command, and receiver.family = \"\(family)\" has none; "
          + "write \"none\", or \"gpio\" with the line that switches its supply")
    case .only(let method):
      guard let understood, !understood.contains(method) else { return [] }
      let own = understood.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      return conflict(
        "sleep_command",
        "is not supported by receiver.family = \"\(family)\", which supports "
          + "\(own.isEmpty ? "none" : own); write \(own.isEmpty ? "\"none\"" : "\"auto\"")")
    case .auto, .none: return []
    }
  }

  /// One line with two functions.
  private var conflictsOfLines: [SettingConflict] {
    let motion = sources[MotionSettings.self].line
    let power = sources[ExternalPowerSettings.self].line
    var conflicts = [
      conflictOfSwitch("motion.line", motion),
      conflictOfSwitch("external_power.line", power),
    ].compactMap { $0 }
    if let power, power.specifier == motion?.specifier {
      conflicts.append(
        SettingConflict(
          "external_power.line", because: "motion.line",
          "is also motion.line; each needs a separate line"))
    }
    return conflicts
  }

  private func conflictOfSwitch(_ setting: String, _ line: GpioLine?) -> SettingConflict? {
    guard powerSwitch.kind == .gpio, let wanted = line?.specifier,
      let other = PowerLine.allCases.first(where: {
        powerSwitch.lines[$0]?.specifier == wanted
      })
    else { return nil }
    return SettingConflict(
      setting, because: "power_switch.kind",
      "is also power_switch.\(other.rawValue); each needs a separate line")
  }

  private func conflict(_ name: String, _ message: String) -> [SettingConflict] {
    [SettingConflict("power_switch.\(name)", because: "power_switch.kind", message)]
  }
}
