import GodwitSettings
import Ports
import GNSS
import Hardware
import Runtime
import Tracking

/// The devices that the settings describe, not opened yet.
enum ConfiguredDevices {
  /// Nil if the settings have none.
  ///
  /// - Parameter losesPower: whether the receiver's power is switched while its line is closed.
  static func receiver(
    _ settings: ReceiverSettings, losesPower: Bool = false
  ) -> (any ReceiverPort)? {
    switch settings.kind {
    case .none: return nil
    case .serial: return SerialReceiver(settings.serial)
    case .gnss: return GnssDeviceReceiver(GnssDeviceSettings(path: settings.serial.path))
    case .gpsd:
      var gpsd = settings.gpsd
      gpsd.releasesDevice = losesPower
      return GpsdReceiver(gpsd)
    }
  }

  /// Its lines are not requested yet; nil if nothing is switched.
  static func powerSwitch(_ settings: PowerSwitchSettings) -> (any PowerSwitchPort)? {
    gpio(settings).map { GpioSwitch($0) }
  }

  /// The board's fuel gauge; nil if the settings have none.
  /// - Parameter sysfs: the mount point of sysfs.
  static func battery(_ settings: Settings, sysfs: String = "/sys") -> (any BatteryPort)? {
    settings.policy.constants[AdaptiveSettings.self].budget.gauge.map { name in
      BatteryGauge(device: name == BudgetSettings.firstBattery ? nil : name, root: sysfs)
    }
  }

  /// Nil if the switch is not a GPIO line.
  static func gpio(_ settings: PowerSwitchSettings) -> GpioSwitchSettings? {
    guard settings.kind == .gpio else { return nil }
    return GpioSwitchSettings(
      lines: settings.lines, onStart: settings.onStart, onExit: settings.onExit)
  }

  /// Nil if the settings have none.
  /// - Parameter sysfs: the mount point of sysfs.
  static func monitor(_ settings: Settings, sysfs: String = "/sys") -> (any PowerMonitorPort)? {
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

extension Settings {
  /// The receiver for a command that only observes. While the daemon runs, gpsd is not requested to
  /// use the device: the daemon may just have removed it from gpsd and cut its power, and gpsd
  /// would then search the dead line.
  var observedReceiver: ReceiverSettings {
    var looked = receiver
    if ControlClient.isDaemonThere(path: control.socket) { looked.gpsd.control = nil }
    return looked
  }
}
