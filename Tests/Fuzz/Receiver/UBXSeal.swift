/// Corrects lengths and checksums of UBX frames: the bytes between one preamble and the next become
/// the class, the id and the payload of a sound frame.
enum UBXSeal {
  private static let preamble: [UInt8] = [0xB5, 0x62]

  static func append(_ bytes: UnsafeBufferPointer<UInt8>, to withChecksum: inout [UInt8]) {
    var index = 0
    while index < bytes.count {
      guard isPreamble(bytes, index), index + 4 <= bytes.count else {
        withChecksum.append(bytes[index])
        index += 1
        continue
      }
      // Uses the frame's own length if it fits, so that a real recording stays unchanged.
      let told = index + 6 <= bytes.count ? Int(bytes[index + 4]) | Int(bytes[index + 5]) << 8 : 0
      let start = min(index + 6, bytes.count)
      var end = start
      while end < bytes.count, !isPreamble(bytes, end), end - start < told { end += 1 }
      frame(bytes[index + 2], bytes[index + 3], bytes[start..<end], to: &withChecksum)
      // The checksum after the payload is replaced, unless the next frame begins there.
      let isCutShort = end < bytes.count && isPreamble(bytes, end)
      index = isCutShort ? end : min(end + 2, bytes.count)
    }
  }

  private static func isPreamble(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    bytes[index] == preamble[0] && index + 1 < bytes.count && bytes[index + 1] == preamble[1]
  }

  private static func frame(
    _ messageClass: UInt8, _ id: UInt8, _ payload: Slice<UnsafeBufferPointer<UInt8>>,
    to withChecksum: inout [UInt8]
  ) {
    withChecksum += preamble
    let start = withChecksum.count
    withChecksum += [
      messageClass, id, UInt8(truncatingIfNeeded: payload.count),
      UInt8(truncatingIfNeeded: payload.count >> 8),
    ]
    withChecksum += payload
    var first: UInt8 = 0
    var second: UInt8 = 0
    for byte in withChecksum[start...] {
      first &+= byte
      second &+= first
    }
    withChecksum += [first, second]
  }
}
