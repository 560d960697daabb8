/// RTCM 3 corrections that share the line: D3, six zero bits, ten bits of length, payload and a
/// CRC-24Q (RTCM 10403, section 4). They are recognised only to be stepped over as a whole.
enum RTCMFrame {
  static let preamble: UInt8 = 0xd3

  enum Check {
    case sound(count: Int)
    case incomplete, notAFrame
  }

  static func check(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Check {
    let available = end - start
    if available >= 2, start[1] & 0xfc != 0 { return .notAFrame }
    guard available >= 3 else { return .incomplete }
    let count = 6 + (Int(start[1]) << 8 | Int(start[2]))
    guard available >= count else { return .incomplete }
    // The sum over a message and its own sum is zero.
    return crc24q(UnsafeBufferPointer(start: start, count: count)) == 0
      ? .sound(count: count) : .notAFrame
  }

  static func crc24q(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var crc: UInt32 = 0
    for byte in bytes {
      crc ^= UInt32(byte) << 16
      for _ in 0..<8 {
        crc <<= 1
        if crc & 0x100_0000 != 0 { crc ^= 0x186_4cfb }
      }
    }
    return crc
  }
}
