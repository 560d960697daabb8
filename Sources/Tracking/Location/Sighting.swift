import Core
import Records

/// What is known about the board's position and motion, for observers that get no notification:
/// they compare it with an earlier copy.
public struct Sighting: Sendable {
  /// The last accepted location from any source.
  public private(set) var location: Location?
  public private(set) var locations = 0
  /// The number of searches without a fix.
  public private(set) var failedSearches = 0
  /// Whether the board rests or moves.
  public internal(set) var rest = MotionEstimator.State.unknown
  /// Whether a departure would be detected without a location.
  public internal(set) var isMonitored = false
  /// Whether a motion sensor would detect movement at once.
  public internal(set) var isMotionSensed = false
  /// When the motion sensor last reported, even once: the first sign of a departure.
  public internal(set) var lastMotionEdge: BootInstant?
  /// When the last event occurred that calls for a fix attempt.
  public internal(set) var lastTrigger: BootInstant?

  public init() {}

  mutating func located(_ location: Location) {
    self.location = location
    locations += 1
  }

  mutating func searchFailed() { failedSearches += 1 }
}
