import CShims
import Platform
import GNSS
import Core

/// A line that this process holds, unchanged until it is driven. The kernel releases it when the
/// process ends, however that happens.
final class HeldLine {
  /// In /dev, for messages.
  let path: String
  private let chip: OpaquePointer
  private let wiring: godwit_gpio_wiring
  private let isActiveLow: Bool

  /// Requests the line without changing it.
  init(path: String, offset: UInt32, _ line: GpioLine) throws(GpioRefusal) {
    guard let chip = godwit_gpio_open(path) else {
      throw GpioRefusal(step: .opening, error: .last)
    }
    guard godwit_gpio_hold(chip, offset, GpioChip.consumer) == 0 else {
      let error = SystemError.last
      godwit_gpio_close(chip)
      throw GpioRefusal(step: .holding, error: error)
    }
    self.path = path
    self.chip = chip
    isActiveLow = line.isActiveLow
    wiring = line.wiring
  }

  deinit { godwit_gpio_close(chip) }

  /// Whether it was active when it was requested, by its voltage, whatever drives it. Call it only
  /// before `drive`.
  func foundActive() throws(GpioRefusal) -> Bool {
    let level = godwit_gpio_get(chip)
    guard level >= 0 else { throw GpioRefusal(step: .reading, error: .last) }
    return (level == 1) != isActiveLow
  }

  /// Makes it an output, with this level from the start.
  func drive(active: Bool) throws(GpioRefusal) {
    var wiring = wiring
    guard godwit_gpio_drive(chip, &wiring, active) == 0 else {
      throw GpioRefusal(step: .driving, error: .last)
    }
  }

  func set(active: Bool) throws(GpioRefusal) {
    guard godwit_gpio_set(chip, active) == 0 else {
      throw GpioRefusal(step: .setting, error: .last)
    }
  }

  /// Whether the line has the level that it was set to; nil if this chip cannot read outputs. A few
  /// chips return the output register, which proves nothing.
  func follows(_ active: Bool) throws(GpioRefusal) -> Bool? {
    for attempt in 0..<Self.readings {
      // A weak pull-up (50 kOhm) needs a few microseconds to charge a long wire.
      if attempt > 0 { BootClock.wait(until: BootClock.now + Self.pause) }
      let level = godwit_gpio_get(chip)
      if level < 0 {
        let refusal = GpioRefusal(step: .reading, error: .last)
        if refusal.chipIsGone { throw refusal }
        return nil
      }
      if (level == 1) == active { return true }
    }
    return false
  }

  /// Whether its chip still answers.
  var isThere: Bool {
    godwit_gpio_get(chip) >= 0 || !GpioRefusal(step: .reading, error: .last).chipIsGone
  }

  private static let readings = 10
  private static let pause = Seconds(0.001)
}
