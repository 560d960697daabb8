import Formats
import Core

/// The cumulative charge of one recording over time; a line begins after a gap.
public typealias ChargeCurve = ThinnedSeries<CumulativeCharge>

/// The charge up to a moment of a recording.
public struct CumulativeCharge: Hashable, Sendable {
  /// Since the first reading.
  public let elapsed: Seconds
  /// Over all the time measured until then.
  public let charge: Coulombs

  public init(elapsed: Seconds, charge: Coulombs) {
    self.elapsed = elapsed
    self.charge = charge
  }
}
