/// Finds a line's end, or the `*` before a checksum, eight bytes at a time, and computes the
/// exclusive or of the bytes before it: the NMEA checksum.
enum ByteSearch {
  /// The first such byte at or after `from`, or `limit`; and the exclusive or of all bytes before
  /// it.
  @inline(__always)
  static func first(
    _ byte: UInt8, from start: UnsafePointer<UInt8>, limit: UnsafePointer<UInt8>
  ) -> (end: UnsafePointer<UInt8>, xor: UInt8) {
    let wanted = 0x0101_0101_0101_0101 &* UInt64(byte)
    var position = start
    var sum: UInt64 = 0
    while limit - position >= 8 {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
      // The lowest set bit marks the first matching byte ("haszero" of the difference).
      let difference = word ^ wanted
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
    while position < limit, position.pointee != byte {
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
