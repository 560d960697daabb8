import Core

/// Reads the geometry in a GeoPackage's blob from its beginning (OGC 06-103r4 § 8.2). Every result
/// is nil if the bytes end or are invalid.
struct WellKnownBinary {
  static let point: UInt32 = 1
  static let polygon: UInt32 = 3
  static let multiPolygon: UInt32 = 6

  /// The type of a geometry.
  struct Kind {
    let type: UInt32
    /// Per position: 2 to 4.
    let ordinates: Int
  }

  private let bytes: UnsafeRawBufferPointer
  private var offset: Int
  private var isLittle = true

  /// - Parameter blob: with the header of OGC 12-128r18 § 2.1.3.
  init?(inGeometry blob: UnsafeRawBufferPointer) {
    guard blob.count >= 8, blob[0] == 0x47, blob[1] == 0x50, blob[2] == 0 else { return nil }
    // Bits 1-3 of the flags: no envelope, XY, XYZ, XYM, XYZM.
    let envelopes = [0, 32, 48, 48, 64]
    let kind = Int(blob[3] >> 1 & 7)
    guard kind < envelopes.count, blob.count >= 8 + envelopes[kind] else { return nil }
    bytes = blob
    offset = 8 + envelopes[kind]
  }

  /// The byte order and the type at the start of every geometry.
  mutating func kind() -> Kind? {
    guard offset < bytes.count, bytes[offset] <= 1 else { return nil }
    isLittle = bytes[offset] == 1
    offset += 1
    // The thousands indicate heights, measures, or both.
    guard let raw = integer(), raw < 4000 else { return nil }
    let dimensions = raw / 1000
    return Kind(type: raw % 1000, ordinates: dimensions == 0 ? 2 : dimensions == 3 ? 4 : 3)
  }

  /// A number of parts; nil if there is no room for so many.
  /// - Parameter size: of a part, at least.
  mutating func count(ofBytes size: Int) -> Int? {
    guard let count = integer(), Int(count) <= (bytes.count - offset) / size else { return nil }
    return Int(count)
  }

  /// A position on Earth.
  mutating func position(_ kind: Kind) -> Coordinate? {
    guard bytes.count - offset >= 8 * kind.ordinates else { return nil }
    defer { offset += 8 * kind.ordinates }
    return Coordinate(checkedLatitude: ordinate(at: offset + 8), longitude: ordinate(at: offset))
  }

  private mutating func integer() -> UInt32? {
    guard bytes.count - offset >= 4 else { return nil }
    defer { offset += 4 }
    let raw = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return isLittle ? UInt32(littleEndian: raw) : UInt32(bigEndian: raw)
  }

  private func ordinate(at offset: Int) -> Double {
    let raw = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    return Double(bitPattern: isLittle ? UInt64(littleEndian: raw) : UInt64(bigEndian: raw))
  }
}
