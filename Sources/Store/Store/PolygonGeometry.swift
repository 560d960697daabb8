import Core

/// Polygons in GeoPackage's format (OGC 12-128r18 § 2.1.3, OGC 06-103r4 § 8.2): with an envelope,
/// by which other programs find them without reading their corners.
enum PolygonGeometry {
  /// Protects the memory from a damaged blob; the limit for places is in `PlaceLimits`.
  private static let maxCorners = 1_000_000

  static func encode(_ polygons: [[[Coordinate]]]) -> [UInt8] {
    var bytes: [UInt8] = [0x47, 0x50, 0, 0x03]  // version 1, little endian, envelope of XY
    func append(_ number: UInt32) {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    func append(_ number: Double) {
      withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
    append(UInt32(bitPattern: PointGeometry.srsId))
    let corners = polygons.joined().joined()
    let (longitudes, latitudes) = (corners.map(\.longitude.value), corners.map(\.latitude.value))
    // An empty geometry has NaN in its envelope (§ 2.1.3.1.2).
    for side in [longitudes.min(), longitudes.max(), latitudes.min(), latitudes.max()] {
      append(side ?? .nan)
    }
    bytes.append(0x01)
    append(WellKnownBinary.multiPolygon)
    append(UInt32(polygons.count))
    for polygon in polygons {
      bytes.append(0x01)
      append(WellKnownBinary.polygon)
      append(UInt32(polygon.count))
      for ring in polygon {
        append(UInt32(ring.count))
        for corner in ring {
          append(corner.longitude.value)
          append(corner.latitude.value)
        }
      }
    }
    return bytes
  }

  /// Nil for anything but polygons within the Earth's coordinates. A single polygon, the other byte
  /// order and third or fourth ordinates are accepted, as other programs write them.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> [[[Coordinate]]]? {
    guard var reader = WellKnownBinary(inGeometry: bytes), let kind = reader.kind() else {
      return nil
    }
    var left = maxCorners
    switch kind.type {
    case WellKnownBinary.polygon: return polygon(kind, &reader, &left).map { [$0] }
    case WellKnownBinary.multiPolygon:
      // A polygon takes nine bytes at least.
      guard let count = reader.count(ofBytes: 9) else { return nil }
      var polygons: [[[Coordinate]]] = []
      for _ in 0..<count {
        guard let kind = reader.kind(), kind.type == WellKnownBinary.polygon,
          let polygon = polygon(kind, &reader, &left)
        else { return nil }
        polygons.append(polygon)
      }
      return polygons
    default: return nil
    }
  }

  private static func polygon(
    _ kind: WellKnownBinary.Kind, _ reader: inout WellKnownBinary, _ left: inout Int
  ) -> [[Coordinate]]? {
    guard let rings = reader.count(ofBytes: 4) else { return nil }
    var polygon: [[Coordinate]] = []
    for _ in 0..<rings {
      guard let count = reader.count(ofBytes: 8 * kind.ordinates), count <= left else { return nil }
      left -= count
      var ring: [Coordinate] = []
      ring.reserveCapacity(count)
      for _ in 0..<count {
        guard let corner = reader.position(kind) else { return nil }
        ring.append(corner)
      }
      polygon.append(ring)
    }
    return polygon
  }
}
