import Formats
import Core

/// The charge of one recording as it adds up over time; a line begins after time that is missing.
public typealias ChargeCurve = ThinnedSeries<CumulativeCharge>

/// How much charge has flowed up to a moment of a recording.
public struct CumulativeCharge: Hashable, Sendable {
  /// Since the first reading.
  public let elapsed: Seconds
  /// Of all the time measured until then.
  public let charge: Coulombs

  public init(elapsed: Seconds, charge: Coulombs) {
    self.elapsed = elapsed
    self.charge = charge
  }
}
