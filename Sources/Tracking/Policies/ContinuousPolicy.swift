import Core
import Records

/// GNSS always on: the dense reference against which the others are compared.
public struct ContinuousPolicy: Policy {
  /// A receiver that is always in demand searches for ever.
  public static let descriptor = PolicyDescriptor(
    "continuous", doc: "always on.",
    traits: PolicyTraits(givesUpSearching: false, keepsShape: true)
  ) { ContinuousPolicy() }

  public init() {}

  public mutating func started(at now: BootInstant) {}

  /// The error-bounded simplification decides what is kept of a dense source, not the policy.
  public mutating func gnssLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool { false }

  public mutating func coarseLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool { false }

  public mutating func searchFailed(at now: BootInstant) {}

  public func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand? {
    GnssDemand(.on, reason: "continuous tracking")
  }
}

extension PolicySettings {
  public static let continuous = PolicySettings(ContinuousPolicy.descriptor)
}
