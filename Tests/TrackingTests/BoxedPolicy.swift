import Core
import Records

@testable import Tracking

/// A policy in a box, so that its answers can stand inside expectations; without a context it knows
/// nothing of the board but what it is told.
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

  /// Is told those places, wherever they were asked for.
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
