import Core

/// How many edges can be kept at once, whatever was drawn or imported: 12 MB of them.
public struct EdgeLimit: Sendable {
  /// The limit for all monitored places together, in pieces of regions.
  public static let most = 500_000
  /// A longer piece of an edge would deviate from the edge (`SphericalRegion`).
  private static let longest: Metres = 2200
  /// Degrees: below this an edge is shorter than a piece.
  private static let short = 0.014

  private var left: Int

  public init(_ most: Int = most) { left = most }

  /// Whether there is room for another place. A smaller one may fit after one that does not.
  public mutating func admits(_ place: Place) -> Bool {
    let pieces = Self.pieces(of: place.perimeter)
    guard pieces <= left else { return false }
    left -= pieces
    return true
  }

  /// The approximate number of pieces of a region with this perimeter.
  public static func pieces(of perimeter: Perimeter) -> Int {
    guard case .polygons(let polygons) = perimeter else { return 0 }
    var corners = 0
    var pieces = 0
    for ring in polygons.lazy.flatMap(\.rings) {
      corners += ring.count
      for (from, to) in zip(ring, ring.dropFirst()) {
        let isShort =
          (from.latitude.value - to.latitude.value).magnitude < short
          && (from.longitude.value - to.longitude.value).magnitude < short
        pieces += isShort ? 1 : 1 + Int(Sphere.distance(from, to) / longest)
      }
    }
    return min(pieces, max(2 * corners, SphericalRegion.maxChords))
  }
}
