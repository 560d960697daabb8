import Foundation

/// A GPIO chip that exists in memory only (Documentation/admin-guide/gpio/gpio-sim.rst).
public final class SimulatedChip {
  private static let root = "/sys/kernel/config/gpio-sim"
  private let name: String
  private var config: String { Self.root + "/" + name }
  private let lines: [Int: String]

  /// - Parameters:
  ///   - lines: the names of lines by their offset.
  ///   - label: what `gpiodetect` shows in brackets.
  public init(_ name: String, label: String, lines: [Int: String], count: Int = 8) throws {
    self.name = name
    self.lines = lines
    let bank = Self.root + "/" + name + "/bank0"
    try FileManager.default.createDirectory(atPath: bank, withIntermediateDirectories: true)
    try Kernel.write(String(count), to: bank + "/num_lines")
    try Kernel.write(label, to: bank + "/label")
    for (offset, line) in lines {
      let folder = bank + "/line\(offset)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Kernel.write(line, to: folder + "/name")
    }
  }

  /// Makes the chip appear, as when its driver is bound.
  public func appear() throws { try Kernel.write("1", to: config + "/live") }

  /// Makes the kernel itself hold a line. Call it before the chip appears.
  public func hog(_ line: Int, by consumer: String) throws {
    let folder = config + "/bank0/line\(line)/hog"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Kernel.write(consumer, to: folder + "/name")
    try Kernel.write("input", to: folder + "/direction")
  }

  public var isThere: Bool { (try? Kernel.read(config + "/live")) == "1" }

  /// Makes the chip disappear, even while a process holds one of its lines.
  public func vanish() throws { try Kernel.write("0", to: config + "/live") }

  /// The hardware side of a line in sysfs; the kernel assigns new numbers at every appearance.
  public func folder(of line: Int) throws -> String {
    let device = try Kernel.read(config + "/dev_name")
    let chip = try Kernel.read(config + "/bank0/chip_name")
    return "/sys/devices/platform/\(device)/\(chip)/sim_gpio\(line)"
  }

  /// The level of the line.
  public func value(of line: Int) throws -> Bool {
    try Kernel.read(folder(of: line) + "/value") == "1"
  }

  /// Sets the pull of a line without an owner.
  public func pull(_ line: Int, up: Bool) throws {
    try Kernel.write(up ? "pull-up" : "pull-down", to: folder(of: line) + "/pull")
  }

  /// The character device, "/dev/gpiochip0".
  public func device() throws -> String { "/dev/" + (try Kernel.read(config + "/bank0/chip_name")) }
}

/// Files of the kernel.
public enum Kernel {
  public static func read(_ path: String) throws -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw KernelRefusal("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(file) }
    // Such a file has no size, and is read in parts.
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = Glibc.read(file, &buffer, buffer.count), count > 0 {
      bytes += buffer.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  public static func write(_ text: String, to path: String) throws {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw KernelRefusal("\(path) cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer { close(file) }
    // The kernel accepts such a value in one write only.
    guard Glibc.write(file, text, text.utf8.count) == text.utf8.count else {
      throw KernelRefusal("'\(text)' to \(path): \(String(cString: strerror(errno)))")
    }
  }

  /// Seconds since boot.
  public static var uptime: Double { seconds(CLOCK_BOOTTIME) }

  /// The date of the boot, in seconds since 1970.
  public static var bootDate: Double { seconds(CLOCK_REALTIME) - uptime }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// An error of the kernel.
public struct KernelRefusal: Error, CustomStringConvertible {
  public let description: String
  init(_ description: String) { self.description = description }
}
