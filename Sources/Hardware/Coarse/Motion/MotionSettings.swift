import GNSS
import Core

/// The source of movement: an accelerometer's interrupt, or a vibration switch, on a GPIO line; or
/// an accelerometer with a kernel driver.
public struct MotionSettings: Hashable, SettingGroup {
  public enum Edge: String, Sendable, CaseIterable { case rising, falling, both }

  /// Nil: no line is used.
  public var line: GpioLine?
  public var edge = Edge.both
  /// How long a level has to stay before its edge counts. The default is none: the pulse of an
  /// accelerometer, or of a spring contact, may be too short and would be lost.
  public var debounce = Seconds.zero
  /// The name of an IIO device, or `anyAccelerometer`; nil: none is used.
  public var accelerometer: String?
  /// Nil: the driver's. 60 mg is above the noise of any chip and the hum of a fridge, and below the
  /// acceleration of walking or of a vehicle on the smoothest road.
  public var threshold: MetresPerSecondSquared? = 0.6
  /// Whether the accelerometer wakes the board from sleep.
  public var wakesBoard = false
  /// The tracker counts edges more than 25 s apart as separate knocks (`MotionWatch.burstGap`), so
  /// two masks have to fit.
  public var mask = Seconds(10)

  public init() {}

  /// Stands for the first accelerometer that can report movement.
  static let anyAccelerometer = "auto"

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "motion",
      "What makes movement known: an accelerometer's interrupt output, or a vibration switch, on "
        + "a GPIO line; or an accelerometer that the kernel has a driver for. It has to pulse "
        + "again and again while the board moves (no latched interrupt), and stay quiet at rest.")
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
      "debounce_s", &debounce, .quantity(0...1),
      "How long the line's level has to stay before its edge counts: what is shorter is a "
        + "disturbance. 0 means not at all, which is right for an accelerometer's pulses and for "
        + "most switches; a line that never stays so long tells nothing. Needs libgpiod 2 and is "
        + "ignored with libgpiod 1.")
    setting(
      "accelerometer", &accelerometer, .optional(.text(bytes: 0...63), noneAt: ""),
      "Instead of a line: an accelerometer among the kernel's IIO devices, whose events tell of "
        + "movement without being asked. Its name as in /sys/bus/iio/devices/*/name, or \"auto\" "
        + "for the first that can. An empty text means that there is none.")
    setting(
      "threshold_mps2", &threshold, .optional(.quantity(0...40), noneAt: 0),
      "How strong an acceleration tells of movement. 0 means what the driver, or a udev rule, has "
        + "set: for drivers that count in a unit of their own.")
    setting(
      "wakes_board", &wakesBoard, .flag,
      "Whether the accelerometer also wakes the board from sleep, where its interrupt can.")
    setting(
      "mask_s", &mask, .quantity(2...12),
      "After an edge, or an event, no more of them interrupt the board for so long; movement that "
        + "goes on is reported each time.")
    setting.conflicts(conflicts)
  }

  private var conflicts: [SettingConflict] {
    guard let line else { return [] }
    var conflicts: [SettingConflict] = []
    if line.drive != .pushPull {
      conflicts.append(
        SettingConflict("line", "is an input; open-drain and open-source are words for outputs"))
    }
    if accelerometer != nil {
      conflicts.append(
        SettingConflict(
          "accelerometer",
          "and line exclude each other: they tell the same; leave one of them empty"))
    }
    return conflicts
  }
}
