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
      "Whether something else than the battery supplies the board: the vehicle's ignition, a "
        + "charger, USB.")
    setting(
      "line", &line, .line,
      "A GPIO line that is active while it does, written as in section power_switch. An empty text "
        + "means that there is none.")
    setting(
      "supply", &supply, .optional(.text(bytes: 0...63), noneAt: ""),
      "A device below /sys/class/power_supply that is online while it does, such as "
        + "\"rpi-poe\" or \"usb\". An empty text means that there is none.")
    setting.conflicts(conflicts)
  }

  private var conflicts: [SettingConflict] {
    guard line != nil, supply != nil else { return [] }
    return [SettingConflict("supply", "and line exclude each other; leave one of them empty")]
  }
}
