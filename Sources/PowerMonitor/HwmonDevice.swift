import Ports

/// Devices of the kernel's hardware monitoring class.
enum HwmonDevice {
  static func find(
    _ settings: MonitorSettings, below root: String
  ) throws(PowerMonitorError) -> ChipDevice {
    let all = ChipDevice.all(in: root + "/class/hwmon", beginning: "hwmon") { folder in
      DeviceFolder.target(of: folder + "/device").last
    }
    return try ChipDevice.find(settings, among: all) { missing(settings, list: $0) }
  }

  private static func missing(_ settings: MonitorSettings, list: String) -> String {
    if let device = settings.device {
      return "there is no hwmon device \(device) (power_monitor.device); there are: \(list)"
    }
    let bus = settings.bus ?? 1
    let address = BusAddress.text(settings.address ?? 0x40)
    return "no kernel driver shows a monitor \(settings.place) (power_monitor.chip, bus, address); "
      + "hwmon devices: \(list). To start the driver: echo \(settings.chip.rawValue) \(address) "
      + ">/sys/bus/i2c/devices/i2c-\(bus)/new_device, or a device-tree overlay; without a "
      + "driver: power_monitor.kind = \"i2c\""
  }
}
