import Foundation
import KernelHardware
import Ports
import GNSS
import Hardware

/// Two chips, one of which has every line that a receiver may be wired to.
final class Workbench: @unchecked Sendable {
  /// The offsets of the main chip's lines.
  enum Line: Int, CaseIterable {
    case supply = 1, backup, uart, wake, reset, twice, hogged

    var name: String {
      self == .twice ? "TWICE" : "GNSS_\(self)".uppercased()
    }
  }

  static let label = "exercise-main"
  let main: SimulatedChip
  let other: SimulatedChip
  private static let tracing = "/sys/kernel/tracing"

  init() throws {
    let lines = Line.allCases.map { ($0.rawValue, $0.name) }
    main = try SimulatedChip(
      "exercise-main", label: Self.label, lines: Dictionary(uniqueKeysWithValues: lines))
    other = try SimulatedChip("exercise-other", label: "exercise-other", lines: [0: "TWICE"])
    try main.hog(Line.hogged.rawValue, by: "somebody else")
  }

  /// Resets both chips: no line driven, every pull down.
  func reset() throws {
    for chip in [main, other] {
      if chip.isThere { try chip.vanish() }
      try chip.appear()
    }
  }

  static func wiring(_ lines: [PowerLine: String]) throws -> [PowerLine: GpioLine] {
    try lines.mapValues { try GpioLine(parsing: $0) }
  }

  /// - Parameter lines: as in the settings.
  func makeSwitch(
    _ lines: [PowerLine: String], onStart: LinePolicy = .off, onExit: LinePolicy = .off
  ) throws -> GpioSwitch {
    GpioSwitch(
      GpioSwitchSettings(lines: try Self.wiring(lines), onStart: onStart, onExit: onExit))
  }

  static let whole: [PowerLine: String] = [
    .supply: "GNSS_SUPPLY", .backup: "GNSS_BACKUP", .uart: "GNSS_UART", .wake: "GNSS_WAKE",
    .reset: "GNSS_RESET active-low",
  ]

  func isHigh(_ line: Line) throws -> Bool { try main.value(of: line.rawValue) }

  /// Sets the pull of a line that nothing drives.
  func pull(_ line: Line, up: Bool) throws {
    try main.pull(line.rawValue, up: up)
  }

  func expectLevels(_ expected: [Line: Bool], _ when: String) throws {
    for (line, level) in expected {
      let found = try isHigh(line)
      try expect(found == level, "\(when), \(line.name) is \(found ? "high" : "low")")
    }
  }

  /// The message of an expected error, which must contain these words.
  func expectRefusal(_ words: [String], _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as PortError {
      for word in words where !error.message.contains(word) {
        throw Unexpected("'\(word)' is missing in: \(error.message)")
      }
      return
    }
    throw Unexpected("no error came; it was to tell of \(words)")
  }

  /// The kernel's trace of its lines during the body.
  func traced(_ body: () throws -> Void) throws -> [String] {
    let events = Self.tracing + "/events/gpio/enable"
    guard FileManager.default.fileExists(atPath: events) else {
      throw Missing(what: "a kernel that traces its GPIO lines")
    }
    let before = try tracedLines().count
    try Kernel.write("1", to: events)
    defer { try? Kernel.write("0", to: events) }
    try body()
    return Array(try tracedLines().dropFirst(before))
  }

  private func tracedLines() throws -> [String] {
    try Kernel.read(Self.tracing + "/trace").split(separator: "\n").map(String.init)
      .filter { $0.contains("gpio_") && !$0.hasPrefix("#") }
  }
}

func openDescriptors() throws -> Int {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}
