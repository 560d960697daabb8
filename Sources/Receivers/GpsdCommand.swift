/// Requests of gpsd's protocol (gpsd_json(5)), as text for the wire. libgps's own `gps_stream` cuts
/// commands at 80 characters, which a device name from /dev/serial/by-id exceeds.
enum GpsdCommand {
  /// Longest device name that gpsd takes (GPS_PATH_MAX, with its NUL).
  static let mostDeviceBytes = 127
  /// Bytes for the receiver in one request (HEXDATA_MAX is 512 digits, with the NUL).
  static let mostBytes = 255

  static func watch(device: String?) -> String {
    "?WATCH={\"enable\":true,\"json\":true\(pair("device", device))};"
  }

  static let unwatch = "?WATCH={\"enable\":false};"

  /// - Parameter bytes: at most `mostBytes`.
  static func send(_ bytes: ArraySlice<UInt8>, device: String?) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var hex: [UInt8] = []
    for byte in bytes {
      hex.append(digits[Int(byte >> 4)])
      hex.append(digits[Int(byte & 15)])
    }
    let data = String(decoding: hex, as: UTF8.self)
    return "?DEVICE={\"hexdata\":\"\(data)\"\(pair("path", device))};"
  }

  /// Names with these characters cannot be device names, and would end the JSON string.
  static func isDeviceName(_ name: String) -> Bool {
    name.utf8.count <= mostDeviceBytes && name.hasPrefix("/")
      && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != 0x22 && $0 != 0x5c }
  }

  private static func pair(_ key: String, _ value: String?) -> String {
    value.map { ",\"\(key)\":\"\($0)\"" } ?? ""
  }
}
