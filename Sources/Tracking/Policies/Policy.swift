import Quantities
import Records

/// When GNSS is wanted. Each policy is one small value that hears what the tracker learnt and
/// answers with a demand; powering, time limits, back-off and holds belong to the machinery around
/// it.
public protocol Policy: Sendable {
  static var name: String { get }

  /// Called once before anything else, and again after a restart.
  mutating func started(at now: BootInstant)

  /// A trusted GNSS location has come. Answers whether it belongs to the sparse trajectory.
  mutating func gnssLocation(_ sighting: Sighting, at now: BootInstant) -> Bool

  /// A coarse location has come, already judged. Answers whether it belongs to the trajectory.
  mutating func coarseLocation(_ sighting: Sighting, at now: BootInstant) -> Bool

  /// The search was given up without a location.
  mutating func searchFailed(at now: BootInstant)

  /// What is wanted now.
  func demand(at now: BootInstant) -> GnssDemand
}

/// A policy's wish. `reason` is for `status` and the decision log.
public struct GnssDemand: Hashable, Sendable {
  public enum Wish: Hashable, Sendable {
    case on
    /// Off; nil means until a coarse location or a command changes it.
    case off(until: BootInstant?)
  }

  public var wish: Wish
  public var reason: String

  public init(_ wish: Wish, reason: String) {
    self.wish = wish
    self.reason = reason
  }
}

/// Which policy, with its settings.
public enum PolicySettings: Hashable, Sendable {
  case continuous
  case periodic(PeriodicSettings)
  case hybrid(HybridSettings)

  public var name: String {
    switch self {
    case .continuous: ContinuousPolicy.name
    case .periodic: PeriodicPolicy.name
    case .hybrid: HybridPolicy.name
    }
  }

  /// - Parameter hasCoarseSource: whether something else than GNSS can tell a rough location.
  func make(hasCoarseSource: Bool) -> any Policy {
    switch self {
    case .continuous: ContinuousPolicy()
    case .periodic(let settings): PeriodicPolicy(settings)
    case .hybrid(let settings): HybridPolicy(settings, hasCoarseSource: hasCoarseSource)
    }
  }
}
