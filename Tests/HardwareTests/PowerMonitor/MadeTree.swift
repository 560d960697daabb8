import Foundation
import Core
import TestSupport

/// A sysfs of plain files, and a clock that only the test advances.
final class MadeTree {
  let scratch: ScratchFolder
  var now = BootInstant.zero + 1000

  init() throws { scratch = try ScratchFolder() }

  var root: String { scratch.path }

  func clock() -> BootInstant { now }

  func write(_ text: String, to file: String) throws {
    let path = scratch.file(file)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  func read(_ file: String) throws -> String { try scratch.text(file) }

  func remove(_ file: String) throws {
    try FileManager.default.removeItem(atPath: scratch.file(file))
  }

  /// A hwmon device as the kernel makes it: the class's entry links to the chip.
  func hwmon(
    _ number: Int, _ name: String, at address: String? = "1-0040", _ files: [String: String]
  ) throws {
    let folder = "class/hwmon/hwmon\(number)"
    try write("\(name)\n", to: folder + "/name")
    for (file, text) in files { try write(text + "\n", to: "\(folder)/\(file)") }
    guard let address else { return }
    try FileManager.default.createDirectory(
      atPath: scratch.file("devices/\(address)"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file(folder + "/device"), withDestinationPath: "../../../devices/\(address)")
  }
}
