import Ports
import PowerControl
import PowerSwitch

/// The power switch that the settings describe.
enum ConfiguredSwitch {
  /// Its lines are not requested yet; nil when nothing is switched.
  static func port(_ settings: PowerSwitchSettings) -> (any PowerSwitchPort)? {
    gpio(settings).map { GpioSwitch($0) }
  }

  /// Nil when the switch is not a GPIO line.
  static func gpio(_ settings: PowerSwitchSettings) -> GpioSwitchSettings? {
    guard settings.kind == .gpio else { return nil }
    return GpioSwitchSettings(
      lines: settings.lines, onStart: settings.onStart, onExit: settings.onExit)
  }
}
