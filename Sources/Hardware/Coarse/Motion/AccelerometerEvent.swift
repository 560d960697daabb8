/// The events of an IIO accelerometer that report movement, by the names in its folder `events`
/// (Documentation/ABI/testing/sysfs-bus-iio): `in_accel_x_roc_rising_en`.
struct AccelerometerEvent: Equatable {
  /// The best first. Gravity does not affect a rate of change, nor adaptive or referenced kinds;
  /// drivers use "magnitude" for a value behind the chip's high-pass filter (mma8452.c, sca3000.c).
  /// A plain threshold may include gravity: on a vertical axis it has to be above 9.81 m/s².
  static let kinds = ["roc", "mag_adaptive", "mag_referenced", "mag", "thresh_adaptive", "thresh"]
  /// Falling is free fall, or the end of movement.
  private static let directions = ["either", "rising"]
  private static let prefix = "in_accel"
  /// A chip has three axes and a few combinations of them.
  static let maxFiles = 64

  let kind: String
  /// The files that enable it, one for each axis or one for all.
  let switches: [String]
  /// The files of its thresholds.
  let values: [String]

  /// Nil: none of them reports movement.
  /// - Parameter files: the names in the folder.
  init?(files: [String]) {
    let files = files.filter { $0.hasPrefix(Self.prefix) }.sorted().prefix(Self.maxFiles)
    for kind in Self.kinds {
      func ending(_ direction: String, _ end: String) -> [String] {
        files.filter { Self.isAxis($0, before: "_\(kind)_\(direction)_\(end)") }
      }
      for direction in Self.directions {
        let switches = ending(direction, "en")
        guard !switches.isEmpty else { continue }
        self.kind = kind
        self.switches = switches
        values = Self.directions.flatMap { ending($0, "value") }
        return
      }
    }
    return nil
  }

  /// Whether the part before that ending is an axis, any of several, or all of them; if all have to
  /// move at once ("x&y&z") it is free fall.
  private static func isAxis(_ file: String, before ending: String) -> Bool {
    guard file.hasSuffix(ending) else { return false }
    let axis = file.dropFirst(prefix.count).dropLast(ending.count)
    return axis.isEmpty
      || axis.hasPrefix("_") && axis.dropFirst().allSatisfy { "xyz|".contains($0) }
  }
}
