import Quantities
import Records

public struct PeriodicSettings: Hashable, Sendable {
  /// From one location to the next switch-on.
  public var interval: Seconds

  public init(interval: Seconds = 300) { self.interval = interval }
}

/// One location every so often, moving or not.
public struct PeriodicPolicy: Policy {
  public static let name = "periodic"
  let settings: PeriodicSettings
  private var next = BootInstant.zero

  public init(_ settings: PeriodicSettings) { self.settings = settings }

  public mutating func started(at now: BootInstant) { next = now }

  public mutating func gnssLocation(
    _ sighting: Sighting, at now: BootInstant, in context: TrackingContext
  ) -> Bool {
    // Later fixes of the same burst (a hold after a cold lock) are not locations of their own.
    guard now >= next else { return false }
    next = now + settings.interval
    return true
  }

  public mutating func coarseLocation(
    _ sighting: Sighting, at now: BootInstant, in context: TrackingContext
  ) -> Bool { false }

  public mutating func searchFailed(at now: BootInstant) { next = now + settings.interval }

  public func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand? {
    now >= next
      ? GnssDemand(.on, reason: "a location is due")
      : GnssDemand(
        .off(until: next), reason: "one location every \(Int(settings.interval.value)) s")
  }
}
