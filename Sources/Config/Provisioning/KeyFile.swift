/// The text of a key file as NetworkManager reads it (nm-settings-keyfile(5)): GLib's format, in
/// which a backslash begins an escape and blanks at the beginning of a value are skipped.
struct KeyFile {
  private(set) var text = ""

  mutating func group(_ name: String) { text += (text.isEmpty ? "" : "\n") + "[\(name)]\n" }

  /// - Parameter value: must not hold control characters but tab, line feed and carriage return.
  mutating func add(_ key: String, _ value: String) {
    text += "\(key)=\(Self.escaped(value))\n"
  }

  /// A list of bytes, each as a decimal number: the one form of a network's name in which no byte
  /// has a second meaning.
  mutating func add(_ key: String, bytes: some Sequence<UInt8>) {
    text += "\(key)="
    for byte in bytes { text += "\(byte);" }
    text += "\n"
  }

  /// As g_key_file_set_string() does it, and every blank as well.
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
