import Config
import Ports
import PowerMonitor

/// The power monitor that the settings describe.
enum ConfiguredMonitor {
  /// Not yet looked for; nil when the settings want none.
  /// - Parameter sysfs: where the kernel shows its devices.
  static func port(_ settings: Settings, sysfs: String = "/sys") -> (any PowerMonitorPort)? {
    let meant = monitorSettings(settings)
    return switch settings.powerMonitor.kind {
    case .none, .virtual: nil
    case .hwmon: HwmonMonitor(meant, root: sysfs)
    case .iio: IIOMonitor(meant, root: sysfs)
    case .i2c: RawMonitor(meant)
    case .powerSupply: PowerSupplyMonitor(meant, root: sysfs)
    }
  }

  static func monitorSettings(_ settings: Settings) -> MonitorSettings {
    let monitor = settings.powerMonitor
    return MonitorSettings(
      chip: monitor.chip, bus: monitor.bus < 0 ? nil : monitor.bus,
      address: monitor.address == 0 ? nil : monitor.address, channel: monitor.channel,
      label: monitor.label.isEmpty ? nil : monitor.label, shunt: monitor.shunt,
      shuntTolerance: monitor.shuntTolerancePercent / 100,
      device: monitor.device.isEmpty ? nil : monitor.device, nominalSupply: settings.gnss.supply)
  }
}
