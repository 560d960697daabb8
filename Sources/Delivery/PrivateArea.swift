import Core
import Places

/// A place from whose surroundings nothing leaves the board.
///
/// The edge of what is left out would show where its middle is, as the points where all tracks end
/// lie on a circle around it. So the area is shifted, by another part of the margin for each place.
public struct PrivateArea: Sendable {
  public let uuid: String
  private let region: PlaceRegion
  /// Of the shift.
  private let bearing: Degrees
  private let length: Metres

  /// Nil: nobody knows where the place is.
  public init?(_ place: Place, margin: Metres) {
    guard let region = place.region(margin: margin) else { return nil }
    self.region = region
    uuid = place.id.description
    // Nobody outside knows the UUID.
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
