import Platform
import Ports

/// A monitor chip as a device of one of the kernel's classes.
struct ChipDevice: Equatable {
  /// "hwmon3", "iio:device0"; the number may change between boots.
  let number: String
  let folder: String
  /// The driver's name for it: "ina226".
  let name: String
  let address: BusAddress?
  /// From the device tree.
  let label: String?

  /// All devices of a class.
  ///
  /// - Parameter i2cName: returns the name of the I2C device that a folder belongs to.
  static func all(
    in parent: String, beginning prefix: String, i2cName: (_ folder: String) -> Substring?
  ) -> [ChipDevice] {
    DeviceFolder.names(in: parent, beginning: prefix).compactMap { number in
      let folder = "\(parent)/\(number)"
      guard let name = SystemFiles.firstLine(of: folder + "/name") else { return nil }
      return ChipDevice(
        number: number, folder: folder, name: name,
        address: i2cName(folder).flatMap(BusAddress.init(kernelName:)),
        label: SystemFiles.firstLine(of: folder + "/label"))
    }
  }

  /// The device that the settings specify.
  ///
  /// - Parameter missing: the message if none of those in the list matches.
  static func find(
    _ settings: MonitorSettings, among all: [ChipDevice], missing: (_ list: String) -> String
  ) throws(PortError) -> ChipDevice {
    let matching = all.filter { $0.isMeant(by: settings) }
    guard let device = matching.first else { throw PortError(missing(list(all))) }
    try settings.check(isChip: device.name, of: device.number)
    guard matching.count == 1 else {
      throw PortError(
        "several devices match \(settings.chipText): \(list(matching)); set power_monitor.bus and "
          + "power_monitor.address to select one")
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

/// A chip's place on the board's I2C buses, in the kernel's notation: "1-0040".
struct BusAddress: Equatable, CustomStringConvertible {
  let bus: Int
  let address: Int

  var description: String {
    let digits = String(address, radix: 16)
    return "\(bus)-" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  static func text(_ address: Int) -> String {
    (address < 16 ? "0x0" : "0x") + String(address, radix: 16)
  }

  func isMeant(by settings: MonitorSettings) -> Bool {
    (settings.bus ?? bus) == bus && (settings.address ?? address) == address
  }
}

extension BusAddress {
  /// Nil when the name is not that of an I2C device.
  init?(kernelName: Substring) {
    let parts = kernelName.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let bus = Int(parts[0]), bus >= 0, parts[1].count == 4,
      let address = Int(parts[1], radix: 16), (0...0x3ff).contains(address)
    else { return nil }
    self.bus = bus
    self.address = address
  }
}

/// Devices of the kernel's hardware monitoring class.
enum HwmonDevice {
  static func find(
    _ settings: MonitorSettings, below root: String
  ) throws(PortError) -> ChipDevice {
    let all = ChipDevice.all(in: root + "/class/hwmon", beginning: "hwmon") { folder in
      DeviceFolder.target(of: folder + "/device").last
    }
    return try ChipDevice.find(settings, among: all) { missing(settings, list: $0) }
  }

  private static func missing(_ settings: MonitorSettings, list: String) -> String {
    if let device = settings.device {
      return "there is no hwmon device \(device) (power_monitor.device); hwmon devices: \(list)"
    }
    let bus = settings.bus ?? 1
    let address = BusAddress.text(settings.address ?? 0x40)
    return "no kernel driver shows a monitor \(settings.chipText) (power_monitor.chip, bus, "
      + "address); hwmon devices: \(list). To start the driver: echo \(settings.chip.rawValue) "
      + "\(address) "
      + ">/sys/bus/i2c/devices/i2c-\(bus)/new_device, or a device-tree overlay; without a "
      + "driver: power_monitor.kind = \"i2c\""
  }
}

/// Devices of the kernel's industrial I/O subsystem.
enum IIODevice {
  static func find(
    _ settings: MonitorSettings, below root: String
  ) throws(PortError) -> ChipDevice {
    let all = ChipDevice.all(in: root + "/bus/iio/devices", beginning: "iio:device") { folder in
      // …/i2c-1/1-0040/iio:device0
      DeviceFolder.target(of: folder).dropLast().last
    }
    return try ChipDevice.find(settings, among: all) { list in
      "no IIO device is a monitor \(settings.chipText) (power_monitor.chip, bus, address, label, "
        + "device); IIO devices: \(list). The driver is ina2xx-adc; with ina2xx loaded use "
        + "power_monitor.kind = \"hwmon\""
    }
  }
}

/// Folders and links of sysfs.
enum DeviceFolder {
  /// The names in a folder, in natural order ("hwmon2" before "hwmon10"); none when it is missing.
  static func names(in path: String, beginning prefix: String = "") -> [String] {
    SystemFiles.names(in: path).filter { $0.hasPrefix(prefix) }
      .sorted { ($0.count, $0) < ($1.count, $1) }
  }

  /// The parts of the path that a link points to; empty when it is not a link.
  static func target(of path: String) -> [Substring] {
    SystemFiles.target(ofLink: path)?.split(separator: "/") ?? []
  }
}
