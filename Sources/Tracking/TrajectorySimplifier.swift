import Geodesy
import Quantities

/// One-pass simplification with a bound on the synchronised Euclidean distance (SED): at its own
/// time every dropped sighting lies within the bound of the line between the kept ones.
///
/// From the last kept sighting, a later one can be dropped if the straight motion that replaces it
/// passes within the bound: that allows the velocities of a disc. All discs are intersected as
/// regular polygons inside them whose sides share their directions, so that the intersection is one
/// minimum per direction: constant time and memory. The idea is CISED's (Lin et al., "One-Pass
/// Trajectory Simplification Using the Synchronous Euclidean Distance", VLDB Journal 28, 2019).
public struct TrajectorySimplifier: Sendable {
  let bound: Metres
  private var anchor: Sighting?
  private var plane = LocalPlane(origin: Coordinate(latitude: 0, longitude: 0))
  private var last: Sighting?
  /// The velocity must not exceed these along the sixteen directions, m/s.
  private var reach = SIMD16<Double>(repeating: .infinity)

  public init(bound: Metres) { self.bound = bound }

  /// The sighting to keep, if this one showed that an earlier one is needed.
  public mutating func take(_ sighting: Sighting) -> Sighting? {
    guard let start = anchor else { return keep(sighting) }
    let elapsed = (sighting.time - start.time).value
    guard elapsed > 0 else { return nil }
    let point = plane.point(sighting.place)
    let vx = point.east.value / elapsed
    let vy = point.north.value / elapsed
    let along = Self.east * vx + Self.north * vy
    if all(along .<= reach) {
      reach = pointwiseMin(reach, along + Self.inside * bound.value / elapsed)
      last = sighting
      return nil
    }
    guard let previous = last else { return nil }
    _ = keep(previous)
    _ = take(sighting)
    return previous
  }

  /// The last sighting, which the end of the data makes a kept one.
  public mutating func finish() -> Sighting? {
    guard let previous = last else { return nil }
    return keep(previous)
  }

  private mutating func keep(_ sighting: Sighting) -> Sighting {
    anchor = sighting
    plane = LocalPlane(origin: sighting.place)
    last = nil
    reach = SIMD16(repeating: .infinity)
    return sighting
  }

  /// The polygon's sides touch the circle that is this much smaller than its own: cos(pi / 16).
  static let inside = 0.980_785_280_403_230_4
  static let east = SIMD16<Double>(
    1, 0.923_879_532_511_286_7, 0.707_106_781_186_547_5, 0.382_683_432_365_089_8,
    0, -0.382_683_432_365_089_8, -0.707_106_781_186_547_5, -0.923_879_532_511_286_7,
    -1, -0.923_879_532_511_286_7, -0.707_106_781_186_547_5, -0.382_683_432_365_089_8,
    0, 0.382_683_432_365_089_8, 0.707_106_781_186_547_5, 0.923_879_532_511_286_7)
  static let north = SIMD16<Double>(
    0, 0.382_683_432_365_089_8, 0.707_106_781_186_547_5, 0.923_879_532_511_286_7,
    1, 0.923_879_532_511_286_7, 0.707_106_781_186_547_5, 0.382_683_432_365_089_8,
    0, -0.382_683_432_365_089_8, -0.707_106_781_186_547_5, -0.923_879_532_511_286_7,
    -1, -0.923_879_532_511_286_7, -0.707_106_781_186_547_5, -0.382_683_432_365_089_8)
}
