import Energy
import Ports

/// One device of the kernel's industrial I/O subsystem.
struct IIODevice: Equatable {
  /// "iio:device0"; the number may change between boots.
  let number: String
  let folder: String
  let name: String
  let address: BusAddress?
  /// From the device tree.
  let label: String?

  static func all(below root: String) -> [IIODevice] {
    let parent = root + "/bus/iio/devices"
    return DeviceFolder.names(in: parent, beginning: "iio:device").compactMap { number in
      let folder = "\(parent)/\(number)"
      guard let name = DeviceFolder.text(folder + "/name") else { return nil }
      // …/i2c-1/1-0040/iio:device0
      let address = DeviceFolder.target(of: folder).dropLast().last
        .flatMap(BusAddress.init(kernelName:))
      return IIODevice(
        number: number, folder: folder, name: name, address: address,
        label: DeviceFolder.text(folder + "/label"))
    }
  }

  static func find(
    _ settings: MonitorSettings, below root: String
  ) throws(PowerMonitorError) -> IIODevice {
    let all = all(below: root)
    let matching = all.filter { device in
      if let wanted = settings.device { return device.number == wanted }
      guard settings.driverNames.contains(device.name) else { return false }
      if let wanted = settings.label, device.label != wanted { return false }
      return device.address?.isMeant(by: settings)
        ?? (settings.bus == nil && settings.address == nil)
    }
    let list = all.isEmpty ? "none" : all.map(\.description).joined(separator: ", ")
    guard let device = matching.first else {
      throw PowerMonitorError(
        "no IIO device is a monitor \(settings.place) (power_monitor.chip, bus, address, label, "
          + "device); IIO devices: \(list). The driver is ina2xx-adc; with ina2xx loaded use "
          + "power_monitor.kind = \"hwmon\"")
    }
    try settings.check(isChip: device.name, of: device.number)
    guard matching.count == 1 else {
      throw PowerMonitorError(
        "several IIO devices are \(settings.place): \(list); set power_monitor.bus and "
          + "power_monitor.address to one of them")
    }
    return device
  }

  var description: String {
    name + (address.map { " at \($0)" } ?? "") + " (\(number))"
  }
}
