import Glibc
import Core
import Platform
import Ports

/// A supply of the kernel's power_supply class that is online or not
/// (Documentation/ABI/testing/sysfs-class-power). The state is read after a message of its driver;
/// nothing is read in between.
final class SupplyDevice: LevelInput {
  private let name: String
  private let folder: String
  private let messages: UeventSocket
  private static let maxListed = 12

  /// - Parameter system: where sysfs is.
  init(_ name: String, system: String) throws(PortError) {
    self.name = name
    let all = "\(system)/class/power_supply"
    guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")), name != ".", name != "..",
      let folder = SystemFiles.resolved("\(all)/\(name)"), folder.hasPrefix(system + "/")
    else {
      let there = SystemFiles.names(in: all).sorted().prefix(Self.maxListed)
      throw Self.because(
        "there is no such power supply in \(all); those here: "
          + (there.isEmpty
            ? "none. Check that its driver is loaded"
            : there.map(TerminalText.line).joined(separator: ", ")),
        name)
    }
    self.folder = folder
    messages = try UeventSocket(["change", "remove"], of: String(folder.dropFirst(system.count)))
  }

  var descriptor: Int32 { messages.descriptor }

  func readEvents() throws(PortError) -> Int { messages.readMessages() }

  /// Its messages are not awaited meanwhile, and their queue is bounded.
  func disable() {}

  func enable() { _ = messages.readMessages() }

  /// 0 is offline, 1 and 2 are online: with a fixed or a programmable voltage.
  func isActive() throws(PortError) -> Bool {
    let path = folder + "/online"
    let bytes: [UInt8]
    do {
      bytes = try SystemFiles.bytes(of: path, atMost: 16)
    } catch {
      let kind = SystemFiles.firstLine(of: folder + "/type") ?? "device"
      guard error.code == ENOENT || error.code == ENODEV else {
        throw Self.because("\(path) cannot be read (\(error.text))", name)
      }
      throw Self.because(
        FileStatus(path: folder) == nil
          ? "it has disappeared; it is searched again within five minutes"
          : "it does not report whether it is online (\(path)): it is a "
            + "\(TerminalText.line(kind)); use a charger's input or "
            + "a USB or mains supply", name)
    }
    switch String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) {
    case "0": return false
    case "1", "2": return true
    default: throw Self.because("\(path) contains neither 0 nor 1 nor 2", name)
    }
  }

  private static func because(_ reason: String, _ name: String) -> PortError {
    PortError("external_power.supply = \"\(name)\": \(reason)")
  }
}
