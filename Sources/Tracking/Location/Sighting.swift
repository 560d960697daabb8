import Core
import Records

/// What is known of the board's whereabouts, for those that are told by nobody: they compare it
/// with what it was before.
public struct Sighting: Sendable {
  /// The last location that was believed, of whatever source.
  public private(set) var location: Location?
  /// How many there were.
  public private(set) var locations = 0
  /// How many searches have found no sky.
  public private(set) var failedSearches = 0
  /// Whether the board rests or moves.
  public internal(set) var rest = MotionEstimator.State.unknown
  /// Whether something else than locations would tell if it left.
  public internal(set) var isWatched = false
  /// Whether movement is felt at once.
  public internal(set) var isFelt = false
  /// When the motion sensor has spoken last, be it only once: who leaves is felt first so.
  public internal(set) var stirred: BootInstant?
  /// When something has last happened that calls for a look.
  public internal(set) var suspicion: BootInstant?

  public init() {}

  mutating func located(_ location: Location) {
    self.location = location
    locations += 1
  }

  mutating func searchFailed() { failedSearches += 1 }
}
