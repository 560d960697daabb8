import Foundation
import Ports
import GNSS
import TestSupport
import Testing

@testable import Hardware

/// Tests that need no chip; `switch-exercise` covers the rest with a real kernel's simulated ones.
@Suite struct GpioSwitchTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  func makeSwitch(_ lines: [PowerLine: String] = [.supply: "GNSS_EN"]) throws -> GpioSwitch {
    GpioSwitch(
      GpioSwitchSettings(
        lines: try lines.mapValues { try GpioLine(parsing: $0) }, devices: scratch.path))
  }

  @Test("without a chip every attempt reports that") func withoutAChipEveryAttemptSaysSo() throws {
    let gpio = try makeSwitch()
    for _ in 0..<2 {
      let held = thrown(PortError.self) { try gpio.acquire() }
      #expect(held?.message.contains("there is no GPIO chip (\(scratch.path)/gpiochip*)") == true)
      let set = thrown(PortError.self) { try gpio.set(.supply, active: true) }
      #expect(set == held)
    }
  }

  /// A file, a link, a folder and invalid numbers are not accepted as chips.
  @Test("a file that only looks like a chip is skipped") func whatOnlyLooksLikeAChipIsPassedOver()
    throws
  {
    let files = FileManager.default
    let names = [
      "gpiochip0", "gpiochip99999999999999999999", "gpiochip-1", "gpiochip", "gpiochip1x",
    ]
    for name in names {
      #expect(files.createFile(atPath: "\(scratch.path)/\(name)", contents: Data([0])))
    }
    try files.createSymbolicLink(
      atPath: "\(scratch.path)/gpiochip1", withDestinationPath: "/dev/null")
    try files.createDirectory(
      atPath: "\(scratch.path)/gpiochip2", withIntermediateDirectories: false)
    #expect(GpioChip.survey(scratch.path) == ChipList())
    #expect(GpioChip.survey("\(scratch.path)/nowhere") == ChipList())
  }

  @Test("setting an unwired line is refused with its setting")
  func anUnwiredLineIsRefusedByItsSetting() throws {
    let gpio = try makeSwitch()
    #expect(gpio.lines == [.supply])
    let error = thrown(PortError.self) { try gpio.set(.reset, active: true) }
    #expect(error?.message.contains("power_switch.reset") == true)
  }

  @Test("a switch that was never held is closed silently")
  func whatWasNeverHeldIsClosedWithoutAWord() throws {
    let gpio = try makeSwitch()
    try gpio.close()
    try gpio.close()
    let error = thrown(PortError.self) { try gpio.acquire() }
    #expect(error?.message.contains("GNSS_EN was released") == true)
  }
}
