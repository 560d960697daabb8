import Core

/// How many edges can be kept at once, whatever people have drawn and imported: as many as
/// take 12 MB.
public struct EdgeLimit: Sendable {
  /// Of all places that are watched together, in the pieces of which regions are made.
  public static let most = 500_000
  /// A piece of an edge is no longer than this, or it leaves the edge (`SphericalRegion`).
  private static let longest: Metres = 2200
  /// Below this an edge is shorter than a piece, in degrees.
  private static let short = 0.014

  private var left: Int

  public init(_ most: Int = most) { left = most }

  /// Whether there is room for a place, too. A smaller one may have it after one that has not.
  public mutating func admits(_ place: Place) -> Bool {
    let pieces = Self.pieces(of: place.perimeter)
    guard pieces <= left else { return false }
    left -= pieces
    return true
  }

  /// About how many pieces a region of this perimeter has.
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
    return min(pieces, max(2 * corners, SphericalRegion.mostPieces))
  }
}
