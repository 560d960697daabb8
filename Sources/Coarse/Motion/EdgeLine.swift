import CGpiod
import GpioLines
import Platform
import PowerControl

/// The edges of a line, which wait in a queue of the kernel's until they are taken.
protocol EdgeQueue: AnyObject {
  /// Ready while edges wait, or when the line is gone.
  var descriptor: Int32 { get }
  /// Of its chip, for messages.
  var path: String { get }
  /// Takes the oldest edges out of the queue, a few at once, and never waits.
  /// - Returns: how many; 0: none wait.
  func take() throws(GpioRefusal) -> Int
}

/// An input whose edges the kernel queues, from the request until it is released. That queue has
/// 16 places: it does not grow, however fast the line chatters (linux/gpio.h, `event_buffer_size`).
final class EdgeLine: EdgeQueue {
  let descriptor: Int32
  let path: String
  private let chip: OpaquePointer

  init(
    path: String, offset: UInt32, _ line: GpioLine, _ edge: MotionSettings.Edge
  ) throws(GpioRefusal) {
    guard let chip = godwit_gpio_open(path) else {
      throw GpioRefusal(step: .opening, error: .last)
    }
    var wiring = line.wiring
    guard godwit_gpio_watch(chip, offset, GpioChip.consumer, &wiring, edge.code) == 0 else {
      let error = SystemError.last
      godwit_gpio_close(chip)
      throw GpioRefusal(step: .watching, error: error)
    }
    self.chip = chip
    self.path = path
    descriptor = godwit_gpio_descriptor(chip)
  }

  deinit { godwit_gpio_close(chip) }

  func take() throws(GpioRefusal) -> Int {
    let taken = godwit_gpio_take_edges(chip)
    guard taken >= 0 else { throw GpioRefusal(step: .reading, error: .last) }
    return Int(taken)
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
