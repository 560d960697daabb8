/// u-blox's binary framing: B5 62, class, id, little-endian length, payload, 8-bit Fletcher sum
/// ("UBX protocol" in every u-blox interface description).
enum UBXFrame {
  static let firstPreamble: UInt8 = 0xb5
  static let secondPreamble: UInt8 = 0x62
  /// The longest message in use is RXM-RAWX with 16 + 32 bytes for each of up to 184 signals.
  static let longestPayload = 8192

  enum Check {
    /// From class to the payload's end.
    case sound(UnsafeBufferPointer<UInt8>)
    case incomplete, notAFrame, badChecksum
  }

  static func check(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Check {
    let available = end - start
    if available >= 2, start[1] != secondPreamble { return .notAFrame }
    guard available >= 6 else { return .incomplete }
    let length = Int(start[4]) | Int(start[5]) << 8
    guard length <= longestPayload else { return .notAFrame }
    guard available >= length + 8 else { return .incomplete }
    let body = UnsafeBufferPointer(start: start + 2, count: length + 4)
    let (a, b) = checksum(body)
    return a == start[length + 6] && b == start[length + 7] ? .sound(body) : .badChecksum
  }

  /// RFC 1145's 8-bit Fletcher sum over class, id, length and payload.
  static func checksum(_ body: UnsafeBufferPointer<UInt8>) -> (UInt8, UInt8) {
    var a: UInt8 = 0
    var b: UInt8 = 0
    for byte in body {
      a &+= byte
      b &+= a
    }
    return (a, b)
  }
}
