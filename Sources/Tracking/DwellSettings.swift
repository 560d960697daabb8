import Quantities

/// What counts as a stay.
public struct DwellSettings: Hashable, Sendable {
  /// A stay is at least this long.
  public var shortestStay: Seconds
  /// Sightings within this of a centre are at one place: GNSS under roofs wanders by tens of metres.
  public var radius: Metres
  /// A carrier that is back within this time has not left.
  public var longestExcursion: Seconds
  /// Sightings closer in time than this are condensed into one glimpse.
  public var glimpse: Seconds

  public init(
    shortestStay: Seconds = 300, radius: Metres = 60, longestExcursion: Seconds = 180,
    glimpse: Seconds = 10
  ) {
    self.shortestStay = shortestStay
    self.radius = radius
    self.longestExcursion = longestExcursion
    self.glimpse = glimpse
  }
}
