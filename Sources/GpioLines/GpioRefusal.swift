import Glibc
import Platform

/// What the kernel refused, and at which step.
public struct GpioRefusal: Error, Equatable {
  public enum Step: Equatable, Sendable {
    case opening, describing, holding
    /// An output.
    case driving, setting, reading
    /// The edges of an input.
    case watching
  }

  public var step: Step
  public var error: SystemError

  public init(step: Step, error: SystemError) {
    self.step = step
    self.error = error
  }

  /// Another program or driver has the line.
  static let held = GpioRefusal(step: .holding, error: SystemError(code: EBUSY))

  /// The chip was unplugged or its driver unbound: its held lines are no longer usable.
  public var chipIsGone: Bool { [ENODEV, ENXIO, ENOENT, ESHUTDOWN].contains(error.code) }
}
