import Platform

/// One supply of the kernel's power_supply class: a folder of attributes
/// (Documentation/ABI/testing/sysfs-class-power).
struct PowerSupplyFolder {
  let name: String
  private let path: String

  /// The supply of that name; nil: the first battery.
  /// - Parameter root: where sysfs is.
  /// - Throws: the list of supplies that exist.
  init(_ wanted: String?, root: String) throws(NoPowerSupply) {
    let parent = root + "/class/power_supply"
    let all = DeviceFolder.names(in: parent)
    let match = all.first { name in
      wanted.map { $0 == name }
        ?? (SystemFiles.firstLine(of: "\(parent)/\(name)/type") == "Battery")
    }
    guard let match else { throw NoPowerSupply(wanted: wanted, present: all) }
    name = match
    path = "\(parent)/\(match)/"
  }

  func file(_ attribute: String) -> String { path + attribute }

  /// In the kernel's unit; nil if the supply has no such attribute.
  func number(_ attribute: String) throws(AttributeFault) -> Double? {
    try AttributeFile.number(at: path + attribute)
  }

  /// A word; nil if there is none.
  func word(_ attribute: String) -> String? { SystemFiles.firstLine(of: path + attribute) }
}

struct NoPowerSupply: Error {
  let wanted: String?
  let present: [String]

  /// - Parameter setting: the setting that names the supply.
  func message(setting: String) -> String {
    "there is no \(wanted.map { "power supply \($0)" } ?? "battery") (\(setting)); power supplies "
      + "here: \(present.isEmpty ? "none" : present.joined(separator: ", "))"
  }
}
