import GNSS
import Core

/// Ignition, charger or USB: a supply other than the battery.
public struct ExternalPowerSettings: Hashable, SettingGroup {
  /// Nil: no line reports it.
  public var line: GpioLine?
  /// Nil: no device of the kernel reports it.
  public var supply: String?

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "external_power",
      "Supply of the board other than the battery: the vehicle's ignition, a charger, USB.")
    setting(
      "line", &line, .line,
      "GPIO line that is active while the supply is present, written as in section power_switch. "
        + "Empty: none.")
    setting(
      "supply", &supply, .optional(.text(bytes: 0...63), noneAt: ""),
      "Device below /sys/class/power_supply that is online while the supply is present, such as "
        + "\"rpi-poe\" or \"usb\". Empty: none.")
    setting.conflicts(conflicts)
  }

  private var conflicts: [SettingConflict] {
    guard line != nil, supply != nil else { return [] }
    return [SettingConflict("supply", "and line exclude each other; leave one of them empty")]
  }
}
