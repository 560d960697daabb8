import GNSS
import Core

/// The source of movement: an accelerometer's interrupt, or a vibration switch, on a GPIO line; or
/// an accelerometer with a kernel driver.
public struct MotionSettings: Hashable, SettingGroup {
  enum Edge: String, Sendable, CaseIterable { case rising, falling, both }

  /// Nil: no line is used.
  public var line: GpioLine?
  var edge = Edge.both
  /// How long a level has to stay before its edge counts. The default is none: the pulse of an
  /// accelerometer, or of a spring contact, may be too short and would be lost.
  var debounce = Seconds.zero
  /// The name of an IIO device, or `anyAccelerometer`; nil: none is used.
  public var accelerometer: String?
  /// Nil: the driver's. 60 mg is above the noise of any chip and the hum of a fridge, and below the
  /// acceleration of walking or of a vehicle on the smoothest road.
  public var threshold: MetresPerSecondSquared? = 0.6
  /// Whether the accelerometer wakes the board from sleep.
  var wakesBoard = false
  /// The tracker counts edges more than 25 s apart as separate knocks (`MotionWatch.burstGap`), so
  /// two masks have to fit.
  var mask = Seconds(10)

  public init() {}

  /// Stands for the first accelerometer that can report movement.
  static let anyAccelerometer = "auto"

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "motion",
      "Motion sensor: the interrupt output of an accelerometer, or a vibration switch, on a GPIO "
        + "line; or an accelerometer with a kernel driver. It must pulse repeatedly while the "
        + "board moves (no latched interrupt), and be silent at rest.")
    setting(
      "line", &line, .line,
      "GPIO line, written as in section power_switch: \"ACCEL_INT1\", \"pinctrl-bcm2711:27 "
        + "pull-up\". A switch between the line and ground needs pull-up. Empty: none.")
    setting(
      "edge", &edge, .choice,
      "Edges that indicate movement. \"rising\" is from inactive to active: with active-low, a "
        + "falling voltage.")
    setting(
      "debounce_s", &debounce, .quantity(0...1),
      "Minimum time for which the level must be stable after an edge; shorter pulses are "
        + "disturbances. 0: none, for an accelerometer's pulses and for most switches; a line "
        + "whose pulses are all shorter reports nothing. Needs libgpiod 2; ignored with libgpiod "
        + "1.")
    setting(
      "accelerometer", &accelerometer, .optional(.text(bytes: 0...63), noneAt: ""),
      "Instead of a line: an accelerometer among the kernel's IIO devices that reports movement by "
        + "events. Its name as in /sys/bus/iio/devices/*/name, or \"auto\" for the first that can. "
        + "Empty: none.")
    setting(
      "threshold_mps2", &threshold, .optional(.quantity(0...40), noneAt: 0),
      "Minimum acceleration that indicates movement. 0: the value set by the driver or a udev "
        + "rule, for drivers with a unit of their own.")
    setting(
      "wakes_board", &wakesBoard, .flag,
      "The accelerometer also wakes the board from sleep, if its interrupt can.")
    setting(
      "mask_s", &mask, .quantity(2...12),
      "Time after an edge or an event in which no further one interrupts the board; continuing "
        + "movement is reported once per interval.")
    setting.conflicts(conflicts)
  }

  private var conflicts: [SettingConflict] {
    guard let line else { return [] }
    var conflicts: [SettingConflict] = []
    if line.drive != .pushPull {
      conflicts.append(
        SettingConflict("line", "is an input; open-drain and open-source are only for outputs"))
    }
    if accelerometer != nil {
      conflicts.append(
        SettingConflict(
          "accelerometer",
          "and line exclude each other: leave one of them empty"))
    }
    return conflicts
  }
}
