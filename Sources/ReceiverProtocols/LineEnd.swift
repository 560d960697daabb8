/// Finds the end of a line eight bytes at a time and sums its bytes on the way, because the NMEA
/// checksum is the exclusive or of them.
enum LineEnd {
  /// The first line feed at or after `from`, or `limit`; and the exclusive or of all bytes before.
  @inline(__always)
  static func find(
    from start: UnsafePointer<UInt8>, limit: UnsafePointer<UInt8>
  ) -> (end: UnsafePointer<UInt8>, xor: UInt8) {
    var position = start
    var sum: UInt64 = 0
    while limit - position >= 8 {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
      // The lowest set bit marks the first byte that is a line feed ("haszero" of the difference).
      let difference = word ^ 0x0a0a_0a0a_0a0a_0a0a
      let found = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
      if found != 0 {
        let bytes = found.trailingZeroBitCount >> 3
        sum ^= word & ((1 << (bytes << 3)) &- 1)
        return (position + bytes, fold(sum))
      }
      sum ^= word
      position += 8
    }
    var xor = fold(sum)
    while position < limit, position.pointee != UInt8(ascii: "\n") {
      xor ^= position.pointee
      position += 1
    }
    return (position, xor)
  }

  @inline(__always)
  private static func fold(_ sum: UInt64) -> UInt8 {
    var sum = sum ^ (sum >> 32)
    sum ^= sum >> 16
    return UInt8(truncatingIfNeeded: sum ^ (sum >> 8))
  }
}
