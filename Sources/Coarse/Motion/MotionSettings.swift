import PowerControl
import Quantities
import SettingDeclarations

/// What makes movement known: an accelerometer's interrupt, or a vibration switch, on a GPIO line.
public struct MotionSettings: Hashable, SettingGroup {
  public enum Edge: String, Sendable, CaseIterable { case rising, falling, both }

  /// Nil: there is no such line.
  public var line: GpioLine?
  public var edge = Edge.both
  /// The tracker takes edges farther apart than 25 s for separate knocks
  /// (`MotionWatch.burstGap`), so two masks have to fit.
  public var mask = Seconds(10)

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "motion",
      "What makes movement known: an accelerometer's interrupt output, or a vibration switch, on "
        + "a GPIO line. It has to pulse again and again while the board moves (no latched "
        + "interrupt), and stay quiet at rest.")
    setting(
      "line", &line, .line,
      "The line, written as in section power_switch: \"ACCEL_INT1\", \"pinctrl-bcm2711:27 "
        + "pull-up\". A switch between the line and ground needs pull-up. An empty text means that "
        + "there is none.")
    setting(
      "edge", &edge, .choice,
      "Which edges tell of movement. \"rising\" is from inactive to active: with active-low, a "
        + "falling voltage.")
    setting(
      "mask_s", &mask, .quantity(2...12),
      "After an edge the daemon does not wake for more of them for so long; movement that goes on "
        + "is reported each time.")
    setting.conflicts(conflicts)
  }

  private var conflicts: [SettingConflict] {
    guard let line, line.drive != .pushPull else { return [] }
    return [
      SettingConflict(
        "line", "is an input; open-drain and open-source are words for outputs")
    ]
  }
}
