import Quantities
import Records

/// GNSS always on: the dense reference against which the others are compared.
public struct ContinuousPolicy: Policy {
  public static let name = "continuous"

  public init() {}

  public mutating func started(at now: BootInstant) {}

  /// The error-bounded simplification decides what is kept of a dense source, not the policy.
  public mutating func gnssLocation(_ sighting: Sighting, at now: BootInstant) -> Bool { false }

  public mutating func coarseLocation(_ sighting: Sighting, at now: BootInstant) -> Bool { false }

  public mutating func searchFailed(at now: BootInstant) {}

  public func demand(at now: BootInstant) -> GnssDemand {
    GnssDemand(.on, reason: "continuous tracking")
  }
}
