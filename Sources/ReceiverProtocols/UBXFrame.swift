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

/// A verified frame's parts. Reads past the payload's end give zero; decoders check the length.
struct UBXMessage {
  let kind: Kind
  let payload: UnsafeBufferPointer<UInt8>

  /// Class in the high byte, id in the low one.
  struct Kind: Equatable {
    let code: UInt16
  }

  init(_ body: UnsafeBufferPointer<UInt8>) {
    kind = Kind(code: UInt16(body[0]) << 8 | UInt16(body[1]))
    payload = UnsafeBufferPointer(rebasing: body[4...])
  }

  func u8(_ offset: Int) -> UInt8 { offset < payload.count ? payload[offset] : 0 }
  func u16(_ offset: Int) -> UInt16 { UInt16(u8(offset)) | UInt16(u8(offset + 1)) << 8 }
  func u32(_ offset: Int) -> UInt32 { UInt32(u16(offset)) | UInt32(u16(offset + 2)) << 16 }
  func i8(_ offset: Int) -> Int8 { Int8(bitPattern: u8(offset)) }
  func i16(_ offset: Int) -> Int16 { Int16(bitPattern: u16(offset)) }
  func i32(_ offset: Int) -> Int32 { Int32(bitPattern: u32(offset)) }
}
