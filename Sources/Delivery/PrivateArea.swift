import Core
import Places

/// A place whose surroundings are withheld.
///
/// The boundary of the withheld area would reveal its middle, because all tracks end on a circle
/// around it. So the area is shifted, by another part of the margin for each place.
public struct PrivateArea: Sendable {
  let uuid: String
  private let region: PlaceRegion
  /// Bearing of the shift.
  private let bearing: Degrees
  private let length: Metres

  /// Nil: the position of the place is unknown.
  public init?(_ place: Place, margin: Metres) {
    guard let region = place.region(margin: margin) else { return nil }
    self.region = region
    uuid = place.id.description
    // The UUID is not known outside.
    let hash = StableHash.of(uuid)
    bearing = Degrees(Double(hash >> 32) / Double(UInt32.max) * 360)
    length = margin * (0.25 + 0.5 * Double(hash & 0xFFFF_FFFF) / Double(UInt32.max))
  }

  /// Whether the board may have been there or near it.
  func mayContain(_ position: Coordinate, within accuracy: Metres) -> Bool {
    let shifted = Sphere.destination(from: position, bearing: bearing, distance: length)
    return region.signedDistance(from: shifted) <= accuracy
  }
}
