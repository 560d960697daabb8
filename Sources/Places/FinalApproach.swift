import Core
import Records

/// The last metres before a place: there the receiver stays on, because there may be a roof behind
/// the edge.
///
/// Dias 2011, section 4.6: "When the timeout is considerably low, the GPS keeps operating". His
/// rule has no limit; this one has, for a board that moves along an edge.
public struct FinalApproach: Sendable {
  /// The time to the edge at the present speed.
  private static let ahead: Seconds = 30
  /// Below the speed of a braking car or a turning walker.
  private static let slowest: MetresPerSecond = 0.8
  /// A board that has not arrived after this time stays outside for a while.
  private static let maxDuration: Seconds = 120

  private var since: BootInstant?

  /// No edge is near.
  public init() {}

  /// - Parameters:
  ///   - gap: to the nearest edge of a place that it is outside of; nil: there is none near.
  ///   - at: when the location was taken.
  /// - Returns: whether the next location is needed at once.
  public mutating func goesOn(_ location: Location, at moment: BootInstant, gap: Metres?) -> Bool {
    guard let gap, let speed = location.speed, speed >= Self.slowest,
      (gap - location.accuracy) / speed <= Self.ahead
    else {
      since = nil
      return false
    }
    let begun = since ?? moment
    since = begun
    return moment - begun <= Self.maxDuration
  }
}
