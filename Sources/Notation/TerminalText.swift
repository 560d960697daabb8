/// Untrusted text, made safe for a terminal or a log.
public enum TerminalText {
  /// The text as one line that a terminal only displays: control characters (C0, C1 and DEL,
  /// ECMA-48), and characters that would break or reverse the line (U+2028, U+2029 and the marks
  /// for the direction of writing), become U+FFFD.
  public static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isOrder) else { return text }
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { safe.append(isOrder(scalar) ? "\u{fffd}" : scalar) }
    return String(safe)
  }

  /// The beginning of bytes of unknown encoding; every byte that is not printable ASCII becomes
  /// `?`.
  public static func ascii(_ bytes: some Sequence<UInt8>, atMost limit: Int) -> String {
    let printable = bytes.prefix(limit).map {
      (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?")
    }
    return String(decoding: printable, as: UTF8.self)
  }

  private static func isOrder(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
