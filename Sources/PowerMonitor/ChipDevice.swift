import Ports

/// A monitor chip as one of the kernel's classes of devices shows it.
struct ChipDevice: Equatable {
  /// "hwmon3", "iio:device0"; the number may change between boots.
  let number: String
  let folder: String
  /// What its driver calls it: "ina226".
  let name: String
  let address: BusAddress?
  /// From the device tree.
  let label: String?

  /// Those that a class shows.
  ///
  /// - Parameter place: the name of the I2C device that a folder belongs to.
  static func all(
    in parent: String, beginning prefix: String, place: (_ folder: String) -> Substring?
  ) -> [ChipDevice] {
    DeviceFolder.names(in: parent, beginning: prefix).compactMap { number in
      let folder = "\(parent)/\(number)"
      guard let name = DeviceFolder.text(folder + "/name") else { return nil }
      return ChipDevice(
        number: number, folder: folder, name: name,
        address: place(folder).flatMap(BusAddress.init(kernelName:)),
        label: DeviceFolder.text(folder + "/label"))
    }
  }

  /// The one of them that the settings mean.
  ///
  /// - Parameter missing: what there is to say when it is none of those in the list.
  static func find(
    _ settings: MonitorSettings, among all: [ChipDevice], missing: (_ list: String) -> String
  ) throws(PowerMonitorError) -> ChipDevice {
    let matching = all.filter { $0.isMeant(by: settings) }
    guard let device = matching.first else { throw PowerMonitorError(missing(list(all))) }
    try settings.check(isChip: device.name, of: device.number)
    guard matching.count == 1 else {
      throw PowerMonitorError(
        "several devices are \(settings.place): \(list(matching)); set power_monitor.bus and "
          + "power_monitor.address to one of them")
    }
    return device
  }

  private func isMeant(by settings: MonitorSettings) -> Bool {
    if let device = settings.device { return number == device }
    guard settings.driverNames.contains(name) else { return false }
    if let wanted = settings.label, settings.chip.channels == 1, label != wanted { return false }
    return address?.isMeant(by: settings) ?? (settings.bus == nil && settings.address == nil)
  }

  private static func list(_ devices: [ChipDevice]) -> String {
    devices.isEmpty ? "none" : devices.map(\.description).joined(separator: ", ")
  }

  /// "ina226 at 1-0040 (hwmon3)".
  var description: String {
    name + (address.map { " at \($0)" } ?? "") + " (\(number))"
  }
}
