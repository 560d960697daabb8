import Quantities

/// A point as GeoPackage stores it: the header of OGC 12-128r18 § 2.1.3 and the point in
/// well-known binary. Points carry no envelope, as it would say the same again.
enum PointGeometry {
  static let srsId: Int32 = 4326

  static func encode(_ position: Coordinate) -> [UInt8] {
    var bytes: [UInt8] = [0x47, 0x50, 0, 0x01]  // "GP", version 1, little endian, no envelope
    bytes.reserveCapacity(29)
    withUnsafeBytes(of: srsId.littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: [0x01, 0x01, 0, 0, 0])  // little endian, wkbPoint
    for ordinate in [position.longitude.value, position.latitude.value] {
      withUnsafeBytes(of: ordinate.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  /// Nil for anything but a point within the Earth's coordinates. Other programs may have edited
  /// it, so an envelope, the other byte order and a third or fourth ordinate are accepted.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> Coordinate? {
    guard bytes.count >= 8, bytes[0] == 0x47, bytes[1] == 0x50, bytes[2] == 0 else { return nil }
    // Bits 1-3 of the flags: no envelope, XY, XYZ, XYM, XYZM.
    let envelopes = [0, 32, 48, 48, 64]
    let kind = Int(bytes[3] >> 1 & 7)
    guard kind < envelopes.count else { return nil }
    let start = 8 + envelopes[kind]
    guard bytes.count >= start + 21, bytes[start] <= 1 else { return nil }
    let isLittle = bytes[start] == 1
    let rawType = bytes.loadUnaligned(fromByteOffset: start + 1, as: UInt32.self)
    let type = isLittle ? UInt32(littleEndian: rawType) : UInt32(bigEndian: rawType)
    guard type % 1000 == 1, type <= 3001 else { return nil }
    func ordinate(_ offset: Int) -> Double {
      let raw = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      return Double(bitPattern: isLittle ? UInt64(littleEndian: raw) : UInt64(bigEndian: raw))
    }
    return Coordinate(
      checkedLatitude: ordinate(start + 13), longitude: ordinate(start + 5))
  }
}
