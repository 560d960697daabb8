import GodwitSettings
import Ports
import PowerMonitor

/// The power monitor that the settings describe.
enum ConfiguredMonitor {
  /// Not opened yet; nil when the settings have none.
  /// - Parameter sysfs: where the kernel shows its devices.
  static func port(_ settings: Settings, sysfs: String = "/sys") -> (any PowerMonitorPort)? {
    var meant = settings.powerMonitor
    meant.nominalSupply = settings.gnss.supply
    return switch meant.kind {
    case .none, .virtual: nil
    case .hwmon: HwmonMonitor(meant, root: sysfs)
    case .iio: IIOMonitor(meant, root: sysfs)
    case .i2c: RawMonitor(meant)
    case .powerSupply: PowerSupplyMonitor(meant, root: sysfs)
    }
  }
}
