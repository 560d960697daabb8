/// A key file in the format of NetworkManager (nm-settings-keyfile(5)) and GLib, in which a
/// backslash begins an escape and blanks at the beginning of a value are skipped.
struct KeyFile {
  private(set) var text = ""

  mutating func group(_ name: String) { text += (text.isEmpty ? "" : "\n") + "[\(name)]\n" }

  /// - Parameter value: must not contain control characters except tab, line feed, carriage return.
  mutating func add(_ key: String, _ value: String) {
    text += "\(key)=\(Self.escaped(value))\n"
  }

  /// A list of bytes, each as a decimal number: the only form of a network's name in which no byte
  /// has a special meaning.
  mutating func add(_ key: String, bytes: some Sequence<UInt8>) {
    text += "\(key)="
    for byte in bytes { text += "\(byte);" }
    text += "\n"
  }

  /// Escapes like g_key_file_set_string(), and escapes every blank as well.
  private static func escaped(_ value: String) -> String {
    var escaped = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case " ": escaped += "\\s"
      case "\t": escaped += "\\t"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
