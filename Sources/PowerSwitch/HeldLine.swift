import CGpiod
import Glibc
import Platform
import PowerControl
import Quantities

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
    guard godwit_gpio_hold(chip, offset, GpioSwitch.consumer) == 0 else {
      let error = SystemError.last
      godwit_gpio_close(chip)
      throw GpioRefusal(step: .holding, error: error)
    }
    self.path = path
    self.chip = chip
    isActiveLow = line.isActiveLow
    wiring = godwit_gpio_wiring(
      is_active_low: line.isActiveLow, drive: line.drive.code, bias: line.bias.code)
  }

  deinit { godwit_gpio_close(chip) }

  /// Whether it was active when it was requested, by its voltage, whatever drives it. Only before
  /// `drive`.
  func foundActive() throws(GpioRefusal) -> Bool {
    let level = godwit_gpio_get(chip)
    guard level >= 0 else { throw GpioRefusal(step: .reading, error: .last) }
    return (level == 1) != isActiveLow
  }

  /// Makes it an output that has this level from its first moment.
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

  /// Whether the line has the level that it was set to; nil when this chip cannot read outputs. A
  /// few chips answer from the output register, which proves nothing.
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

/// What the kernel refused, and at which step.
struct GpioRefusal: Error, Equatable {
  enum Step: Equatable { case opening, describing, holding, driving, setting, reading }

  var step: Step
  var error: SystemError

  /// Another program or driver has the line.
  static let held = GpioRefusal(step: .holding, error: SystemError(code: EBUSY))

  /// The chip was unplugged or its driver unbound: its held lines are no longer usable.
  var chipIsGone: Bool { [ENODEV, ENXIO, ENOENT, ESHUTDOWN].contains(error.code) }
}

extension GpioLine.Drive {
  fileprivate var code: godwit_gpio_drive {
    switch self {
    case .pushPull: GODWIT_GPIO_PUSH_PULL
    case .openDrain: GODWIT_GPIO_OPEN_DRAIN
    case .openSource: GODWIT_GPIO_OPEN_SOURCE
    }
  }
}

extension GpioLine.Bias {
  fileprivate var code: godwit_gpio_bias {
    switch self {
    case .asIs: GODWIT_GPIO_BIAS_AS_IS
    case .disabled: GODWIT_GPIO_BIAS_DISABLED
    case .pullUp: GODWIT_GPIO_PULL_UP
    case .pullDown: GODWIT_GPIO_PULL_DOWN
    }
  }
}
