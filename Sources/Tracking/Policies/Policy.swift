import Quantities
import Records

/// When GNSS is wanted. Each policy is one small value that hears what the tracker learnt and
/// answers with a demand; powering, time limits, back-off and holds belong to the machinery around
/// it.
public protocol Policy: FixDemander {
  static var name: String { get }
  static var traits: PolicyTraits { get }

  /// Called once before anything else, and again after a restart.
  mutating func started(at now: BootInstant)

  /// A trusted GNSS location has come. Answers whether it belongs to the sparse trajectory.
  mutating func gnssLocation(
    _ sighting: Sighting, at now: BootInstant, in context: TrackingContext
  ) -> Bool

  /// A coarse location has come, already judged. Answers whether it belongs to the trajectory.
  mutating func coarseLocation(
    _ sighting: Sighting, at now: BootInstant, in context: TrackingContext
  ) -> Bool

  /// The search was given up without a location.
  mutating func searchFailed(at now: BootInstant)
}

extension Policy {
  public static var traits: PolicyTraits { PolicyTraits() }
}

/// What the machinery around a policy has to know of it.
public struct PolicyTraits: Hashable, Sendable {
  /// Whether a search that comes to nothing is given up, and tried again after a pause.
  public var givesUpSearching: Bool
  /// Whether the trajectory is what the error-bounded simplification keeps of a dense source.
  public var keepsShape: Bool

  public init(givesUpSearching: Bool = true, keepsShape: Bool = false) {
    self.givesUpSearching = givesUpSearching
    self.keepsShape = keepsShape
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
