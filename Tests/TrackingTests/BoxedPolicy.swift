import Core
import Records

@testable import Tracking

/// A reference to a policy, so that mutating calls work inside expectations; without a context the
/// policy knows only what the test gives it.
final class BoxedPolicy<Boxed: Policy> {
  private(set) var policy: Boxed

  init(_ policy: Boxed) {
    self.policy = policy
    self.policy.started(at: .zero)
  }

  func gnssLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext = .unknown
  ) -> Bool { policy.gnssLocation(location, at: now, in: context) }

  func coarseLocation(_ location: Location, at now: BootInstant) -> Bool {
    policy.coarseLocation(location, at: now, in: .unknown)
  }

  func searchFailed(at now: BootInstant) { policy.searchFailed(at: now) }

  func takePlaceSearch() -> SphericalCap? { policy.takePlaceSearch() }

  /// Gives these places to the policy, whichever area it requested.
  func found(_ targets: [PlaceTarget], at now: BootInstant) {
    let here = Coordinate(latitude: 48, longitude: 14)
    policy.found(targets, within: SphericalCap(centre: here, radius: 100_000), at: now)
  }

  func demand(at now: BootInstant, in context: TrackingContext = .unknown) -> GnssDemand? {
    policy.demand(at: now, in: context)
  }

  func coarseDue(in context: TrackingContext = .unknown) -> BootInstant? {
    policy.coarseDue(in: context)
  }
}
