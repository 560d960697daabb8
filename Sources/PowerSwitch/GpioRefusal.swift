import Glibc

/// What the kernel refused, and at which step.
struct GpioRefusal: Error, Equatable {
  enum Step: Equatable { case opening, describing, holding, driving, setting, reading }

  var step: Step
  /// errno.
  var code: Int32

  /// Somebody else has the line.
  static let held = GpioRefusal(step: .holding, code: EBUSY)

  /// The chip was unplugged or its driver unbound: what was held of it is dead for good.
  var chipIsGone: Bool { [ENODEV, ENXIO, ENOENT, ESHUTDOWN].contains(code) }
}
