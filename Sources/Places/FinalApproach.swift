import Core
import Records

/// The last metres before a place: there the receiver stays on, as a roof may be behind the edge.
///
/// Dias 2011, section 4.6: "When the timeout is considerably low, the GPS keeps operating". His
/// guard has no limit; here it has one, for those who walk along an edge.
public struct FinalApproach: Sendable {
  /// The edge is so near, at the present speed.
  private static let ahead: Seconds = 30
  /// As a car brakes, and a wanderer turns.
  private static let slowest: MetresPerSecond = 0.8
  /// Whoever has not come after this stays outside for a while.
  private static let patience: Seconds = 120

  private var since: BootInstant?

  /// Nobody is near an edge.
  public init() {}

  /// - Parameters:
  ///   - gap: to the nearest edge of a place that it is not in; nil: there is none near.
  ///   - at: when the location was taken.
  /// - Returns: whether the next location is wanted at once.
  public mutating func goesOn(_ location: Location, at moment: BootInstant, gap: Metres?) -> Bool {
    guard let gap, let speed = location.speed, speed >= Self.slowest,
      (gap - location.accuracy) / speed <= Self.ahead
    else {
      since = nil
      return false
    }
    let begun = since ?? moment
    since = begun
    return moment - begun <= Self.patience
  }
}
