import Core
import Records

public struct PeriodicSettings: Hashable, SettingGroup {
  public var interval: Seconds = 300

  public init() {}

  public init(interval: Seconds) { self.interval = interval }

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "policy.periodic", counts: .atReload,
      "Constant of the periodic policy.")
    setting(
      "interval_s", &interval, .quantity(1...86_400),
      "Time from one location to the next switch-on.")
  }
}

/// One location per interval, moving or not.
public struct PeriodicPolicy: Policy {
  public static let descriptor = PolicyDescriptor(
    "periodic", doc: "one location per interval.", settings: PeriodicSettings.self
  ) { settings, _ in PeriodicPolicy(settings) }
  let settings: PeriodicSettings
  private var next = BootInstant.zero

  public init(_ settings: PeriodicSettings) { self.settings = settings }

  public mutating func started(at now: BootInstant) { next = now }

  public mutating func gnssLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool {
    // Later fixes of the same burst (a hold after a cold start) are not separate locations.
    guard now >= next else { return false }
    next = now + settings.interval
    return true
  }

  public mutating func coarseLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool { false }

  public mutating func searchFailed(at now: BootInstant) { next = now + settings.interval }

  public func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand? {
    now >= next
      ? GnssDemand(.on, reason: "a location is due")
      : GnssDemand(
        .off(until: next), reason: "one location every \(Int(settings.interval.value)) s")
  }
}

extension PolicySettings {
  public static func periodic(_ settings: PeriodicSettings) -> PolicySettings {
    PolicySettings(PeriodicPolicy.descriptor, settings)
  }
}
