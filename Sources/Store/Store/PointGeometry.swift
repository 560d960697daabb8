import Core

/// A point in GeoPackage's format: the header of OGC 12-128r18 § 2.1.3 and the point in well-known
/// binary. Points have no envelope, which would be redundant.
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
    guard var reader = WellKnownBinary(inGeometry: bytes), let kind = reader.kind(),
      kind.type == WellKnownBinary.point
    else { return nil }
    return reader.position(kind)
  }
}
