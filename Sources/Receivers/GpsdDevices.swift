import Notation

/// What gpsd says about the devices that it has, in the reports DEVICES and DEVICE (gpsd_json(5)).
enum GpsdDevices {
  enum Report: Equatable {
    /// All that it has.
    case all([String])
    /// It has opened or added this one.
    case present(String)
    /// It has closed this one, and may have forgotten it.
    case released(String)
  }

  /// Nil when the line is none of these reports. Paths that cannot be device names are left out:
  /// they would have to go into commands.
  static func report(_ line: [UInt8]) -> Report? {
    guard line.starts(with: Array("{\"class\":\"DEVICE".utf8)),
      let report = try? JSONValue(parsing: line)
    else { return nil }
    if report["class"]?.string == "DEVICES", let devices = report["devices"]?.array {
      return .all(devices.compactMap(path))
    }
    guard report["class"]?.string == "DEVICE", let path = path(report) else { return nil }
    // Otherwise a moment, in ISO 8601 or, from old releases, in seconds.
    return report["activated"]?.number == 0 ? .released(path) : .present(path)
  }

  private static func path(_ device: JSONValue) -> String? {
    device["path"]?.string.flatMap { GpsdCommand.isDeviceName($0) ? $0 : nil }
  }
}
