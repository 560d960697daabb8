/// Bytes as text (RFC 4648, section 4).
public enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  public static func text(_ bytes: [UInt8], isPadded: Bool = true) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for index in 0..<3 {
        bits = bits << 8 | UInt32(index < group.count ? group[start + index] : 0)
      }
      for index in 0..<4 {
        if index <= group.count {
          text.append(letters[Int(bits >> UInt32(18 - 6 * index) & 63)])
        } else if isPadded {
          text.append(UInt8(ascii: "="))
        }
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil for anything that `text` would not write: other characters, wrong padding, stray bits.
  public static func bytes(_ text: String) -> [UInt8]? {
    let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let letters = text.utf8.dropLast(padding)
    guard text.utf8.count % 4 == 0, padding <= 2 else { return nil }
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for letter in letters {
      guard let value = value(letter) else { return nil }
      bits = bits << 6 | value
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      bits &= (1 << UInt32(count)) - 1
    }
    return bits == 0 && count == padding * 2 ? bytes : nil
  }

  private static func value(_ letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
