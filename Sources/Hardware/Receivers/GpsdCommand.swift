import Core

/// Requests of gpsd's protocol (gpsd_json(5)) and of its control socket (gpsd(8)), as text for the
/// wire. libgps's own `gps_stream` cuts commands at 80 characters, which a device name from
/// /dev/serial/by-id exceeds.
enum GpsdCommand {
  /// Longest device name that gpsd accepts (GPS_PATH_MAX, with its NUL).
  static let maxDeviceBytes = 127
  /// Bytes for the receiver in one request (HEXDATA_MAX is 512 digits, with the NUL).
  static let maxBytes = 255

  static func watch(device: String?) -> String {
    "?WATCH={\"enable\":true,\"json\":true\(pair("device", device))};"
  }

  static let unwatch = "?WATCH={\"enable\":false};"

  /// - Parameter bytes: at most `maxBytes`.
  static func send(_ bytes: ArraySlice<UInt8>, device: String?) -> String {
    "?DEVICE={\"hexdata\":\"\(Hexadecimal.text(bytes))\"\(pair("path", device))};"
  }

  /// Control socket: gpsd adds the device. The answer is ERROR if it has it already.
  static func add(_ device: String) -> String { "+\(device)\r\n" }

  /// Control socket: gpsd closes and removes the device.
  static func remove(_ device: String) -> String { "-\(device)\r\n" }

  /// Control socket: gpsd passes the bytes on, whatever type it assumes for the receiver.
  ///
  /// - Parameter bytes: at most `maxBytes`.
  static func pass(_ bytes: ArraySlice<UInt8>, to device: String) -> String {
    "&\(device)=\(Hexadecimal.text(bytes))\r\n"
  }

  /// Texts with other characters cannot be device names, and would end the JSON string or the
  /// control command (gpsd reads a name up to the first character that is not printable ASCII).
  static func isDeviceName(_ name: String) -> Bool {
    name.utf8.count <= maxDeviceBytes && name.hasPrefix("/")
      && name.utf8.allSatisfy { (0x21...0x7e).contains($0) && !Array("\"\\=".utf8).contains($0) }
  }

  private static func pair(_ key: String, _ value: String?) -> String {
    value.map { ",\"\(key)\":\"\($0)\"" } ?? ""
  }
}

/// What gpsd reports about its devices, in DEVICES and DEVICE (gpsd_json(5)).
enum GpsdDevices {
  enum Report: Equatable {
    /// All its devices.
    case all([String])
    /// It has opened or added this one.
    case present(String)
    /// It has closed this one, and may have removed it.
    case released(String)
  }

  /// Nil if the line is none of these reports. Paths that cannot be device names are left out: they
  /// would be used in commands.
  static func report(_ line: [UInt8]) -> Report? {
    guard line.starts(with: Array("{\"class\":\"DEVICE".utf8)),
      let report = try? JSONValue(parsing: line)
    else { return nil }
    if report["class"]?.string == "DEVICES", let devices = report["devices"]?.array {
      return .all(devices.compactMap(path))
    }
    guard report["class"]?.string == "DEVICE", let path = path(report) else { return nil }
    // Otherwise a time, in ISO 8601 or, from old releases, in seconds.
    return report["activated"]?.number == 0 ? .released(path) : .present(path)
  }

  private static func path(_ device: JSONValue) -> String? {
    device["path"]?.string.flatMap { GpsdCommand.isDeviceName($0) ? $0 : nil }
  }
}
