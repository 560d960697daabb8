import CGpiod
import PowerControl

/// What can be learnt about a wired line without touching it.
public struct LineCheck: Equatable, Sendable {
  /// The line that the settings resolve to, "pinctrl-bcm2711:17 on gpiochip0"; nil: none.
  public var resolved: String?
  /// Its chip's label; nil: no such line.
  public var label: String?
  /// No program or driver holds it.
  public var isFree = false
  /// A godwit process, such as the daemon, holds it.
  public var isOurs = false
  /// Why it cannot be used, and what to do about it.
  public var problem: String?

  public init(problem: String) { self.problem = problem }

  /// - Parameter busy: the problem with a line that another program or driver holds, made of that
  ///   refusal, the chip's path and the holder's name.
  public init(
    _ found: LineSearch.Found, in survey: ChipSurvey, devices: String,
    busy: (GpioRefusal, String, String) -> String
  ) {
    resolved = "\(found.text) on \(found.chip)"
    label = found.label
    guard let state = survey.line(at: found) else { return }
    isFree = !state.isUsed
    isOurs = state.isUsed && state.consumer == GpioChip.consumer
    guard state.isUsed, !isOurs else { return }
    problem = busy(.held, "\(devices)/\(found.chip)", state.consumer)
  }

  /// "libgpiod 1.6.3".
  public static var library: String { "libgpiod " + String(cString: godwit_gpio_library()) }
}
