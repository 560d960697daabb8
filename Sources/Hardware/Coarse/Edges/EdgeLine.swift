import CShims
import Glibc
import Platform
import Ports
import GNSS
import Core

/// An input whose edges the kernel queues. That queue has 16 places: it does not grow, however fast
/// the line chatters (linux/gpio.h, `event_buffer_size`).
///
/// While disabled, its edges raise no interrupt. With libgpiod 1 it is released for that, and
/// another program can request it meanwhile.
final class EdgeLine: LevelInput {
  private let chip: OpaquePointer
  private let explain: (GpioRefusal) -> PortError

  /// - Parameters:
  ///   - path: the chip's.
  ///   - explain: what a later refusal of this line means.
  init(
    path: String, offset: UInt32, _ line: GpioLine, _ edge: MotionSettings.Edge, debounce: Seconds,
    explain: @escaping (GpioRefusal) -> PortError
  ) throws(GpioRefusal) {
    guard let chip = godwit_gpio_open(path) else {
      throw GpioRefusal(step: .opening, error: .last)
    }
    var wiring = line.wiring
    let period = Self.canDebounce ? UInt32(debounce.value * 1e6) : 0
    guard
      godwit_gpio_watch(chip, offset, GpioChip.consumer, &wiring, edge.code, period) == 0
    else {
      let error = SystemError.last
      godwit_gpio_close(chip)
      throw GpioRefusal(step: .watching, error: error)
    }
    self.chip = chip
    self.explain = explain
  }

  deinit { godwit_gpio_close(chip) }

  /// Whether the kernel can debounce the line: not with libgpiod 1.
  static var canDebounce: Bool { godwit_gpio_debounces() }

  var descriptor: Int32 { godwit_gpio_descriptor(chip) }

  func readEvents() throws(PortError) -> Int {
    let taken = godwit_gpio_take_edges(chip)
    guard taken >= 0 else { throw failed(.reading) }
    return Int(taken)
  }

  func disable() throws(PortError) {
    guard godwit_gpio_rest(chip) == 0 else { throw failed(.reading) }
  }

  func enable() throws(PortError) {
    guard godwit_gpio_listen(chip) == 0 else {
      throw failed(SystemError.last.code == EBUSY ? .watching : .reading)
    }
  }

  func isActive() throws(PortError) -> Bool {
    let level = godwit_gpio_get(chip)
    guard level >= 0 else { throw failed(.reading) }
    return level != 0
  }

  private func failed(_ step: GpioRefusal.Step) -> PortError {
    explain(GpioRefusal(step: step, error: .last))
  }
}

extension MotionSettings.Edge {
  fileprivate var code: godwit_gpio_edges {
    switch self {
    case .rising: GODWIT_GPIO_RISING
    case .falling: GODWIT_GPIO_FALLING
    case .both: GODWIT_GPIO_BOTH_EDGES
    }
  }
}
