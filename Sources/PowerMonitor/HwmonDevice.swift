import Energy
import Ports

/// One device of the kernel's hardware monitoring class.
struct HwmonDevice: Equatable {
  /// "hwmon3"; the number may change between boots.
  let number: String
  let folder: String
  /// What its driver calls it: "ina226".
  let name: String
  let address: BusAddress?
  /// From the device tree.
  let label: String?

  static func all(below root: String) -> [HwmonDevice] {
    let parent = root + "/class/hwmon"
    return DeviceFolder.names(in: parent, beginning: "hwmon").compactMap { number in
      let folder = "\(parent)/\(number)"
      guard let name = DeviceFolder.text(folder + "/name") else { return nil }
      return HwmonDevice(
        number: number, folder: folder, name: name,
        address: DeviceFolder.target(of: folder + "/device").last.flatMap(
          BusAddress.init(kernelName:)),
        label: DeviceFolder.text(folder + "/label"))
    }
  }

  /// The one device that the settings mean.
  static func find(
    _ settings: MonitorSettings, below root: String
  ) throws(PowerMonitorError) -> HwmonDevice {
    let all = all(below: root)
    let matching = all.filter { $0.isMeant(by: settings) }
    guard let device = matching.first else { throw missing(settings, all) }
    try settings.check(isChip: device.name, of: device.number)
    guard matching.count == 1 else {
      let list = matching.map(\.description).joined(separator: ", ")
      throw PowerMonitorError(
        "several devices are \(settings.place): \(list); set power_monitor.bus and "
          + "power_monitor.address to one of them")
    }
    return device
  }

  private func isMeant(by settings: MonitorSettings) -> Bool {
    if let device = settings.device { return number == device }
    guard settings.driverNames.contains(name) else { return false }
    if let wanted = settings.label, settings.chip.channels == 1, label != wanted { return false }
    if let address { return address.isMeant(by: settings) }
    return settings.bus == nil && settings.address == nil
  }

  private static func missing(
    _ settings: MonitorSettings, _ all: [HwmonDevice]
  ) -> PowerMonitorError {
    let list = all.isEmpty ? "none" : all.map(\.description).joined(separator: ", ")
    if let device = settings.device {
      return PowerMonitorError(
        "there is no hwmon device \(device) (power_monitor.device); there are: \(list)")
    }
    let bus = settings.bus ?? 1
    let address = BusAddress.text(settings.address ?? 0x40)
    return PowerMonitorError(
      "no kernel driver shows a monitor \(settings.place) (power_monitor.chip, bus, address); "
        + "hwmon devices: \(list). To start the driver: echo \(settings.chip.rawValue) \(address) "
        + ">/sys/bus/i2c/devices/i2c-\(bus)/new_device, or a device-tree overlay; without a "
        + "driver: power_monitor.kind = \"i2c\"")
  }

  /// "ina226 at 1-0040 (hwmon3)".
  var description: String {
    name + (address.map { " at \($0)" } ?? "") + " (\(number))"
  }
}
