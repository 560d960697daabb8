import Glibc
import Ports
import TestSupport
import Testing

@testable import Hardware

/// A folder in the form of sysfs, and this machine's own socket for kernel messages.
@Suite struct SupplyDeviceTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("USB\n", to: "class/power_supply/usb/type")
  }

  private func online(_ text: String?) throws -> Bool {
    if let text { try folder.write(text, to: "class/power_supply/usb/online") }
    // The real path, because the folder of temporary files may be a link.
    let system = try #require(realpath(folder.path, nil))
    defer { free(system) }
    return try SupplyDevice("usb", system: String(cString: system)).isActive()
  }

  @Test("online is 1 or 2, offline is 0") func theKernelsWords() throws {
    #expect(try !online("0\n"))
    #expect(try online("1\n"))
    #expect(try online("2\n"))
  }

  @Test(
    "nonsense is reported and not used",
    arguments: ["", "3\n", "-1\n", "on\n", "11111111111111111111"])
  func nonsenseIsTold(text: String) throws {
    let error = thrown(PortError.self) { _ = try online(text) }
    #expect(error?.message.contains("contains neither 0 nor 1 nor 2") == true, "\(error as Any)")
  }

  @Test("a supply without such a state reports its type") func aBatteryIsNone() throws {
    let error = thrown(PortError.self) { _ = try online(nil) }
    #expect(
      error?.message.contains("it is a USB; use a charger's input") == true, "\(error as Any)")
  }

  @Test(
    "a name that is missing, or leaves the folder, is refused",
    arguments: ["ac", "..", "../x", ""])
  func aMissingSupply(name: String) throws {
    let error = thrown(PortError.self) {
      _ = try SupplyDevice(name, system: folder.path)
    }
    #expect(error?.message.contains("no such power supply") == true, "\(error as Any)")
    #expect(error?.message.contains("those here: usb") == true, "\(error as Any)")
  }

  @Test("a socket without kernel messages about the supply does not block") func nothingWaits()
    throws
  {
    try folder.write("1\n", to: "class/power_supply/usb/online")
    let system = try #require(realpath(folder.path, nil))
    defer { free(system) }
    let supply = try SupplyDevice("usb", system: String(cString: system))
    #expect(supply.descriptor >= 0)
    #expect(try supply.readEvents() == 0)
  }
}
