/// Where a chip is on the board's I2C buses, as the kernel names it: "1-0040".
struct BusAddress: Equatable, CustomStringConvertible {
  let bus: Int
  let address: Int

  init(bus: Int, address: Int) {
    self.bus = bus
    self.address = address
  }

  /// Nil when the name is not that of an I2C device.
  init?(kernelName: Substring) {
    let parts = kernelName.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let bus = Int(parts[0]), bus >= 0, parts[1].count == 4,
      let address = Int(parts[1], radix: 16), (0...0x3ff).contains(address)
    else { return nil }
    self.bus = bus
    self.address = address
  }

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
