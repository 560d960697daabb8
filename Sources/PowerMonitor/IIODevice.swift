import Ports

/// Devices of the kernel's industrial I/O subsystem.
enum IIODevice {
  static func find(
    _ settings: MonitorSettings, below root: String
  ) throws(PowerMonitorError) -> ChipDevice {
    let all = ChipDevice.all(in: root + "/bus/iio/devices", beginning: "iio:device") { folder in
      // …/i2c-1/1-0040/iio:device0
      DeviceFolder.target(of: folder).dropLast().last
    }
    return try ChipDevice.find(settings, among: all) { list in
      "no IIO device is a monitor \(settings.place) (power_monitor.chip, bus, address, label, "
        + "device); IIO devices: \(list). The driver is ina2xx-adc; with ina2xx loaded use "
        + "power_monitor.kind = \"hwmon\""
    }
  }
}
